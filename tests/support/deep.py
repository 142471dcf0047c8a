"""How much the deep suites do in `.ci/run`: every count in one place."""

from __future__ import annotations

POWER_CUTS = 1_000
"""Simulated power failures of the engine's log."""

CRASH_POINTS = 200
"""Kills of the engine's log between two system calls, from a recorded run."""

REAL_KILLS = 20
"""Kills of a writing process by strace, inside a system call."""
