"""The log as a file: logs of every release replay, damage keeps to itself, snapshots shorten a start."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.conformance.scenarios.builder import build
from tests.golden.make_engine_log import seen_by
from typer.testing import CliRunner

from aurum_engine.cli import app
from aurum_engine.clock import ManualClock
from aurum_engine.core import commands as c
from aurum_engine.errors import LogCorrupt, Rejection, RejectionType
from aurum_engine.log.sqlite import SqliteLog
from aurum_engine.server import LOG_FILE
from aurum_engine.service import EngineService
from aurum_engine.snapshotting import SnapshotPlan

GOLDEN = Path(__file__).parents[1] / "golden" / "data"
WAITING = {"work": {"type": "serviceTask", "job": "work"}, "nap": {"type": "intermediateCatchEvent"}}
WAITING["nap"]["timeDuration"] = "PT1M"
MODEL = build({"id": "p", "flow": "start -> nap -> work -> end", "elements": WAITING})


@asynccontextmanager
async def engine(path: Path, plan: SnapshotPlan | None = None) -> AsyncIterator[EngineService]:
    service = EngineService(SqliteLog(path), ManualClock(1_000), business_id_unique=True, plan=plan)
    await service.start()
    try:
        yield service
    finally:
        await service.close()


async def create(service: EngineService, count: int) -> list[int]:
    await service.submit(c.DeployResources((c.Resource("p.bpmn", MODEL),)))
    keys = []
    for number in range(count):
        reply = await service.submit(c.CreateProcessInstance("p", business_id=f"b{number}"))
        assert isinstance(reply, c.CreatedReply)
        keys.append(reply.process_instance_key)
    return keys


def edit(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as db:
        for statement in statements:
            db.execute(statement)
    db.close()


@pytest.mark.parametrize("release", ["engine-log-v1"])
async def test_the_log_of_a_release_means_the_same_for_ever(tmp_path: Path, release: str) -> None:
    shutil.copy(GOLDEN / f"{release}.sqlite", tmp_path / "e.db")
    meaning = json.loads((GOLDEN / f"{release}.json").read_text("utf-8"))

    async with engine(tmp_path / "e.db") as first:
        lifted = seen_by(first.view())
    async with engine(tmp_path / "e.db") as second:
        again = seen_by(second.view())

    assert json.loads(json.dumps(lifted)) == meaning
    assert again == lifted


async def test_damage_is_refused_by_name_and_everyone_else_works_on(tmp_path: Path) -> None:
    async with engine(tmp_path / "e.db") as before:
        keys = await create(before, 3)
    edit(tmp_path / "e.db", "UPDATE records SET payload = zeroblob(length(payload)) WHERE position = 3")

    async with engine(tmp_path / "e.db") as service:
        with pytest.raises(Rejection) as refused:
            await service.submit(c.CancelProcessInstance(keys[1]))
        await service.advance_to(61_000)
        reply = await service.submit(c.ActivateJobs("work", "w", 1_000, 10))
        assert isinstance(reply, c.JobsReply)
        shown = service.view().process_instances[keys[1]]
        (incident,) = service.view().active_incidents[keys[1]]
        reason = service.view().incidents[incident].message

    assert refused.value.rejection_type is RejectionType.INVALID_STATE
    assert f"'{keys[1]}' is quarantined: record 3" in refused.value.reason
    assert [job.job.process_instance_key for job in reply.jobs] == [keys[0], keys[2]]
    assert (shown.business_id, shown.state) == ("b1", "ACTIVE")
    assert reason.startswith("quarantined: record 3 of the engine log is damaged")


async def test_a_payload_changed_together_with_its_checksum_is_found_by_the_chain(tmp_path: Path) -> None:
    async with engine(tmp_path / "e.db") as before:
        keys = await create(before, 2)
        await before.submit(c.SetVariables(keys[0], {"amount": 1}))
    log = SqliteLog(tmp_path / "e.db")
    (record,) = log.read_from(4)
    log.close()
    forged = type(record)(4, record.at_ms, record.payload.replace(b'"amount",1', b'"amount",9'))
    assert forged.payload != record.payload
    edit(
        tmp_path / "e.db",
        f"UPDATE records SET payload = x'{forged.payload.hex()}', checksum = {forged.checksum()}"
        " WHERE position = 4",
    )

    async with engine(tmp_path / "e.db") as service:
        assert set(service.view().quarantined) == {keys[0]}
        assert "amount" not in service.view().scopes.get(keys[0], {})


@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (["UPDATE records SET payload = x'00' WHERE position = 1"], "record 1 .* holds a deployment"),
        (["UPDATE records SET payload = x'00', links = x'00' WHERE position = 2"], "record 2 .* not known"),
        (["DELETE FROM records WHERE position = 2"], "record 2 is missing"),
    ],
    ids=["deployment", "unattributed", "missing"],
)
async def test_damage_that_concerns_everyone_stops_the_start(
    tmp_path: Path, statements: Sequence[str], message: str
) -> None:
    async with engine(tmp_path / "e.db") as before:
        await create(before, 2)
    edit(tmp_path / "e.db", *statements)

    with pytest.raises(LogCorrupt, match=message):
        await EngineService.open(tmp_path / "e.db", clock=ManualClock(0))


PLAN = SnapshotPlan(every_records=5, keep_records=1)


async def grown(path: Path) -> dict[str, object]:
    """Write a log with two snapshots and a shortened beginning; return what it means."""
    async with engine(path, PLAN) as service:
        await create(service, 20)
        await service.advance_to(61_000)
        for _ in range(10):
            await service.submit(c.CreateProcessInstance("p"))
        return seen_by(service.view())


def positions(path: Path) -> list[int]:
    with sqlite3.connect(path) as db:
        found = [position for (position,) in db.execute("SELECT position FROM snapshots ORDER BY position")]
    db.close()
    return found


async def test_a_start_begins_with_a_snapshot_and_the_log_may_be_shortened(tmp_path: Path) -> None:
    meaning = await grown(tmp_path / "e.db")

    async with engine(tmp_path / "e.db") as service:
        asleep = len(service.view().asleep)
        again = seen_by(service.view())

    assert len(positions(tmp_path / "e.db")) == 2
    assert asleep > 10
    assert again == meaning


async def test_a_damaged_snapshot_falls_back_to_the_older_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    meaning = await grown(tmp_path / "e.db")
    older, newer = positions(tmp_path / "e.db")
    edit(tmp_path / "e.db", f"UPDATE snapshot_chunks SET payload = x'00' WHERE position = {newer}")

    async with engine(tmp_path / "e.db") as service:
        again = seen_by(service.view())

    assert again == meaning
    assert f"the snapshot after record {newer} is passed over" in caplog.text
    edit(tmp_path / "e.db", f"UPDATE snapshots SET head = x'00' WHERE position = {older}")
    with pytest.raises(LogCorrupt, match="record 1 is missing"):
        await EngineService.open(tmp_path / "e.db", clock=ManualClock(0))


async def test_without_a_setting_every_record_is_kept(tmp_path: Path) -> None:
    async with engine(tmp_path / "e.db", SnapshotPlan(every_records=5)) as service:
        await create(service, 20)

    log = SqliteLog(tmp_path / "e.db")

    assert len(positions(tmp_path / "e.db")) == 2
    assert [record.position for record in log.read_from(1)] == list(range(1, 22))
    log.close()


# --- the command line ------------------------------------------------------------------------


def told(*arguments: str) -> tuple[int, str, str]:
    """Return exit code, output and errors of the engine's command line."""
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout, result.stderr


async def test_a_case_is_told_from_the_log_without_its_values(tmp_path: Path) -> None:
    async with engine(tmp_path / LOG_FILE) as service:
        keys = await create(service, 2)
        await service.submit(c.SetVariables(keys[0], {"passport": "X123"}))

    code, by_key, _ = told("log", str(keys[0]), "--data-dir", str(tmp_path))
    _, by_business_id, _ = told("log", "b0", "--data", str(tmp_path))
    _, with_values, _ = told("log", "b0", "--data", str(tmp_path), "--values")
    unknown = told("log", "b9", "--data", str(tmp_path))

    assert code == 0
    assert by_key == by_business_id
    assert [line.split()[:2] for line in by_key.splitlines()] == [
        ["2", "1970-01-01T00:00:01.000Z"],
        ["4", "1970-01-01T00:00:01.000Z"],
    ]
    assert "ElementActivated nap" in by_key
    assert "VariableCreated passport (6 bytes)" in by_key
    assert "X123" not in by_key
    assert 'VariableCreated passport ("X123")' in with_values
    assert unknown == (1, "", "error: the log knows no process instance 'b9'\n")


async def test_a_log_in_use_is_left_alone(tmp_path: Path) -> None:
    async with engine(tmp_path / LOG_FILE):
        answers = [told("verify", str(tmp_path)), told("log", "1", "--data", str(tmp_path))]

    assert {code for code, _, _ in answers} == {1}
    assert all("in use by another engine process" in error for _, _, error in answers)
    assert told("verify", str(tmp_path / "none"))[2].startswith("error: there is no engine log at")


async def test_verify_counts_what_is_whole_and_names_the_first_damage_of_each_instance(
    tmp_path: Path,
) -> None:
    await grown(tmp_path / LOG_FILE)
    whole = told("verify", str(tmp_path))
    newer = positions(tmp_path / LOG_FILE)[1]
    last = SqliteLog(tmp_path / LOG_FILE)
    position = last.last_position()
    last.close()
    edit(
        tmp_path / LOG_FILE,
        "UPDATE records SET payload = zeroblob(9) WHERE position = (SELECT max(position) FROM records)",
        f"UPDATE snapshots SET head = x'00' WHERE position = {newer}",
    )
    damaged = told("verify", str(tmp_path))

    assert whole[0] == 0
    assert "30 process instances, 2 snapshots: whole" in whole[1]
    assert damaged[0] == 1
    assert f"the snapshot after record {newer} is damaged: its head fails its checksum" in damaged[2]
    assert f": record {position} is damaged: it fails its checksum" in damaged[2]
