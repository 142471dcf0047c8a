"""`aurum reset` deletes a bank's books: it asks, it can be refused, and it looks before it acts."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.process import free_ports

from aurum import installation

pytestmark = pytest.mark.slow  # Every call starts an interpreter: about a second.


def reset(folder: Path, port: int, *options: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "aurum", "reset", "--data-dir", str(folder), *options],
        env={**os.environ, "AURUM_PORT": str(port)},
        input=answer,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    installation.load_or_create(made)
    (made / "accounts.sqlite").write_text("books")
    return made


@pytest.mark.parametrize("answer", ["n\n", "\n", ""], ids=["no", "return", "end of input"])
def test_without_a_yes_everything_stays(folder: Path, answer: str) -> None:
    done = reset(folder, free_ports(1)[0], answer=answer)

    assert done.returncode == 1
    assert str(folder) in done.stdout.replace("\n", "")
    assert (folder / "accounts.sqlite").read_text() == "books"
    assert "Traceback" not in done.stderr


def test_with_a_yes_everything_is_gone(folder: Path) -> None:
    done = reset(folder, free_ports(1)[0], answer="y\n")

    assert done.returncode == 0, done.stderr
    assert not folder.exists()


def test_it_refuses_while_something_runs_even_with_yes(folder: Path) -> None:
    with socket.socket() as running:
        running.bind(("127.0.0.1", 0))
        running.listen()

        done = reset(folder, running.getsockname()[1], "--yes")

    assert done.returncode == 1
    assert (folder / "accounts.sqlite").exists()


def test_a_folder_that_is_not_ours_is_left_alone_even_with_yes(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")

    done = reset(tmp_path, free_ports(1)[0], "--yes")

    assert "nothing to reset" in done.stdout
    assert (tmp_path / "thesis.txt").exists()
