"""Which variables an operator may set in a running case, and what may be in them. Pure.

The list is closed, and whatever is on it can only make a case harder to pass: more names to screen, a
person kept from approving. Nothing that a person decided, that a customer said, that was checked or
that an amount or a route comes from can be written here: such a value is made again by trying its
step again. Shapes: `docs/process-variables.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

NAME_VARIANTS_MAX = 8
NAME_CHARS_MAX = 120
"""The same bounds as for spellings that the assistant adds (`check_sanctions` in the diagram)."""

EDITORS_MAX = 50
"""Persons kept from approving one case; more than anybody has ever needed, and small enough to read."""

NOT_SETTABLE = "NOT_SETTABLE"
WRONG_SHAPE = "WRONG_SHAPE"
TAKES_AWAY = "TAKES_AWAY"


def repair_problem(name: str, value: object, current: object) -> str | None:
    """Return why variable `name` may not become `value`, as a code; None when it may.

    `current` is what the case holds now. `NOT_SETTABLE`: not on the list; `WRONG_SHAPE`: not the type
    of the contract; `TAKES_AWAY`: what is there already has to stay.
    """
    rule = _RULES.get(name)
    return NOT_SETTABLE if rule is None else rule(value, current)


def _name_variants(value: object, current: object) -> str | None:
    return _longer_list(value, current, NAME_VARIANTS_MAX)


def _editors(value: object, current: object) -> str | None:
    return _longer_list(value, current, EDITORS_MAX)


def _longer_list(value: object, current: object, items_max: int) -> str | None:
    """Accept a list of names that holds all that the case has now."""
    if not isinstance(value, list) or len(value) > items_max or not all(map(_is_name, value)):
        return WRONG_SHAPE
    kept = current if isinstance(current, list) else []
    return None if all(name in value for name in kept) else TAKES_AWAY


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= NAME_CHARS_MAX


_RULES: Mapping[str, Callable[[object, object], str | None]] = {
    "nameVariants": _name_variants,
    "editors": _editors,
}

SETTABLE = tuple(_RULES)
"""Names that `repair_problem` knows, in the order in which a page offers them."""
