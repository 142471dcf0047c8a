"""What a record says about itself beside its events: whom it concerns, hashed into a chain per call tree.

Kept apart from the payload, under a checksum of its own, so that a damaged payload can be attributed:
its time, the trees it concerns, the newest key it made, and a copy of the events that concern others as well
(messages, and that an instance exists). A record of a deployment has no such copy and says so.

A chain value is SHA-256 over the tree's value before and the digest of the record; so a payload that
was changed together with its checksum is found as well, and so is one that was taken out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import orjson

from aurum_engine.core import events as e
from aurum_engine.core.codec import encode_step
from aurum_engine.core.ownership import DEFINING, Owners, root_of_event
from aurum_engine.core.records import NO_KEY

FORMAT = 1
"""Version of the stored form: [format, time, last key, is deployment, [[root, chain value]...], shared]."""


@dataclass(frozen=True, slots=True)
class Links:
    """The attribution of one record. `shared` is a payload of its own."""

    at_ms: int
    last_key: int
    defines: bool
    chain: tuple[tuple[int, bytes], ...]
    shared: bytes

    def encode(self) -> bytes:
        """Return the stored form."""
        chain = [[root, value.hex()] for root, value in self.chain]
        return orjson.dumps(
            [FORMAT, self.at_ms, self.last_key, self.defines, chain, orjson.Fragment(self.shared)]
        )


def decode_links(stored: bytes) -> Links:
    """Return links from their stored form. Raises ValueError for another form."""
    form, at_ms, last_key, defines, chain, shared = orjson.loads(stored)
    if form != FORMAT:
        raise ValueError(f"links of format {form}")
    values = tuple((root, bytes.fromhex(value)) for root, value in chain)
    return Links(at_ms, last_key, defines, values, orjson.dumps(shared))


def digest(position: int, at_ms: int, payload: bytes) -> bytes:
    """Return the digest of a record."""
    return sha256(b"%d %d " % (position, at_ms) + payload).digest()


def next_value(value: bytes | None, record_digest: bytes) -> bytes:
    """Return a tree's chain value after a record; None when it has none yet."""
    return sha256((value or b"") + record_digest).digest()


def links_of(
    owners: Owners,
    events: Sequence[e.Event],
    at_ms: int,
    last_key: int,
    chains: dict[int, bytes],
    record_digest: bytes,
) -> Links:
    """Return the links of a record whose events were applied, and extend the chains of the trees in it."""
    roots: dict[int, None] = {}
    shared: list[e.Event] = []
    defines = False
    for event in events:
        root = root_of_event(owners, event)
        if type(event) in DEFINING:
            defines = True
        elif root == NO_KEY:
            shared.append(event)
        else:
            roots[root] = None
            if _says_that_it_exists(event):
                shared.append(event)
    for root in roots:
        chains[root] = next_value(chains.get(root), record_digest)
    chain = tuple((root, chains[root]) for root in roots)
    return Links(at_ms, last_key, defines, chain, b"[]" if defines else encode_step(_lasting(shared)))


def _says_that_it_exists(event: Any) -> bool:
    """Tell whether an event makes an instance or its outermost element."""
    if isinstance(event, e.ElementActivated):
        return event.scope_key == NO_KEY
    return isinstance(event, e.ProcessInstanceCreated)


def _lasting(events: Sequence[e.Event]) -> list[e.Event]:
    """Leave out messages that came and went within the record; nobody can miss them."""
    came = {event.key for event in events if isinstance(event, e.MessagePublished)}
    gone = came & {event.key for event in events if isinstance(event, e.MessageExpired)}
    about_messages = e.MessagePublished | e.MessageCorrelated | e.MessageExpired
    return [event for event in events if not (isinstance(event, about_messages) and event.key in gone)]
