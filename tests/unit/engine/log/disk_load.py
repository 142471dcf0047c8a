"""A process that works on an engine whose disk fails, goes on when it works again, and says what it was told.

Prints a line for each command: `created <key>`, or `refused <why>`. A limit of the file size, in bytes, is
a disk that is full; it is lifted after the first refusals. 0 is no limit: whoever runs this injects errors.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from pathlib import Path

from tests.conformance.scenarios.builder import build

from aurum_engine.clock import SystemClock
from aurum_engine.core import commands as c
from aurum_engine.errors import LogNotWritable
from aurum_engine.log.sqlite import SqliteLog
from aurum_engine.service import EngineService

COMMANDS = 60
REFUSALS = 5


async def work(service: EngineService, limit: int) -> None:
    """Create instances until enough were created, and lift the limit after some refusals."""
    created = refused = 0
    while created < COMMANDS:
        try:
            reply = await service.submit(c.CreateProcessInstance("p", variables={"x": "y" * 2_000}))
        except LogNotWritable as error:
            refused += 1
            sys.stdout.write(f"refused {error}\n")
            shown = len(service.view().process_instances)
            await service.committed()
            if shown != created:
                raise AssertionError(
                    f"{shown} instances are shown and {created} were acknowledged"
                ) from error
            if refused == REFUSALS and limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            await asyncio.sleep(0.01)
            continue
        assert isinstance(reply, c.CreatedReply)
        created += 1
        sys.stdout.write(f"created {reply.process_instance_key}\n")


async def main(path: Path, limit: int) -> None:
    """Open the engine, deploy, work, and close."""
    service = EngineService(SqliteLog(path), SystemClock(), business_id_unique=True, mend_seconds=0.02)
    await service.start()
    source = build({"id": "p", "flow": "start -> work -> end", "elements": {"work": {"type": "userTask"}}})
    await service.submit(c.DeployResources((c.Resource("p.bpmn", source),)))
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    await work(service, limit)
    await service.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
