"""For tests of pyzeebe workers: a pytest plugin with an engine in the test's own process.

`pytest_plugins = ["aurum_engine.testing"]` in a test module or the top `conftest.py` offers the fixture
`engine_bench`. It needs pytest and pytest-asyncio; nothing else in the engine imports them. Without
pytest use `EngineBench` as an async context. See docs/testing-workers.md.

PYTEST_DONT_REWRITE: there are no assertions in here, and a test module that imports from here before
pytest does would be warned.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from aurum_engine.testing.bench import EngineBench, NotIdle
from aurum_engine.testing.faults import Faults, Refusal

__all__ = ["EngineBench", "Faults", "NotIdle", "Refusal", "engine_bench"]


@pytest_asyncio.fixture
async def engine_bench() -> AsyncIterator[EngineBench]:
    """Give an engine in memory with a standing clock, no search lag and no faults planned."""
    async with EngineBench() as bench:
        yield bench
