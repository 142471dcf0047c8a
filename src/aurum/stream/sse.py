"""The ASGI response of a stream: headers, a write deadline, and an end when the client is gone.

Thinner than a streaming response of the framework because this is the hot path: one task per
connection watches for the disconnect, and a send that does not finish in time ends the connection,
so a reader that stopped never holds memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

WRITE_SECONDS_MAX = 20.0
"""A client that takes no byte for this long is gone; the kernel's own limits are minutes."""

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class EventStreamResponse(Response):
    """Sends whole frames as they come. Use as any Starlette response."""

    media_type = "text/event-stream"

    def __init__(
        self,
        chunks: AsyncIterator[bytes],
        status_code: int = 200,
        *,
        write_seconds: float = WRITE_SECONDS_MAX,
    ) -> None:
        self.status_code = status_code
        self.background = None
        self.body = b""
        self.raw_headers = list(HEADERS)
        self._chunks = chunks
        self._write_seconds = write_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the chunks end, the client leaves, or a write takes too long."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        sender = asyncio.ensure_future(self._send(send))
        watcher = asyncio.ensure_future(_until_gone(receive))
        try:
            await asyncio.wait({sender, watcher}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sender, watcher):
                task.cancel()
            results = await asyncio.gather(sender, watcher, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, TimeoutError | OSError):
                raise result

    async def _send(self, send: Send) -> None:
        try:
            async for chunk in self._chunks:
                async with asyncio.timeout(self._write_seconds):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            closer = getattr(self._chunks, "aclose", None)
            if closer is not None:
                await closer()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def once(data: bytes) -> AsyncIterator[bytes]:
    """Yield one chunk: a stream that is complete from the start."""
    yield data
