"""One row of the table of jobs, and the decorator that makes a function a tool of the agent."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from aurum_workers.ports import Handler

JOB_TIMEOUT_MS = 10_000
"""Lease of a job. Handlers take milliseconds; this covers a slow disk and a REST look-up, and it is how
long a case stands still after the worker that held its job was killed."""


@dataclass(frozen=True, slots=True)
class JobSpec:
    """One row. `fetches` are the only variables that leave the engine, `writes` the only ones that return."""

    element_id: str
    job_type: str
    handler: Handler
    fetches: tuple[str, ...]
    writes: tuple[str, ...]
    errors: tuple[str, ...] = ()
    timeout_ms: int = JOB_TIMEOUT_MS
    is_tool: bool = False
    """Is the element a tool of the agent? Its result is what the engine collects, not its locals."""


_TOOLS: dict[str, JobSpec] = {}


def agent_tool(
    element_id: str, *, writes: str, fetches: str = "", job_type: str | None = None, errors: str = ""
) -> Callable[[Handler], Handler]:
    """Make a function the worker of the agent's tool `element_id`, an activity in the diagram.

    `fetches`, `writes` and `errors` are names with spaces between; the job type is the element id with
    hyphens unless it is said. Raises ValueError for a job type that has a function already.
    """
    name = job_type or element_id.replace("_", "-")

    def register(handler: Handler) -> Handler:
        known = _TOOLS.get(name)
        if known is not None and known.handler.__module__ != handler.__module__:
            raise ValueError(f"two functions for the job type {name!r}")
        _TOOLS[name] = JobSpec(
            element_id,
            name,
            handler,
            tuple(fetches.split()),
            tuple(writes.split()),
            tuple(errors.split()),
            is_tool=True,
        )
        return handler

    return register


def tools_in(package: ModuleType) -> tuple[JobSpec, ...]:
    """Import every module of a package and return the tools that are registered then, by name."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return tuple(_TOOLS[name] for name in sorted(_TOOLS))
