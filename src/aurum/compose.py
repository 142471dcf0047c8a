"""The composition root: the only module that knows every concrete class.

`up` runs everything in one process; `run_workers` and `run_bff` run one part against addresses. Parts
are async context managers, opened in the order of the data path and closed in the reverse order.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc.aio
import httpx
import structlog
import uvicorn

from aurum import installation, resources
from aurum.bff.app import create_app
from aurum.bff.auth.people import DEMO_PEOPLE
from aurum.bff.auth.tokens import Tokens
from aurum.bff.services import Secrets, Services
from aurum.camunda.gateway import open_channel
from aurum.camunda.rest import CamundaRest
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
from aurum_engine.errors import EngineError
from aurum_engine.server import EngineServer
from aurum_workers.ledger import Ledger
from aurum_workers.ports import WorkerDeps
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


@contextlib.asynccontextmanager
async def engine(settings: Settings, secrets: InstallationSecrets) -> AsyncIterator[EngineAddresses]:
    """Start the embedded engine, or name the remote one."""
    if settings.engine == "camunda":
        yield EngineAddresses(settings.zeebe_address, settings.camunda_rest_address, secrets.service_token)
        return
    server = EngineServer(
        settings.data_dir / "engine" / "engine.sqlite",
        host=settings.engine_host,
        grpc_port=settings.gateway_port,
        rest_port=settings.rest_port,
        token=secrets.service_token,
        search_lag_ms=settings.search_lag_ms,
        clock=EngineClock(),
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
        )


def rest_client(addresses: EngineAddresses) -> CamundaRest:
    """Return a REST client with the service token."""
    headers = {} if addresses.token is None else {"Authorization": f"Bearer {addresses.token}"}
    limits = httpx.Limits(max_connections=32, max_keepalive_connections=32)
    return CamundaRest(
        httpx.AsyncClient(base_url=addresses.rest, headers=headers, timeout=10.0, limits=limits)
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
                people=DEMO_PEOPLE if settings.demo else {},
                demo=settings.demo,
                bpmn_process_id=PROCESS_ID,
                examples=load_examples,
                worker_silence=worker_silence,
            )
    finally:
        hub.close()
        await log.close()
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


@contextlib.asynccontextmanager
async def workers(
    settings: Settings,
    secrets: InstallationSecrets,
    addresses: EngineAddresses,
    sink: FactSink,
    clock: Clock,
) -> AsyncIterator[Workers]:
    """Run the Python workers against a gateway."""
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
    )
    channel: grpc.aio.Channel = addresses.channel or open_channel(addresses.gateway, addresses.token)
    pool = Workers(channel=channel, deps=deps, clock=clock, registry=REGISTRY)
    try:
        async with running(pool.run()):
            yield pool
    finally:
        await pool.close()
        await channel.close()
        await client.close()
        ledger.close()


class PagesServer(uvicorn.Server):
    """uvicorn that tells the hub to end its streams as soon as a signal arrives.

    Without it the server waits for streams that never end by themselves, and the lifespan's
    teardown is not even called.
    """

    def __init__(
        self, config: uvicorn.Config, on_exit: Callable[[], None], on_started: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_exit = on_exit
        self._on_started = on_started
        self._loop = asyncio.get_running_loop()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the port, then tell."""
        await super().startup(sockets)
        if self.started:
            self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Listen for the signals that mean stop, and leave it at that.

        uvicorn's own version raises the signal once more when it is done, which would end the
        process before log, ledger and engine are closed.
        """
        for sig in (signal.SIGINT, signal.SIGTERM):
            self._loop.add_signal_handler(sig, self.handle_exit, sig, None)
        try:
            yield
        finally:
            for sig in (signal.SIGINT, signal.SIGTERM):
                self._loop.remove_signal_handler(sig)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """End the streams, then stop as usual."""
        self._on_exit()
        super().handle_exit(sig, frame)


async def serve(settings: Settings, services: Services, ready: Callable[[str], None]) -> None:
    """Serve BFF and pages until a signal; `ready(address)` is called once the port is open."""
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

    sock = bind(settings.host, settings.port)
    host, port = sock.getsockname()[:2]
    await PagesServer(config, end_streams, lambda: ready(f"http://{host}:{port}")).serve(sockets=[sock])


class EngineNotStarted(AurumError):
    """The embedded engine could not open its port or its log; the message says what to do."""


class PortBusy(AurumError):
    """Another program has the port."""


def bind(host: str, port: int) -> socket.socket:
    """Return a bound socket. Raises `PortBusy` with what to do about it."""
    import socket

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named, because asyncio turns Nagle's delay (40 ms an answer) off only for sockets that say TCP.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise PortBusy(
            f"port {port} on {host} is taken; stop the other program, or choose another port with "
            f"--port or AURUM_PORT (0 takes any free one)"
        ) from error
    return sock


async def up(settings: Settings, ready: Callable[[str], None]) -> None:
    """Run engine, workers, feed, BFF and pages in this process until a signal."""
    secrets = installation.load_or_create(settings.data_dir)
    clock = SystemClock()
    pool: list[Workers] = []

    def silence() -> float | None:
        return pool[0].seconds_since_poll() if pool else None

    async with contextlib.AsyncExitStack() as stack:
        addresses = await stack.enter_async_context(engine(settings, secrets))
        services = await stack.enter_async_context(backend(settings, secrets, addresses, clock, silence))
        pool.append(
            await stack.enter_async_context(workers(settings, secrets, addresses, services.poller, clock))
        )
        await serve(settings, services, ready)


def remote(settings: Settings, secrets: InstallationSecrets) -> EngineAddresses:
    """Return the addresses of an engine in another process."""
    return EngineAddresses(settings.zeebe_address, settings.camunda_rest_address, secrets.service_token)


async def run_bff(settings: Settings, ready: Callable[[str], None]) -> None:
    """Run feed, BFF and pages against an engine elsewhere until a signal."""
    secrets = installation.load_or_create(settings.data_dir)
    async with backend(settings, secrets, remote(settings, secrets), SystemClock(), lambda: None) as services:
        await serve(settings, services, ready)


async def run_workers(settings: Settings, ready: Callable[[str], None]) -> None:
    """Run the Python workers against an engine elsewhere until cancelled."""
    secrets = installation.load_or_create(settings.data_dir)
    addresses = remote(settings, secrets)
    headers = {"Authorization": f"Bearer {secrets.service_token}"}
    async with (
        httpx.AsyncClient(base_url=settings.bff_address, headers=headers, timeout=5.0) as http,
        workers(settings, secrets, addresses, RemoteSink(http), SystemClock()),
    ):
        ready(addresses.gateway)
        await asyncio.Event().wait()
