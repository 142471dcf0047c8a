"""The composition root: the only module that knows every concrete class.

`up` runs everything in one process; `run_workers` and `run_bff` run one part against addresses. Parts
are async context managers, opened in the order of the data path and closed in the reverse order.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc.aio
import httpx
import structlog
import uvicorn

from aurum import installation, resources
from aurum.agent.brain import Brain
from aurum.agent.brains.shadow import ShadowBrain
from aurum.agent.worker import AgentWorker
from aurum.audit import AuditLog
from aurum.bff.app import create_app
from aurum.bff.auth.engine_tokens import bearer_for
from aurum.bff.auth.people import DEMO_PEOPLE
from aurum.bff.auth.tokens import Tokens
from aurum.bff.services import Secrets, Services
from aurum.bff.serving import PagesServer, bind
from aurum.camunda.gateway import open_channel
from aurum.camunda.rest import CamundaRest
from aurum.camunda.rest_jobs import RestJobs
from aurum.clock import Clock, SystemClock
from aurum.domain.tasks import PROCESS_ID
from aurum.errors import AurumError, EngineUnavailable
from aurum.factlog.sqlite import SqliteFactLog
from aurum.facts.codec import to_json
from aurum.facts.port import FactSink
from aurum.facts.vocabulary import Fact
from aurum.feed.inbox import Inbox
from aurum.feed.poller import Poller
from aurum.feed.registry import CaseRegistry
from aurum.installation import InstallationSecrets
from aurum.settings import Settings
from aurum.stream.hub import Hub
from aurum.stream.queue import TaskQueue
from aurum_engine.clock import SystemClock as EngineClock
from aurum_engine.collector import relax_collector
from aurum_engine.errors import EngineError
from aurum_engine.identity import Expected, Identity, shared_key_verifier
from aurum_engine.server import EngineServer
from aurum_workers.jobspec import JobSpec
from aurum_workers.ledger import Ledger
from aurum_workers.ports import HttpAccess, WorkerDeps
from aurum_workers.registry import REGISTRY
from aurum_workers.worker import Workers

ENGINE_WAIT_SECONDS = 60.0
"""How long a process waits for the engine at start-up before it gives up with a message."""

SHUTDOWN_SECONDS = 5
"""uvicorn's own limit after the streams have been told to end."""

_log = structlog.get_logger("aurum.compose")


@dataclass(frozen=True, slots=True)
class EngineAddresses:
    """Where an engine answers. `channel` is an in-process one when there is one."""

    gateway: str
    rest: str
    token: str | None
    channel: Any = None
    knows_people: bool = False
    """Whether user-task commands carry the person's own token, which this engine verifies."""

    def headers(self) -> dict[str, str]:
        """Return what a REST client sends along."""
        return {} if self.token is None else {"Authorization": f"Bearer {self.token}"}


@contextlib.asynccontextmanager
async def engine(settings: Settings, secrets: InstallationSecrets) -> AsyncIterator[EngineAddresses]:
    """Start the embedded engine, or name the remote one."""
    if settings.engine == "camunda":
        yield remote(settings, secrets)
        return
    server = EngineServer(
        settings.data_dir / "engine" / "engine.sqlite",
        host=settings.engine_host,
        grpc_port=settings.gateway_port,
        rest_port=settings.rest_port,
        token=secrets.service_token,
        search_lag_ms=settings.search_lag_ms,
        clock=EngineClock(),
        identity=Identity(shared_key_verifier(secrets.engine_identity, Expected(), EngineClock())),
    )
    try:
        await server.__aenter__()
    except EngineError as error:
        raise EngineNotStarted(str(error).replace("--grpc-port", "--gateway-port")) from error
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_exit(server)
        host = settings.engine_host
        yield EngineAddresses(
            f"{host}:{server.grpc_port}",
            f"http://{host}:{server.rest_port}/v2",
            secrets.service_token,
            server.inproc_channel(),
            knows_people=True,
        )


def rest_client(addresses: EngineAddresses) -> CamundaRest:
    """Return a REST client with the service token."""
    limits = httpx.Limits(max_connections=32, max_keepalive_connections=32)
    return CamundaRest(
        httpx.AsyncClient(base_url=addresses.rest, headers=addresses.headers(), timeout=10.0, limits=limits)
    )


async def deploy(client: CamundaRest) -> None:
    """Wait for the engine, then deploy process, decisions and forms; the same content changes nothing.

    Raises `EngineUnavailable` after `ENGINE_WAIT_SECONDS`, `CommandRejected` for a model it refuses.
    """
    deadline = asyncio.get_running_loop().time() + ENGINE_WAIT_SECONDS
    while True:
        try:
            await client.topology()
            break
        except EngineUnavailable:
            if asyncio.get_running_loop().time() > deadline:
                raise
            await asyncio.sleep(0.2)
    await client.deploy(resources.deployable_files())


@contextlib.asynccontextmanager
async def backend(
    settings: Settings,
    secrets: InstallationSecrets,
    addresses: EngineAddresses,
    clock: Clock,
    worker_silence: Callable[[], float | None],
) -> AsyncIterator[Services]:
    """Open log, feed and hub over an engine, with the poller running."""
    client = rest_client(addresses)
    log = SqliteFactLog.open(settings.data_dir / "facts" / "facts.sqlite")
    audit = AuditLog(settings.data_dir / "audit" / "audit.sqlite")
    registry = CaseRegistry()
    inbox = Inbox(log, registry, clock)
    hub = Hub(log, secrets.keys)
    queue = TaskQueue(hub, registry, secrets.keys)

    def watched() -> list[str]:
        entries = [entry for case in hub.watched() if (entry := registry.by_case(case)) is not None]
        return [entry.process_instance_key for entry in entries if not inbox.is_ended(entry.case_id)]

    poller = Poller(client, inbox, registry, clock, bpmn_process_id=PROCESS_ID, watched=watched)
    inbox.listen(hub.publish)
    poller.listen_tasks(queue.offer)
    try:
        await inbox.load()
        await deploy(client)
        async with running(poller.run(), queue.run()):
            yield Services(
                client=client,
                registry=registry,
                inbox=inbox,
                poller=poller,
                hub=hub,
                queue=queue,
                tokens=Tokens(secrets.sessions, secrets.streams, clock),
                clock=clock,
                secrets=Secrets(secrets.keys, secrets.cases, secrets.receipts, secrets.service_token),
                audit=audit,
                people=DEMO_PEOPLE if settings.demo else {},
                demo=settings.demo,
                bpmn_process_id=PROCESS_ID,
                examples=load_examples,
                engine_bearer=bearer_for(secrets.engine_identity, clock, known=addresses.knows_people),
                worker_silence=worker_silence,
            )
    finally:
        hub.close()
        await log.close()
        audit.close()
        await client.close()


def load_examples() -> Mapping[str, Mapping[str, Any]]:
    """Return the example applications by file name."""
    folder = resources.resource_dir("examples")
    return {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}


@contextlib.asynccontextmanager
async def running(*parts: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run parts beside the body; a part that fails ends the body with its error."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(part) for part in parts]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()


class RemoteSink:
    """`FactSink` over HTTP, for workers in a process of their own. Losing a message costs only time."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def hint(self, process_instance_key: str) -> None:
        """Say that this instance has changed."""
        await self.offer(process_instance_key, ())

    async def offer(self, process_instance_key: str, facts: Sequence[Fact]) -> None:
        """Hand over facts; an unreachable BFF is logged, because the poller finds them anyway."""
        body = {"processInstanceKey": process_instance_key, "facts": [to_json(fact) for fact in facts]}
        try:
            (await self._client.post("/internal/facts", json=body)).raise_for_status()
        except httpx.HTTPError as error:
            _log.info("facts_not_delivered", error=type(error).__name__)


def rest_jobs(addresses: EngineAddresses) -> RestJobs:
    """Return the agent's own client: its long polls must not take a connection from others."""
    return RestJobs(httpx.AsyncClient(base_url=addresses.rest, headers=addresses.headers()))


def brain(settings: Settings) -> Brain:
    """Return the brain that the settings name."""
    match settings.brain:
        case "shadow":
            return ShadowBrain(pause=asyncio.sleep, pace_ms=settings.pace_ms // 4)


@contextlib.asynccontextmanager
async def agent(
    addresses: EngineAddresses, brain: Brain, sink: FactSink, clock: Clock
) -> AsyncIterator[AgentWorker]:
    """Run the agent against an engine's REST."""
    jobs = rest_jobs(addresses)
    worker = AgentWorker(jobs=jobs, brain=brain, sink=sink, clock=clock)
    try:
        async with running(worker.run()):
            yield worker
    finally:
        await worker.close()
        await jobs.close()


@contextlib.asynccontextmanager
async def workers(
    settings: Settings,
    secrets: InstallationSecrets,
    addresses: EngineAddresses,
    sink: FactSink,
    clock: Clock,
    *,
    fx_address: str,
    registry: tuple[JobSpec, ...] = REGISTRY,
) -> AsyncIterator[Workers]:
    """Run the Python workers against a gateway. `fx_address` is where rates are read."""
    client = rest_client(addresses)
    ledger = Ledger(settings.data_dir / "accounts.sqlite")

    async def user_task_state(user_task_key: str) -> Mapping[str, Any] | None:
        row = await client.user_task(user_task_key)
        return None if row is None else row.model_dump(by_alias=True)

    deps = WorkerDeps(
        receipts_secret=secrets.receipts,
        ledger=ledger,
        clock=clock,
        user_task_state=user_task_state,
        sink=sink,
        pace_seconds=settings.pace_ms / 1000,
        http=HttpAccess(secrets={"AURUM_FX_ADDRESS": fx_address}, bases=(fx_address,)),
    )
    channel: grpc.aio.Channel = addresses.channel or open_channel(addresses.gateway, addresses.token)
    pool = Workers(channel=channel, deps=deps, clock=clock, registry=registry)
    try:
        async with running(pool.run()):
            yield pool
    finally:
        await pool.close()
        await channel.close()
        await client.close()
        ledger.close()


async def serve(
    settings: Settings, services: Services, sock: socket.socket, ready: Callable[[str], None]
) -> None:
    """Serve BFF and pages on a bound socket until a signal; `ready(address)` is called once it listens."""
    config = uvicorn.Config(
        create_app(services, resources.web_dir()),
        host=settings.host,
        port=settings.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        timeout_keep_alive=30,
    )

    def end_streams() -> None:
        services.hub.close()
        services.queue.close()

    await PagesServer(config, end_streams, lambda: ready(address_of(sock))).serve(sockets=[sock])


def address_of(sock: socket.socket) -> str:
    """Return the address of a bound socket."""
    host, port = sock.getsockname()[:2]
    return f"http://{host}:{port}"


class EngineNotStarted(AurumError):
    """The embedded engine could not open its port or its log; the message says what to do."""


async def up(settings: Settings, ready: Callable[[str], None]) -> None:
    """Run engine, workers, feed, BFF and pages in this process until a signal."""
    relax_collector()
    secrets = installation.load_or_create(settings.data_dir)
    clock = SystemClock()
    silences: list[Callable[[], float]] = []
    sock = bind(settings.host, settings.port)

    def silence() -> float | None:
        return max((seconds() for seconds in silences), default=None)

    async with contextlib.AsyncExitStack() as stack:
        stack.callback(sock.close)
        addresses = await stack.enter_async_context(engine(settings, secrets))
        services = await stack.enter_async_context(backend(settings, secrets, addresses, clock, silence))
        fx_address = settings.fx_address or f"{address_of(sock)}/fx"
        working = workers(settings, secrets, addresses, services.poller, clock, fx_address=fx_address)
        silences.append((await stack.enter_async_context(working)).seconds_since_poll)
        talking = agent(addresses, brain(settings), services.poller, clock)
        silences.append((await stack.enter_async_context(talking)).seconds_since_poll)
        await serve(settings, services, sock, ready)


def remote(settings: Settings, secrets: InstallationSecrets) -> EngineAddresses:
    """Return the addresses of an engine in another process."""
    return EngineAddresses(
        settings.zeebe_address,
        settings.camunda_rest_address,
        secrets.service_token,
        knows_people=settings.forward_identity,
    )


async def run_bff(settings: Settings, ready: Callable[[str], None]) -> None:
    """Run feed, BFF and pages against an engine elsewhere until a signal."""
    secrets = installation.load_or_create(settings.data_dir)
    async with backend(settings, secrets, remote(settings, secrets), SystemClock(), lambda: None) as services:
        await serve(settings, services, bind(settings.host, settings.port), ready)


async def run_workers(settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the Python workers and the agent against an engine elsewhere until cancelled."""
    secrets = installation.load_or_create(settings.data_dir)
    addresses = remote(settings, secrets)
    headers = {"Authorization": f"Bearer {secrets.service_token}"}
    clock = SystemClock()
    fx_address = settings.fx_address or f"{settings.bff_address}/fx"
    async with httpx.AsyncClient(base_url=settings.bff_address, headers=headers, timeout=5.0) as http:
        sink = RemoteSink(http)
        async with (
            workers(settings, secrets, addresses, sink, clock, fx_address=fx_address),
            agent(addresses, brain(settings), sink, clock),
        ):
            ready(addresses.gateway)
            await asyncio.Event().wait()
