"""One contract for every log, and what only the SQLite log promises."""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.faulty_log import FaultyLog

from aurum_engine.errors import LogCorrupt, LogLocked
from aurum_engine.log.memory import MemoryLog
from aurum_engine.log.record import Log, Record
from aurum_engine.log.sqlite import SqliteLog


@pytest.fixture(params=["memory", "sqlite", "faulty"])
def make_log(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Log]:
    kinds: dict[str, Callable[[], Log]] = {
        "memory": MemoryLog,
        "sqlite": lambda: SqliteLog(tmp_path / "log.db"),
        "faulty": lambda: FaultyLog(SqliteLog(tmp_path / "log.db")),
    }
    return kinds[request.param]


def records(first: int, last: int) -> list[Record]:
    return [Record(position, position * 10, b"payload %d" % position) for position in range(first, last + 1)]


def test_a_new_log_is_empty(make_log: Callable[[], Log]) -> None:
    log = make_log()

    assert log.last_position() == 0
    assert list(log.read_from(1)) == []
    log.close()


def test_what_was_appended_is_read_in_order_from_any_position(make_log: Callable[[], Log]) -> None:
    log = make_log()

    log.append(records(1, 3))
    log.append(records(4, 5))
    log.checkpoint()

    assert list(log.read_from(1)) == records(1, 5)
    assert list(log.read_from(4)) == records(4, 5)
    assert list(log.read_from(6)) == []
    assert log.last_position() == 5
    log.close()


def test_a_gap_is_never_stored(make_log: Callable[[], Log]) -> None:
    log = make_log()
    log.append(records(1, 2))

    with pytest.raises(AssertionError):
        log.append(records(4, 4))

    assert log.last_position() == 2
    log.close()


def test_reopening_a_sound_log_changes_nothing(make_log: Callable[[], Log]) -> None:
    log = make_log()
    log.append(records(1, 3))

    log.reopen()
    log.append(records(4, 4))

    assert list(log.read_from(1)) == records(1, 4)
    log.close()


def test_sqlite_keeps_records_after_reopening(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    log.append(records(1, 3))
    log.close()

    again = SqliteLog(tmp_path / "log.db")

    assert list(again.read_from(1)) == records(1, 3)
    again.close()


def _try_open(path: Path, answers: multiprocessing.Queue[str]) -> None:
    try:
        SqliteLog(path)
    except LogLocked as error:
        answers.put(str(error))
    else:
        answers.put("opened")


@pytest.mark.slow  # starts a second interpreter, which is the point
def test_a_second_process_is_refused_with_a_clear_message(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")
    context = multiprocessing.get_context("spawn")
    answers: multiprocessing.Queue[str] = context.Queue()

    other = context.Process(target=_try_open, args=(tmp_path / "log.db", answers))
    other.start()
    answer = answers.get(timeout=30)
    other.join()

    assert "in use by another engine process" in answer
    log.close()


def test_a_second_log_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "log.db")

    with pytest.raises(LogLocked):
        SqliteLog(tmp_path / "log.db")

    log.close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE records SET payload = 'x' WHERE position = 2",
        "UPDATE records SET payload = x'78' WHERE position = 2",
        "UPDATE records SET at_ms = 1 WHERE position = 2",
    ],
)
def test_a_damaged_record_is_read_with_its_fault(tmp_path: Path, damage: str) -> None:
    found = read_after(tmp_path / "log.db", damage)

    assert [record.fault for record in found] == ["", "it fails its checksum", ""]
    assert [record.links for record in found] == [b"links"] * 3


def test_damaged_links_are_not_given_out(tmp_path: Path) -> None:
    found = read_after(tmp_path / "log.db", "UPDATE records SET links = x'78' WHERE position = 2")

    assert [record.fault for record in found] == [""] * 3
    assert [record.links for record in found] == [b"links", b"", b"links"]


@pytest.mark.parametrize("position", [1, 2])
def test_a_missing_record_is_found_while_reading(tmp_path: Path, position: int) -> None:
    with pytest.raises(LogCorrupt, match=f"record {position} is missing"):
        read_after(tmp_path / "log.db", f"DELETE FROM records WHERE position = {position}")


def read_after(path: Path, damage: str) -> list[Record]:
    """Return what is read from a log of three records after somebody did this to its file."""
    log = SqliteLog(path)
    log.append([replace(record, links=b"links") for record in records(1, 3)])
    log.close()
    with sqlite3.connect(path) as db:
        db.execute(damage)
    db.close()
    damaged = SqliteLog(path)
    try:
        return list(damaged.read_from(1))
    finally:
        damaged.close()


def snapshot(log: Log, position: int, *, keep_records: int | None = None) -> None:
    log.write_chunk(position, 0, b"first of %d" % position)
    log.write_chunk(position, 1, b"second")
    log.complete_snapshot(position, b"head", keep_records=keep_records)


def test_the_two_newest_snapshots_are_kept_and_unfinished_ones_do_not_count(
    make_log: Callable[[], Log],
) -> None:
    log = make_log()
    log.append(records(1, 9))

    for position in (2, 4, 6):
        snapshot(log, position)
    log.write_chunk(8, 0, b"unfinished")

    found = list(log.snapshots())
    assert [(one.position, one.chunks) for one in found] == [
        (6, (b"first of 6", b"second")),
        (4, (b"first of 4", b"second")),
    ]
    assert {(one.head, one.fault) for one in found} == {(b"head", "")}
    assert log.first_position() == 1
    log.close()


def test_records_are_forgotten_only_below_the_older_snapshot(make_log: Callable[[], Log]) -> None:
    log = make_log()
    log.append(records(1, 9))

    snapshot(log, 5, keep_records=1)
    after_one = log.first_position()
    snapshot(log, 8, keep_records=1)

    assert after_one == 1
    assert log.first_position() == 6
    assert list(log.read_from(6)) == records(6, 9)
    log.append(records(10, 10))
    snapshot(log, 10, keep_records=8)
    assert log.first_position() == 6
    log.close()


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("UPDATE snapshots SET head = x'00' WHERE position = 2", "its head fails its checksum"),
        ("UPDATE snapshot_chunks SET payload = x'00' WHERE number = 1", "its chunk 1 fails its checksum"),
        ("DELETE FROM snapshot_chunks WHERE number = 1", "its head fails its checksum"),
    ],
)
def test_a_damaged_snapshot_is_read_with_its_fault(tmp_path: Path, damage: str, fault: str) -> None:
    log = SqliteLog(tmp_path / "log.db")
    log.append(records(1, 3))
    snapshot(log, 2)
    log.close()
    with sqlite3.connect(tmp_path / "log.db") as db:
        db.execute(damage)
    db.close()

    damaged = SqliteLog(tmp_path / "log.db")

    assert [one.fault for one in damaged.snapshots()] == [fault]
    damaged.close()


def test_links_can_be_added_to_old_records(make_log: Callable[[], Log]) -> None:
    log = make_log()
    log.append(records(1, 2))

    log.add_links([(1, b"one"), (2, b"two")])

    assert [record.links for record in log.read_from(1)] == [b"one", b"two"]
    log.close()


def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    path.write_bytes(b"this is not a database, " * 100)

    with pytest.raises(LogCorrupt):
        SqliteLog(path)

    assert path.read_bytes().startswith(b"this is not")
