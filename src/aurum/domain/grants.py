"""The words in which audience tables are written.

A grant says which views may see a value and, for the operator, how it is masked. Objects list their
fields, lists their item; a grant with neither is a scalar. A projection replaces the value for one
view by something computed (`{"status": "done"}`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aurum.domain.masking import MaskKind
from aurum.keys import View

ALL: frozenset[View] = frozenset(("customer", "advisor", "operator"))
STAFF: frozenset[View] = frozenset(("advisor", "operator"))
OPERATOR: frozenset[View] = frozenset(("operator",))


@dataclass(frozen=True, slots=True)
class Grant:
    """Permission to see one value. `codes` marks a list of reason codes, filtered per code."""

    views: frozenset[View]
    mask: MaskKind | None = None
    fields: Mapping[str, Grant] | None = None
    item: Grant | None = None
    codes: bool = False
    projections: Mapping[View, Callable[[object], Any]] = field(default_factory=dict)


def scalar(views: frozenset[View] = ALL, mask: MaskKind | None = None) -> Grant:
    """Grant one text, number or yes/no."""
    return Grant(views, mask=mask)


def record(views: frozenset[View] = ALL, /, **fields: Grant) -> Grant:
    """Grant an object with exactly these fields. Each field still has its own views."""
    return Grant(views, fields=fields)


def each(item: Grant) -> Grant:
    """Grant a list whose items are granted like `item`."""
    return Grant(item.views, item=item)


def codes(views: frozenset[View] = ALL) -> Grant:
    """Grant a list of reason codes, of which each view sees those of its audience."""
    return Grant(views, codes=True)


def projected(grant: Grant, view: View, projection: Callable[[object], Any]) -> Grant:
    """Return `grant` with `view` added, which sees only what `projection` computes."""
    return Grant(
        grant.views | {view},
        mask=grant.mask,
        fields=grant.fields,
        item=grant.item,
        codes=grant.codes,
        projections={**grant.projections, view: projection},
    )
