"""One contract for every log, and what only the SQLite log promises."""

from __future__ import annotations

import multiprocessing
import sqlite3
from collections.abc import Callable
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
    ("damage", "message"),
    [
        ("UPDATE records SET payload = 'x' WHERE position = 2", "record 2 fails its checksum"),
        ("UPDATE records SET at_ms = 1 WHERE position = 2", "record 2 fails its checksum"),
        ("DELETE FROM records WHERE position = 2", "record 2 is missing"),
    ],
)
def test_damage_is_found_while_reading(tmp_path: Path, damage: str, message: str) -> None:
    log = SqliteLog(tmp_path / "log.db")
    log.append(records(1, 3))
    log.close()
    with sqlite3.connect(tmp_path / "log.db") as db:
        db.execute(damage)
    db.close()

    damaged = SqliteLog(tmp_path / "log.db")

    with pytest.raises(LogCorrupt, match=message):
        list(damaged.read_from(1))
    damaged.close()


def test_a_file_that_is_no_log_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    path.write_bytes(b"this is not a database, " * 100)

    with pytest.raises(LogCorrupt):
        SqliteLog(path)

    assert path.read_bytes().startswith(b"this is not")
