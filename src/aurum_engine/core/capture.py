"""Taking a snapshot while commands go on, and opening one: chunks of call trees, and a head.

Taking: what is shared is copied at once; trees follow a few at a time, and one that is about to change
is copied before it does. So the snapshot shows one moment, and no command waits for all of it.
Opening: outlines are put into tables, insides sleep in their chunk until somebody needs them.

A chunk is `length of index, index, outline, insides, outline, insides ...`; the index is JSON:
`[root, chain value, bytes of outline, bytes of insides]` for each tree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from aurum_engine.core import snapshot as s
from aurum_engine.core.deadlines import Due
from aurum_engine.core.records import NO_KEY
from aurum_engine.core.sleeping import Sleeping, SleepingTable
from aurum_engine.core.snapshot_rows import RowReader, SnapshotUnreadable, shapes
from aurum_engine.core.state import State

CHUNK_BYTES = 1 << 18
"""Size at which a chunk is done: a few milliseconds of writing, so no commit waits long behind it."""

_LENGTH_BYTES = 4


class Capture:
    """A snapshot being taken of a state as it was when this was made.

    `chains` are the chain values of that moment and may grow with the state: a tree's value is read
    when it is copied, which is before it changes.
    """

    def __init__(self, state: State, chains: Mapping[int, bytes], position: int, at_ms: int) -> None:
        self.position = position
        self._state = state
        self._chains = chains
        self._head = {
            "format": s.FORMAT,
            "position": position,
            "at_ms": at_ms,
            "shapes": shapes(),
            "shared": s.encode_shared(state),
        }
        roots = (key for key, found in state.process_instances.items() if found.root_key == key)
        self._pending = dict.fromkeys(roots)
        self._index: list[list[Any]] = []
        self._parts: list[bytes] = []
        self._bytes = 0
        self._done: list[bytes] = []
        self._before = state.before_change
        state.before_change = self._keep

    @property
    def is_complete(self) -> bool:
        """Tell whether every tree is copied."""
        return not self._pending

    def advance(self, trees: int) -> None:
        """Copy up to that many more trees."""
        for _ in range(min(trees, len(self._pending))):
            self._copy(next(iter(self._pending)))

    def chunks(self) -> list[bytes]:
        """Return the chunks that are done since the last call, the rest included when it is complete."""
        if self.is_complete and self._parts:
            self._close_chunk()
        done, self._done = self._done, []
        return done

    def head(self) -> bytes:
        """Return the head, which is to be stored after all chunks."""
        return orjson.dumps(self._head)

    def end(self) -> None:
        """Let go of the state; needed also when the snapshot is given up."""
        self._pending.clear()
        self._state.before_change = self._before

    def _keep(self, root: int) -> None:
        if root in self._pending:
            self._copy(root)
        if self._before is not None:
            self._before(root)

    def _copy(self, root: int) -> None:
        del self._pending[root]
        sleeping = self._state.asleep.get(root)
        if sleeping is not None:
            outline, insides = sleeping.outline(), sleeping.insides()
        else:
            outline = orjson.dumps(s.encode_outline(self._state, root))
            insides = s.encode_insides(self._state, root)
        chain = self._chains.get(root)
        self._index.append([root, None if chain is None else chain.hex(), len(outline), len(insides)])
        self._parts += (outline, insides)
        self._bytes += len(outline) + len(insides)
        if self._bytes >= CHUNK_BYTES:
            self._close_chunk()

    def _close_chunk(self) -> None:
        index = orjson.dumps(self._index)
        length = len(index).to_bytes(_LENGTH_BYTES, "big")
        self._done.append(b"".join((length, index, *self._parts)))
        self._index, self._parts, self._bytes = [], [], 0


def open_snapshot(head: bytes, chunks: Iterable[bytes]) -> tuple[State, dict[int, bytes], int]:
    """Return the state of a snapshot with its call trees asleep, the chain values, and its position.

    Raises SnapshotUnreadable for a form that is not known, ValueError or KeyError for nonsense.
    """
    stored = orjson.loads(head)
    if stored["format"] != s.FORMAT:
        raise SnapshotUnreadable(f"the snapshot has format {stored['format']}, this program knows {s.FORMAT}")
    rows = RowReader(stored["shapes"])
    state, chains, due = State(), dict[int, bytes](), list[Due]()
    s.decode_shared(state, stored["shared"], rows)
    for chunk in chunks:
        _open_chunk(state, chains, due, chunk, rows)
    s.settle_outlines(state, due)
    _let_sleep(state, rows)
    return state, chains, stored["position"]


def _open_chunk(
    state: State, chains: dict[int, bytes], due: list[Due], chunk: bytes, rows: RowReader
) -> None:
    start = _LENGTH_BYTES + int.from_bytes(chunk[:_LENGTH_BYTES], "big")
    for root, chain, outline, insides in orjson.loads(chunk[_LENGTH_BYTES:start]):
        middle = start + outline
        s.put_outline(state, orjson.loads(chunk[start:middle]), rows, due)
        state.asleep[root] = Sleeping(chunk, start, middle, middle + insides)
        if chain is not None:
            chains[root] = bytes.fromhex(chain)
        start = middle + insides
    if start != len(chunk):
        raise SnapshotUnreadable("a chunk of the snapshot is shorter or longer than it says")


def _let_sleep(state: State, rows: RowReader) -> None:
    """Give the state tables that wake whom they are asked about."""

    def wake(root: int) -> bool:
        sleeping = state.asleep.pop(root, None)
        if sleeping is None:
            return False
        s.put_insides(state, sleeping.insides(), rows)
        return True

    def wake_owner(key: Any) -> bool:
        number = int(key.partition("-")[0]) if isinstance(key, str) else key
        root = state.owners.root_of(number)
        return root != NO_KEY and wake(root)

    def wake_all() -> None:
        for root in list(state.asleep):
            wake(root)

    def before_change(root: int) -> None:
        wake(root)

    for name in s.SLEEPING:
        awake = getattr(state, name)
        table: SleepingTable[Any, Any] = SleepingTable(wake_owner, wake_all)
        table.update(awake)
        setattr(state, name, table)
    state.before_change = before_change
