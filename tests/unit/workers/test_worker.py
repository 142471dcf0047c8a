"""The worker loop against a misbehaving gateway: what pyzeebe alone gets wrong, each shown mended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import grpc
import pytest
from tests.unit.workers.fake_gateway import FakeGateway, serving

from aurum.clock import SystemClock
from aurum.errors import BpmnError, IntegrityBroken, ProviderUnavailable
from aurum.facts.vocabulary import Fact, ResultRecorded
from aurum_workers.jobspec import JobSpec
from aurum_workers.ledger import Ledger
from aurum_workers.ports import JobInput, WorkerDeps
from aurum_workers.rates import bundled_rates
from aurum_workers.worker import Tuning, Workers

bundled_rates()  # Read once, while collecting, not inside the first test that needs it.

QUICK = Tuning(
    long_poll_ms=1_000,
    silent_seconds_max=0.6,
    error_pause_seconds=0.02,
    error_pause_seconds_max=0.05,
    restart_pause_seconds=0.02,
    command_seconds_max=0.5,
    drain_seconds=0.5,
)
Work = Callable[[JobInput], Awaitable[dict[str, Any]]]


@dataclass
class Told:
    """A sink that remembers and lets a test wait."""

    hints: list[str] = field(default_factory=list)
    offers: list[tuple[str, list[Fact]]] = field(default_factory=list)
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    broken: bool = False

    async def hint(self, process_instance_key: str) -> None:
        self.hints.append(process_instance_key)
        self.heard.set()

    async def offer(self, process_instance_key: str, facts: Sequence[Fact]) -> None:
        self.offers.append((process_instance_key, list(facts)))
        self.heard.set()
        if self.broken:
            raise OSError("the feed is away")


@dataclass
class Bench:
    """A gateway, a worker on it, and what it told the feed."""

    gateway: FakeGateway
    workers: Workers
    told: Told


class Refused(BpmnError):
    error_code = "REFUSED"


async def no_task(_: str) -> None:
    return None


@asynccontextmanager
async def bench(
    work: Work, *, tuning: Tuning = QUICK, types: int = 1, pace_seconds: float = 0.0
) -> AsyncIterator[Bench]:
    gateway = FakeGateway()
    told = Told()

    async def handler(job: JobInput, _: WorkerDeps) -> dict[str, Any]:
        return await work(job)

    ledger = Ledger(":memory:")
    deps = WorkerDeps(b"s" * 32, ledger, SystemClock(), no_task, told, pace_seconds)
    registry = tuple(
        JobSpec(f"some_work_{n}", f"some-work-{n}", handler, ("a",), ("result",), timeout_ms=3_000)
        for n in range(types)
    )
    async with serving(gateway) as port, grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        workers = Workers(channel=channel, deps=deps, clock=SystemClock(), registry=registry, tuning=tuning)
        running = asyncio.create_task(workers.run())
        try:
            yield Bench(gateway, workers, told)
        finally:
            running.cancel()
            await asyncio.wait({running})
            await workers.close()
            ledger.close()


async def echo(job: JobInput) -> dict[str, Any]:
    return {"result": job.variables.get("a")}


async def test_only_the_declared_variables_are_read_and_only_the_result_is_written() -> None:
    seen: list[JobInput] = []

    async def work(job: JobInput) -> dict[str, Any]:
        seen.append(job)
        return {"result": 1}

    async with bench(work) as b:
        await b.gateway.offer("some-work-0", 5, {"a": 1, "secret": 2})
        commands = await b.gateway.until(1)

        assert commands == [("complete", 5, {"result": 1})]
        assert dict(seen[0].variables) == {"a": 1}
        assert list(b.gateway.requests[0].fetchVariable) == ["a"]


async def test_an_acknowledged_completion_hands_over_the_fact_that_the_poller_would_build() -> None:
    async with bench(echo) as b:
        await b.gateway.offer("some-work-0", 5, {"a": 1})
        await b.told.heard.wait()

        fact = ResultRecorded("8", "some_work_0", {"result": 1})
        assert b.told.offers == [("77", [fact])]


async def test_a_job_that_somebody_else_ended_is_only_a_hint() -> None:
    """Our result is not the recorded one, so it is no fact."""
    async with bench(echo) as b:
        b.gateway.command_errors.append(grpc.StatusCode.NOT_FOUND)
        await b.gateway.offer("some-work-0", 5, {"a": 1})
        await b.told.heard.wait()

        assert (b.told.hints, b.told.offers) == (["77"], [])


async def test_a_failed_job_is_only_a_hint() -> None:
    async def work(_: JobInput) -> dict[str, Any]:
        raise Refused("no")

    async with bench(work) as b:
        await b.gateway.offer("some-work-0", 5)
        await b.told.heard.wait()

        assert (b.told.hints, b.told.offers) == (["77"], [])


async def test_a_feed_that_is_away_does_not_stop_the_work() -> None:
    async with bench(echo) as b:
        b.told.broken = True
        await b.gateway.offer("some-work-0", 5)
        await b.gateway.until(1)
        await b.gateway.offer("some-work-0", 6)

        assert [key for _, key, _ in await b.gateway.until(2)] == [5, 6]


async def test_a_pace_makes_a_job_take_its_time() -> None:
    async with bench(echo, pace_seconds=0.05) as b:
        loop = asyncio.get_running_loop()
        started = loop.time()
        await b.gateway.offer("some-work-0", 5)
        await b.gateway.until(1)

        assert loop.time() - started >= 0.05


@pytest.mark.slow
async def test_connection_errors_never_use_up_a_budget() -> None:
    """E1, bug 20: twenty-five failures over the worker's life. Waits out 25 short pauses."""
    async with bench(echo, types=2) as b:
        for key in range(1, 26):
            b.gateway.poll_errors.append(grpc.StatusCode.UNAVAILABLE)
            await b.gateway.offer("some-work-0", key)
            await b.gateway.until(key)

        assert [key for _, key, _ in b.gateway.commands] == list(range(1, 26))
        assert b.workers.restarts == 0


@pytest.mark.parametrize(
    "status",
    [
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
    ],
    ids=lambda status: status.name.lower(),
)
@pytest.mark.slow
async def test_no_status_ends_the_worker_for_good(status: grpc.StatusCode) -> None:
    """E6: one expired secret must not end every poller. Waits out five pauses."""
    async with bench(echo) as b:
        b.gateway.poll_errors.extend([status] * 5)
        await b.gateway.offer("some-work-0", 9)

        assert await b.gateway.until(1) == [("complete", 9, {"result": None})]


async def test_values_that_json_does_not_know_become_text() -> None:
    """E3: a Decimal must not leave the job to run again for ever."""

    async def work(_: JobInput) -> dict[str, Any]:
        return {
            "result": {
                "amount": Decimal("1.10"),
                "at": datetime(2026, 11, 30, tzinfo=UTC),
                "day": date(2026, 11, 30),
                "id": UUID(int=1),
                "several": (1, 2),
            }
        }

    async with bench(work) as b:
        await b.gateway.offer("some-work-0", 5)
        ((_, _, variables),) = await b.gateway.until(1)

        assert variables["result"] == {
            "amount": "1.10",
            "at": "2026-11-30T00:00:00+00:00",
            "day": "2026-11-30",
            "id": "00000000-0000-0000-0000-000000000001",
            "several": [1, 2],
        }


@pytest.mark.parametrize(
    "result",
    [
        {"result": object()},
        {"result": float("nan")},
        {"result": 2**70},
        {"result": "x" * 70_000},
        {},
        {"a": 1, "result": 1},
    ],
    ids=["object", "not a number", "huge integer", "huge text", "nothing", "more than declared"],
)
async def test_an_unfit_result_fails_the_job_with_one_retry_less(result: dict[str, Any]) -> None:
    """E3 again: what cannot be written is a failure of the job, not of the loop."""

    async def work(_: JobInput) -> dict[str, Any]:
        return result

    async with bench(work) as b:
        await b.gateway.offer("some-work-0", 5, retries=3)
        ((kind, _, what),) = await b.gateway.until(1)

        assert (kind, what["retries"], what["backoff"]) == ("fail", 2, 1_000)
        assert what["message"] == "ResultUnfit in the worker"


@pytest.mark.parametrize("status", [grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION])
async def test_a_completion_of_a_job_that_is_gone_counts_as_done(status: grpc.StatusCode) -> None:
    """E5, bug 23: nothing is repeated and the worker goes on."""
    async with bench(echo) as b:
        b.gateway.command_errors.append(status)
        await b.gateway.offer("some-work-0", 5)
        await b.gateway.until(1)
        await b.gateway.offer("some-work-0", 6)
        commands = await b.gateway.until(2)

        assert [(kind, key) for kind, key, _ in commands] == [(f"complete!{status.name}", 5), ("complete", 6)]


@pytest.mark.parametrize(
    "status",
    [
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNAUTHENTICATED,
    ],
    ids=lambda status: status.name.lower(),
)
async def test_a_refused_completion_is_repeated_and_the_work_is_not(status: grpc.StatusCode) -> None:
    """E7: the work is done once, however often the answer is lost."""
    done: list[str] = []

    async def work(job: JobInput) -> dict[str, Any]:
        done.append(job.key)
        return {"result": 1}

    async with bench(work) as b:
        b.gateway.command_errors.extend([status] * 3)
        await b.gateway.offer("some-work-0", 5)
        commands = await b.gateway.until(4)

        assert [kind for kind, _, _ in commands] == [f"complete!{status.name}"] * 3 + ["complete"]
        assert done == ["5"]


@pytest.mark.slow
async def test_the_same_job_delivered_twice_runs_once_and_is_completed_once() -> None:
    """E9. Waits for three more empty polls to see that nothing follows."""
    started = asyncio.Event()
    release = asyncio.Event()
    runs = 0

    async def work(_: JobInput) -> dict[str, Any]:
        nonlocal runs
        runs += 1
        started.set()
        await release.wait()
        return {"result": runs}

    async with bench(work) as b:
        await b.gateway.offer("some-work-0", 5)
        await started.wait()
        await b.gateway.offer("some-work-0", 5)
        await b.gateway.until_polls(b.gateway.polls + 1)
        release.set()
        await b.gateway.until(1)
        await b.gateway.until_polls(b.gateway.polls + 3)

        assert b.gateway.commands == [("complete", 5, {"result": 1})]


@pytest.mark.parametrize(
    ("error", "kind", "expected"),
    [
        (
            Refused("no", variables={"refusal": {"code": "X"}}),
            "throw",
            {"code": "REFUSED", "variables": {"refusal": {"code": "X"}}},
        ),
        (
            ProviderUnavailable("busy", retry_after_ms=7_000),
            "fail",
            {"retries": 2, "backoff": 7_000, "message": "busy"},
        ),
        (IntegrityBroken("forged"), "fail", {"retries": 0, "backoff": 0, "message": "integrity: forged"}),
        (
            KeyError("Sarah Chen"),
            "fail",
            {"retries": 2, "backoff": 1_000, "message": "KeyError in the worker"},
        ),
    ],
    ids=["bpmn error", "provider", "integrity", "bug"],
)
async def test_each_kind_of_error_is_one_command(
    error: Exception, kind: str, expected: dict[str, Any]
) -> None:
    async def work(_: JobInput) -> dict[str, Any]:
        raise error

    async with bench(work) as b:
        await b.gateway.offer("some-work-0", 5, retries=3)

        assert await b.gateway.until(1) == [(kind, 5, expected)]


async def test_the_log_of_a_bug_names_the_place_and_not_the_data(caplog: pytest.LogCaptureFixture) -> None:
    async def work(_: JobInput) -> dict[str, Any]:
        raise ValueError("Sarah Chen 111-22-3333")

    async with bench(work) as b:
        await b.gateway.offer("some-work-0", 5)
        await b.gateway.until(1)

    assert "job failed" in caplog.text
    assert "Traceback" in caplog.text
    assert "Sarah" not in caplog.text.replace('raise ValueError("Sarah Chen 111-22-3333")', "")


@pytest.mark.slow
async def test_a_silent_gateway_makes_health_red_and_the_poller_is_replaced() -> None:
    """Bug 20. Waits out the silence limit of 0.6 s twice."""
    async with bench(echo) as b:
        await b.gateway.until_polls(2)
        b.gateway.frozen = True
        await b.gateway.until_requests(len(b.gateway.requests) + 2)
        b.gateway.frozen = False
        await b.gateway.offer("some-work-0", 5)

        assert await b.gateway.until(1) == [("complete", 5, {"result": None})]
        assert b.workers.restarts >= 1


@pytest.mark.slow
async def test_a_restarted_gateway_gets_its_jobs_done() -> None:
    """Bug 20. A new server on the same port; the channel needs a moment to reconnect."""
    ledger = Ledger(":memory:")
    deps = WorkerDeps(b"s" * 32, ledger, SystemClock(), no_task)

    async def handler(job: JobInput, _: WorkerDeps) -> dict[str, Any]:
        return await echo(job)

    registry = (JobSpec("some_work", "some-work", handler, ("a",), ("result",)),)
    options = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 200)]
    first, second = FakeGateway(), FakeGateway()
    async with serving(first) as port:
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=options)
        patient = replace(QUICK, silent_seconds_max=30.0)
        workers = Workers(channel=channel, deps=deps, clock=SystemClock(), registry=registry, tuning=patient)
        running = asyncio.create_task(workers.run())
        await first.offer("some-work", 1)
        await first.until(1)
    async with serving(second, port):
        await second.offer("some-work", 2)
        commands = await second.until(1)
        if commands[0][1] == 1:  # The first gateway went before its answer arrived, so it is told again.
            commands = await second.until(2)
        running.cancel()
        await asyncio.wait({running})
        await workers.close()
        await channel.close()
    ledger.close()

    assert commands[-1] == ("complete", 2, {"result": None})


async def test_closing_waits_for_work_under_way() -> None:
    started, release = asyncio.Event(), asyncio.Event()

    async def work(_: JobInput) -> dict[str, Any]:
        started.set()
        await release.wait()
        return {"result": "finished"}

    async with bench(work) as b:
        await b.gateway.offer("some-work-0", 5)
        await started.wait()
        closing = asyncio.create_task(b.workers.close())
        release.set()
        await closing

        assert b.gateway.commands == [("complete", 5, {"result": "finished"})]
