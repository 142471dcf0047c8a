"""Events to SSE bytes. Pure; the one place that knows the framing.

LF only, one `data:` line, no `event:` name, `id:` before `data:`. The official encoder writes no
id and costs ten times as much; tests read every frame back through the official models.
"""

from __future__ import annotations

import orjson

from aurum.projection.events import Event
from aurum.stream.position import StreamPosition

HEARTBEAT = b": ka\n\n"
"""A comment: keeps proxies and clients awake, and is no event for anybody."""

FRAME_BYTES_MAX = 1_000_000
"""Clients refuse a frame above 10 MB; ours are kilobytes, so a tenth of that is already a bug."""


class FrameTooLarge(ValueError):
    """An event is bigger than any client should be sent."""


def encode(event: Event, position: StreamPosition | None) -> bytes:
    """Return the SSE frame of one event. Raises `FrameTooLarge`."""
    data = orjson.dumps(event)
    if len(data) > FRAME_BYTES_MAX:
        raise FrameTooLarge(f"{event.get('type')} has {len(data)} bytes")
    if position is None:
        return b"data: %b\n\n" % data
    return b"id: %b\ndata: %b\n\n" % (str(position).encode(), data)


def retry(milliseconds: int) -> bytes:
    """Return the line that tells a browser how long to wait before it comes back."""
    return b"retry: %d\n\n" % milliseconds


def comment(text: str) -> bytes:
    """Return a comment; line breaks in it are dropped, because they would end it."""
    return b": %b\n\n" % text.replace("\r", " ").replace("\n", " ").encode()
