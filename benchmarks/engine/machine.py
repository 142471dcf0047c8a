"""What the machine can do, printed beside every figure: its fsync above all."""

from __future__ import annotations

import os
import platform
import sqlite3
import tempfile
import time
from collections.abc import Sequence

PROBES = 300
PROBE_BYTES = 512


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` (0 to 1) of the values lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def fsync_ms() -> tuple[float, float]:
    """Return p50 and p99 in milliseconds of appending 512 bytes and waiting until they are on disk."""
    seconds = []
    with tempfile.TemporaryFile() as file:
        for _ in range(PROBES):
            file.write(b"x" * PROBE_BYTES)
            file.flush()
            started = time.perf_counter()
            os.fdatasync(file.fileno())
            seconds.append(time.perf_counter() - started)
    return percentile(seconds, 0.5) * 1_000, percentile(seconds, 0.99) * 1_000


def describe() -> str:
    """Return one line about the machine."""
    load = os.getloadavg()[0]
    p50, p99 = fsync_ms()
    return (
        f"{os.cpu_count()} cores, {platform.python_implementation()} {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, load {load:.1f}, fdatasync p50 {p50:.2f} ms p99 {p99:.2f} ms"
    )
