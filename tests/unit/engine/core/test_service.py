"""The shell: durability, waiting, time, and what happens when something breaks."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from tests.conformance.scenarios.builder import build

from aurum_engine.clock import ManualClock, SystemClock
from aurum_engine.core import commands as c
from aurum_engine.errors import EngineStopped, LogCorrupt, LogLocked, Rejection, RejectionType
from aurum_engine.log.memory import MemoryLog
from aurum_engine.log.record import Record
from aurum_engine.log.sqlite import SqliteLog
from aurum_engine.service import EngineService

WORK = build(
    {"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "serviceTask", "job": "work"}}}
)


@pytest.fixture
async def service() -> AsyncIterator[EngineService]:
    opened = await EngineService.open(None, clock=ManualClock(1_000))
    await opened.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
    yield opened
    await opened.close()


async def create(service: EngineService) -> int:
    reply = await service.submit(c.CreateProcessInstance("p", variables={"x": 1}))
    assert isinstance(reply, c.CreatedReply)
    return reply.process_instance_key


async def lease(service: EngineService, *, timeout_ms: int = 1_000) -> list[int]:
    reply = await service.submit(c.ActivateJobs("work", "w", timeout_ms, 10))
    assert isinstance(reply, c.JobsReply)
    return [job.job.key for job in reply.jobs]


async def test_state_survives_a_restart(tmp_path: Path) -> None:
    first = await EngineService.open(tmp_path / "e.db", clock=ManualClock(1_000))
    await first.submit(c.DeployResources((c.Resource("p.bpmn", WORK),)))
    key = await create(first)
    before = first.view()
    await first.close()

    second = await EngineService.open(tmp_path / "e.db", clock=ManualClock(2_000))

    assert second.view() == before
    (job,) = await lease(second)
    await second.submit(c.CompleteJob(job))
    result = await second.instance_completed(key, 1)
    assert result is not None
    assert result.variables == {"x": 1}
    await second.close()


async def test_a_second_service_on_the_same_log_is_refused(tmp_path: Path) -> None:
    first = await EngineService.open(tmp_path / "e.db", clock=SystemClock())

    with pytest.raises(LogLocked):
        await EngineService.open(tmp_path / "e.db", clock=SystemClock())

    await first.close()


async def test_a_record_that_cannot_be_read_keeps_the_engine_from_opening(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "e.db")
    log.append([Record(1, 5, b'[["SomethingFromTheFuture",1,5]]')])
    log.close()

    with pytest.raises(LogCorrupt, match="record 1 cannot be read"):
        await EngineService.open(tmp_path / "e.db", clock=SystemClock())


async def test_a_long_poll_wakes_for_a_new_job_and_ends_without_one(service: EngineService) -> None:
    waiting = asyncio.create_task(service.jobs_available("work", 5))
    await asyncio.sleep(0)

    await create(service)

    assert await waiting
    await lease(service)
    assert not await service.jobs_available("work", 0)
    assert not await service.jobs_available("work", 0.01)


async def test_a_long_poll_wakes_when_a_lease_or_a_back_off_ends(service: EngineService) -> None:
    await create(service)
    (job,) = await lease(service, timeout_ms=500)
    after_lease = asyncio.create_task(service.jobs_available("work", 5))
    await service.advance_to(1_500)
    assert await after_lease

    (job,) = await lease(service)
    await service.submit(c.FailJob(job, 1, "later", 500))
    after_back_off = asyncio.create_task(service.jobs_available("work", 5))
    await service.advance_to(2_000)

    assert await after_back_off


async def test_waiting_for_a_result_ends_with_the_instance_or_the_time(service: EngineService) -> None:
    key = await create(service)
    assert await service.instance_completed(key, 0.01) is None
    waiting = asyncio.create_task(service.instance_completed(key, 5))
    (job,) = await lease(service)

    await service.submit(c.CompleteJob(job, {"y": 2}))

    result = await waiting
    assert result is not None
    assert (result.state, result.variables) == ("COMPLETED", {"x": 1, "y": 2})
    with pytest.raises(Rejection):
        await service.instance_completed(1, 0.01)


async def test_a_closed_engine_says_so_to_callers_and_waiters() -> None:
    service = await EngineService.open(None, clock=ManualClock(0))
    waiting = asyncio.create_task(service.jobs_available("work", 60))
    await asyncio.sleep(0)

    await service.close()
    await service.close()

    with pytest.raises(EngineStopped):
        await waiting
    with pytest.raises(EngineStopped):
        await service.submit(c.Tick())


async def test_the_system_clock_fires_timers_by_itself() -> None:
    nap = {"nap": {"type": "intermediateCatchEvent", "timeDuration": "PT0.05S"}}
    source = build({"id": "p", "flow": "start -> nap -> end", "elements": nap})
    service = await EngineService.open(None, clock=SystemClock())
    await service.submit(c.DeployResources((c.Resource("p.bpmn", source),)))

    result = await service.instance_completed(await create(service), 5)

    assert result is not None
    await service.close()


async def test_what_was_read_can_be_made_durable_before_it_leaves() -> None:
    class SlowDisk(MemoryLog):
        def __init__(self) -> None:
            super().__init__()
            self.may_write = threading.Event()

        def append(self, batch: Sequence[Record]) -> None:
            assert self.may_write.wait(10)
            super().append(batch)

    log = SlowDisk()
    service = EngineService(log, ManualClock(0), business_id_unique=True)
    await service.start()
    submitted = asyncio.create_task(service.submit(c.DeployResources((c.Resource("p.bpmn", WORK),))))
    for _ in range(10):
        await asyncio.sleep(0)

    durable = asyncio.create_task(service.committed())
    await asyncio.sleep(0.01)

    assert service.view().latest_process("p") is not None
    assert not durable.done()
    assert not submitted.done()
    log.may_write.set()
    await durable
    assert isinstance(await submitted, c.DeploymentReply)
    await service.close()


async def test_commands_are_carried_out_in_the_order_they_were_submitted(service: EngineService) -> None:
    replies = await asyncio.gather(*(service.submit(c.CreateProcessInstance("p")) for _ in range(600)))

    keys = [reply.process_instance_key for reply in replies if isinstance(reply, c.CreatedReply)]
    assert keys == sorted(keys)
    assert len(keys) == 600


async def test_a_loop_without_wait_state_is_an_incident_and_not_the_end_of_the_engine(
    service: EngineService,
) -> None:
    gates = {"a": {"type": "exclusiveGateway"}, "b": {"type": "task"}}
    loop = build({"id": "loop", "flow": "start -> a -> b -> a", "elements": gates})
    await service.submit(c.DeployResources((c.Resource("loop.bpmn", loop),)))

    reply = await service.submit(c.CreateProcessInstance("loop"))

    assert isinstance(reply, c.CreatedReply)
    (incident_key,) = service.view().active_incidents[reply.process_instance_key]
    assert "loop without a wait state" in service.view().incidents[incident_key].message
    await service.submit(c.CancelProcessInstance(reply.process_instance_key))
    await create(service)


async def test_a_variable_above_the_limit_is_refused(service: EngineService) -> None:
    with pytest.raises(Rejection) as refused:
        await service.submit(c.CreateProcessInstance("p", variables={"big": "x" * 70_000}))

    assert refused.value.rejection_type is RejectionType.INVALID_ARGUMENT
    assert "'big'" in refused.value.reason


async def test_something_due_that_cannot_be_carried_out_stops_the_engine_with_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    nap = {"nap": {"type": "intermediateCatchEvent", "timeDuration": "PT0.01S"}}
    source = build({"id": "p", "flow": "start -> nap -> end", "elements": nap})
    service = await EngineService.open(None, clock=SystemClock())
    await service.submit(c.DeployResources((c.Resource("p.bpmn", source),)))
    key = await create(service)
    monkeypatch.setattr("aurum_engine.core.ticks.trigger", broken)

    with pytest.raises(EngineStopped, match="cannot be carried out"):
        await service.instance_completed(key, 5)
    await service.close()


async def test_a_bug_in_one_command_refuses_it_and_keeps_the_state(
    service: EngineService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    key = await create(service)
    (job,) = await lease(service)
    before = service.view()
    monkeypatch.setattr("aurum_engine.core.lifecycle.close_subscriptions", broken)

    with pytest.raises(Rejection) as refused:
        await service.submit(c.CompleteJob(job, {"y": 2}))

    monkeypatch.undo()
    assert refused.value.rejection_type is RejectionType.PROCESSING_ERROR
    assert service.view().jobs[job].is_live
    assert service.view().process_instances.keys() == before.process_instances.keys()
    await service.submit(c.CompleteJob(job, {"y": 2}))
    assert (await service.instance_completed(key, 1)) is not None
