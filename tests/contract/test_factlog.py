"""One contract over every fact log."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aurum.factlog.memory import MemoryFactLog
from aurum.factlog.port import FactLog
from aurum.factlog.sqlite import LogInUse, SqliteFactLog
from aurum.facts.vocabulary import ElementStarted, Fact, InstanceStarted
from aurum.keys import CaseId

CASE = CaseId("case-1")
STARTED = InstanceStarted("100", "wealth-onboarding", 1, "sarah", 5)


def element(key: int) -> Fact:
    return ElementStarted(str(key), f"task_{key}", "SERVICE_TASK", 5 + key)


@pytest.fixture(params=["memory", "sqlite"])
async def log(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[FactLog]:
    opened: FactLog = (
        MemoryFactLog() if request.param == "memory" else SqliteFactLog.open(tmp_path / "facts.sqlite")
    )
    yield opened
    await opened.close()


async def test_indexes_are_dense_from_one_in_append_order(log: FactLog) -> None:
    first = await log.append(CASE, [STARTED, element(1)], now_ms=10)
    second = await log.append(CASE, [element(2)], now_ms=11)

    assert [entry.index for entry in first + second] == [1, 2, 3]
    assert await log.read_after(CASE, 0) == first + second
    assert await log.read_after(CASE, 2) == second


async def test_a_fact_that_is_already_there_is_skipped_without_a_hole(log: FactLog) -> None:
    await log.append(CASE, [STARTED, element(1)], now_ms=10)

    again = await log.append(CASE, [element(1), STARTED, element(2), element(2)], now_ms=11)

    assert [(entry.index, entry.fact.fact_id) for entry in again] == [(3, "el:2:ACTIVE")]


async def test_cases_do_not_mix(log: FactLog) -> None:
    other = CaseId("case-2")
    await log.append(CASE, [STARTED], now_ms=10)
    await log.append(other, [STARTED, element(9)], now_ms=10)

    assert set(await log.cases()) == {CASE, other}
    assert len(await log.read_after(other, 0)) == 2
    assert await log.read_after(CaseId("absent"), 0) == []


async def test_a_reopened_file_has_the_same_facts_and_incarnation(tmp_path: Path) -> None:
    log = SqliteFactLog.open(tmp_path / "facts.sqlite")
    written = await log.append(CASE, [STARTED, element(1)], now_ms=10)
    incarnation = log.incarnation
    await log.close()

    again = SqliteFactLog.open(tmp_path / "facts.sqlite")

    assert await again.read_after(CASE, 0) == written
    assert again.incarnation == incarnation
    await again.close()


async def test_a_new_file_is_another_incarnation(tmp_path: Path) -> None:
    one, two = SqliteFactLog.open(tmp_path / "a.sqlite"), SqliteFactLog.open(tmp_path / "b.sqlite")

    assert one.incarnation != two.incarnation
    await one.close()
    await two.close()


async def test_a_second_opener_is_refused_and_told_why(tmp_path: Path) -> None:
    log = SqliteFactLog.open(tmp_path / "facts.sqlite")

    with pytest.raises(LogInUse, match="open in another process"):
        SqliteFactLog.open(tmp_path / "facts.sqlite")
    await log.close()


async def test_a_log_may_be_closed_while_cancelled_reads_are_still_under_way(tmp_path: Path) -> None:
    log = SqliteFactLog.open(tmp_path / "facts.sqlite")
    await log.append(CASE, [STARTED, *(element(key) for key in range(2_000))], now_ms=10)
    reads = [asyncio.ensure_future(log.read_after(CASE, 0)) for _ in range(8)]
    await asyncio.sleep(0)
    for read in reads:
        read.cancel()

    await log.close()

    assert all(read.done() for read in reads)
