"""Run pyzeebe's own integration tests, unmodified, against our server.

`python -m tests.conformance.pyzeebe_suite` gets pyzeebe's source distribution with pip (nothing of
it is kept), puts a stand-in for `testcontainers` on the path, and prints pytest's summary. It judges
the wire: status codes, message shapes, long polls. It says little about the engine behind it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

STANDINS = Path(__file__).parent / "standins"

DOWNLOAD_SECONDS_MAX = 180.0
RUN_SECONDS_MAX = 180.0
"""The run takes ten seconds here; a hang must not hold a build for longer than minutes."""


class SourceUnavailable(Exception):
    """pip could not get pyzeebe's source distribution."""


@dataclass(frozen=True)
class SuiteRun:
    """Outcome of pytest: its exit code and what it printed."""

    exit_code: int
    output: str

    @property
    def summary(self) -> str:
        """Return pytest's last line."""
        return self.output.strip().rpartition("\n")[2].strip("= ")


def download(folder: Path) -> Path:
    """Return the unpacked source distribution of the installed pyzeebe. Raises SourceUnavailable."""
    wanted = f"pyzeebe=={version('pyzeebe')}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "pyzeebe"]
    done = subprocess.run(
        [*command, "--dest", str(folder), wanted],
        capture_output=True,
        text=True,
        timeout=DOWNLOAD_SECONDS_MAX,
        check=False,
    )
    archives = sorted(folder.glob("pyzeebe-*.tar.gz"))
    if not archives:
        raise SourceUnavailable(done.stderr.strip().rpartition("\n")[2])
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return folder / archives[0].name.removesuffix(".tar.gz")


def run_suite(source: Path) -> SuiteRun:
    """Run `tests/integration` of an unpacked source distribution as it is."""
    path = [str(STANDINS), *(entry for entry in sys.path if entry)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/integration", "-p", "no:cacheprovider"],
        cwd=source,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=RUN_SECONDS_MAX,
        check=False,
    )
    return SuiteRun(done.returncode, done.stdout)


def main() -> int:
    """Download, run, print."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            source = download(Path(folder))
        except SourceUnavailable as error:
            sys.stderr.write(f"pyzeebe's source distribution is not available: {error}\n")
            return 2
        run = run_suite(source)
    sys.stdout.write(run.output)
    return run.exit_code


if __name__ == "__main__":
    sys.exit(main())
