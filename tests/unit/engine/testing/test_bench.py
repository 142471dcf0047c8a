"""The bench for testing workers: it comes to rest, keeps time, and breaks what it is told to break.

No postponed annotations in here: pyzeebe compares parameter annotations with its `Job` class.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import httpx
import pytest
from pyzeebe import Job, ZeebeWorker
from pyzeebe.proto import gateway_pb2 as pb
from pyzeebe.proto.gateway_pb2_grpc import GatewayStub
from tests.conformance.scenarios.builder import build

from aurum_engine.testing import EngineBench, NotIdle, Refusal

pytest_plugins = ["aurum_engine.testing"]

PAGE = Path(__file__).parents[4] / "docs" / "testing-workers.md"
ORDER = build(
    {
        "id": "order",
        "flow": "start -> work -> end",
        "elements": {"work": {"type": "serviceTask", "job": "discount"}},
    }
)
LATER = build(
    {
        "id": "later",
        "flow": "start -> wait -> work -> end",
        "elements": {
            "wait": {"type": "intermediateCatchEvent", "timeDuration": "PT1H"},
            "work": {"type": "serviceTask", "job": "discount"},
        },
    }
)


def doing(bench: EngineBench, seen: list[int], **options: Any) -> ZeebeWorker:
    """Return a worker that notes the keys of the jobs it does."""
    worker = bench.worker(**options)

    @worker.task(task_type="discount")
    async def discount(job: Job) -> dict[str, bool]:
        seen.append(job.key)
        return {"done": True}

    return worker


@pytest.fixture
async def bench(engine_bench: EngineBench) -> EngineBench:
    await engine_bench.deploy(("order.bpmn", ORDER), ("later.bpmn", LATER))
    return engine_bench


async def test_the_example_of_the_page_runs_as_it_stands(
    engine_bench: EngineBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "order.bpmn").write_bytes(ORDER)
    monkeypatch.chdir(tmp_path)
    module: dict[str, Any] = {}

    exec(block, module)
    await module["test_a_large_order_gets_a_discount"](engine_bench)


@pytest.mark.deep  # Starts a Python of its own.
def test_the_example_of_the_page_is_a_whole_test_module(tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "order.bpmn").write_bytes(ORDER)
    (tmp_path / "test_order.py").write_text(block, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "--asyncio-mode=auto", "-p", "no:cacheprovider", "."]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)

    assert "1 passed" in done.stdout, done.stdout + done.stderr


async def test_idle_waits_for_all_the_work_and_for_none_that_nobody_does(bench: EngineBench) -> None:
    orders = [await bench.start("order") for _ in range(20)]
    await bench.idle()  # Nobody works yet, so nothing goes on.
    seen: list[int] = []

    async with bench.working(doing(bench, seen)):
        await bench.idle()

    assert [bench.state_of(order) for order in orders] == ["COMPLETED"] * 20
    assert (len(seen), bench.jobs_of("discount")) == (20, [])


async def test_idle_says_what_still_goes_on(bench: EngineBench) -> None:
    await bench.start("order")

    with pytest.raises(NotIdle, match="1 of type 'discount' wait for a worker"):
        await bench.idle(also=["discount"], timeout_seconds=0.02)


async def test_time_passes_when_it_is_told_to(bench: EngineBench) -> None:
    seen: list[int] = []
    async with bench.working(doing(bench, seen)):
        later = await bench.start("later")
        await bench.advance(minutes=59)
        waiting = bench.elements_of(later, state="ACTIVE")
        await bench.advance(minutes=1)

    assert waiting == ["later", "wait"]
    assert bench.elements_of(later) == ["later", "start", "wait", "work", "end"]


async def test_a_handler_that_fails_leaves_an_incident(bench: EngineBench) -> None:
    worker = bench.worker()

    @worker.task(task_type="discount")
    async def broken() -> None:
        raise ValueError("no discount today")

    async with bench.working(worker):
        order = await bench.start("order")
        await bench.idle()

    assert (bench.state_of(order), len(bench.incidents_of(order))) == ("ACTIVE", 1)
    assert "no discount today" in bench.incidents_of(order)[0]


async def test_a_job_that_comes_twice_runs_twice_and_counts_once(bench: EngineBench) -> None:
    bench.faults.deliver_twice()
    seen: list[int] = []
    order = await bench.start("order")

    async with bench.working(doing(bench, seen)):
        await bench.idle()

    assert (seen, bench.state_of(order), bench.faults.pending) == ([seen[0]] * 2, "COMPLETED", [])


async def test_a_lost_answer_means_that_the_job_is_done_all_the_same(bench: EngineBench) -> None:
    bench.faults.lose_answer("CompleteJob")
    seen: list[int] = []
    order = await bench.start("order")

    async with bench.working(doing(bench, seen)):
        await bench.idle()

    assert (len(seen), bench.state_of(order), bench.faults.pending) == (1, "COMPLETED", [])


async def test_another_worker_was_faster(bench: EngineBench) -> None:
    bench.faults.supersede({"by": "another"})
    order, client = await bench.start("order"), GatewayStub(bench.channel())
    poll = pb.ActivateJobsRequest(type="discount", worker="w", timeout=1_000, maxJobsToActivate=1)
    (job,) = [job async for answer in client.ActivateJobs(poll) for job in answer.jobs]

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await client.CompleteJob(pb.CompleteJobRequest(jobKey=job.key, variables='{"by": "me"}'))

    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    assert bench.variables_of(order) == {"by": "another"}


REFUSED = {
    Refusal.UNAUTHENTICATED: (grpc.StatusCode.UNAUTHENTICATED, 401),
    Refusal.RESOURCE_EXHAUSTED: (grpc.StatusCode.RESOURCE_EXHAUSTED, 503),
    Refusal.UNAVAILABLE: (grpc.StatusCode.UNAVAILABLE, 503),
}


@pytest.mark.parametrize("refusal", Refusal)
async def test_a_refusal_is_told_once_and_nothing_is_done(bench: EngineBench, refusal: Refusal) -> None:
    code, status = REFUSED[refusal]
    bench.faults.refuse("CreateProcessInstance", refusal, times=2)
    stub = GatewayStub(bench.channel())
    create = pb.CreateProcessInstanceRequest(bpmnProcessId="order", version=-1)

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.CreateProcessInstance(create)
    async with bench.http() as http:
        body = {"processDefinitionId": "order"}
        answers = [await http.post("/process-instances", json=body) for _ in range(2)]
    await stub.CreateProcessInstance(create)

    assert caught.value.code() is code
    assert [answer.status_code for answer in answers] == [status, 200]
    assert answers[0].json()["title"] == refusal.value
    assert len(bench.service.view().process_instances) == 2


async def test_a_worker_that_is_refused_by_name_ends_and_takes_its_block_along(bench: EngineBench) -> None:
    bench.faults.refuse("ActivateJobs", Refusal.UNAUTHENTICATED)

    async def run() -> None:
        async with bench.working(doing(bench, [])):
            await bench.start("order")
            await bench.idle()

    with pytest.raises(BaseExceptionGroup) as caught:
        await run()

    assert bench.faults.pending == []
    assert not caught.group_contains(NotIdle, depth=1)


async def test_rest_meets_the_same_faults(bench: EngineBench) -> None:
    order = await bench.start("order")
    bench.faults.deliver_twice()
    bench.faults.lose_answer("CompleteJob")
    async with bench.http() as http:
        poll = {"type": "discount", "timeout": 1_000, "maxJobsToActivate": 5}
        jobs = (await http.post("/jobs/activation", json=poll)).json()["jobs"]
        with pytest.raises(httpx.ReadError):
            await http.post(f"/jobs/{jobs[0]['jobKey']}/completion", json={})
        again = await http.post(f"/jobs/{jobs[0]['jobKey']}/completion", json={})

    assert [job["jobKey"] for job in jobs] == [jobs[0]["jobKey"]] * 2
    assert (again.status_code, bench.state_of(order)) == (404, "COMPLETED")


async def test_searches_are_late_by_the_lag() -> None:
    async with EngineBench(search_lag_ms=3_000) as bench, bench.http() as http:
        await bench.deploy(("order.bpmn", ORDER))
        await bench.start("order")
        await bench.advance(seconds=2)
        early = (await http.post("/process-instances/search", json={})).json()["items"]
        await bench.advance(seconds=1)
        late = (await http.post("/process-instances/search", json={})).json()["items"]

    assert (len(early), len(late)) == (0, 1)
