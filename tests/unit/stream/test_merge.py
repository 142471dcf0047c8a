"""Several streams over one connection: order, tags, ends, errors, and nobody left running."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from aurum.stream.merge import about, merged, tagged


async def stream(*chunks: bytes, closed: list[str] | None = None) -> AsyncIterator[bytes]:
    try:
        for chunk in chunks:
            await asyncio.sleep(0)
            yield chunk
    finally:
        if closed is not None:
            closed.append("closed")


async def endless(closed: list[str]) -> AsyncIterator[bytes]:
    try:
        while True:
            await asyncio.sleep(0)
            yield b'id: e.1\ndata: {"type":"X"}\n\n'
    finally:
        closed.append("closed")


async def broken() -> AsyncIterator[bytes]:
    yield b'data: {"type":"X"}\n\n'
    raise RuntimeError("the log is gone")


def test_every_frame_gets_its_topic_and_comments_and_hints_stay() -> None:
    chunk = b"retry: 1000\n\n:\n\n" + b'id: e.1\ndata: {"a":"data:"}\n\n' + b'data: {"b":1}\n\n'

    assert tagged("t1", chunk) == (
        b"retry: 1000\n\n:\n\n"
        + b'event: t1\nid: e.1\ndata: {"a":"data:"}\n\n'
        + b'event: t1\ndata: {"b":1}\n\n'
    )


async def test_frames_of_a_topic_keep_their_order_and_each_topic_says_that_it_ended() -> None:
    one = [f'id: a.{n}\ndata: {{"n":{n}}}\n\n'.encode() for n in range(5)]

    got = [chunk async for chunk in merged({"a": stream(*one), "b": stream(b'data: {"type":"B"}\n\n')})]

    assert [chunk for chunk in got if chunk.startswith(b"event: a\nid")] == [
        tagged("a", item) for item in one
    ]
    assert about("a", 204) in got
    assert about("b", 204) in got


async def test_a_reader_that_leaves_closes_every_stream() -> None:
    closed: list[str] = []
    reading = merged({"a": endless(closed), "b": endless(closed)})

    async with contextlib.aclosing(reading):  # type: ignore[type-var]
        await anext(reading)

    assert closed == ["closed", "closed"]


async def test_a_stream_that_breaks_breaks_the_connection_and_closes_the_others() -> None:
    closed: list[str] = []

    with pytest.raises(RuntimeError, match="the log is gone"):
        async for _ in merged({"a": broken(), "b": endless(closed)}):
            pass

    assert closed == ["closed"]
