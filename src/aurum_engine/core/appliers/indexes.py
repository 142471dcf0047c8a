"""Helpers to keep the indexes of a state true."""

from __future__ import annotations

from typing import Any


def discard(index: dict[Any, dict[Any, None]], group: Any, key: Any) -> None:
    """Remove `key` from its group in an index of ordered sets; empty groups go too."""
    members = index.get(group)
    if members is not None:
        members.pop(key, None)
        if not members:
            del index[group]
