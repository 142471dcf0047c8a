"""Several streams over one connection: our own envelope, not AG-UI. Whole frames, tagged with their topic.

A browser allows six HTTP/1.1 connections to a host, and eight tabs of one person are nothing unusual.
Each topic keeps its own frames, positions and order; nothing is buffered beyond the chunk that is
being sent, so a slow reader slows every topic down and holds no memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

import orjson

TOPIC_EVENT = "com.aurum.topic"
"""Type of the one event that is about a topic itself: how its stream ended."""

ENDED = 204


def tagged(topic: str, chunk: bytes) -> bytes:
    """Return whole SSE frames with `event: <topic>` on each; comments and retry hints stay as they are."""
    blocks = chunk.split(b"\n\n")
    mark = b"event: " + topic.encode() + b"\n"
    return b"\n\n".join(mark + block if b"data:" in block[:256] else block for block in blocks)


def about(topic: str, status: int) -> bytes:
    """Return the frame that says how a topic's stream ended: an HTTP status, 204 for an ordinary end."""
    body = orjson.dumps({"type": TOPIC_EVENT, "status": status})
    return b"event: " + topic.encode() + b"\ndata: " + body + b"\n\n"


class _Outlet:
    """Where all topics put their chunks: one at a time, and in turn, so that a busy one starves nobody.

    (`asyncio.Queue` alone is not fair: whoever runs first after a `get` takes the free place.)
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._items: asyncio.Queue[bytes | Exception | None] = asyncio.Queue(maxsize=1)

    async def put(self, item: bytes | Exception | None) -> None:
        async with self._turn:
            await self._items.put(item)

    async def get(self) -> bytes | Exception | None:
        return await self._items.get()


async def merged(streams: Mapping[str, AsyncIterator[bytes]]) -> AsyncIterator[bytes]:
    """Yield the chunks of all streams as they come, tagged; ends when all have ended.

    A stream that breaks breaks the connection: its error is raised here.
    """
    out, left = _Outlet(), len(streams)
    tasks = [
        asyncio.create_task(_pump(topic, chunks, out), name=f"topic {topic}")
        for topic, chunks in streams.items()
    ]
    try:
        while left:
            match await out.get():
                case None:
                    left -= 1
                case bytes(chunk):
                    yield chunk
                case error:
                    raise error
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pump(topic: str, chunks: AsyncIterator[bytes], out: _Outlet) -> None:
    try:
        async for chunk in chunks:
            await out.put(tagged(topic, chunk))
        await out.put(about(topic, ENDED))
    except Exception as error:  # noqa: BLE001 - the reader of the outlet raises it again.
        await out.put(error)
    finally:
        closer = getattr(chunks, "aclose", None)
        if closer is not None:
            await closer()
    await out.put(None)
