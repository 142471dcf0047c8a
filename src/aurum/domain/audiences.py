"""Who may see what: an allow-list for every variable and every field inside it.

`visible_to(view, name, value)` copies only what the table `audience_tables` grants; unknown
variables, unknown fields and values of another shape than the table's are dropped. The customer
never learns what screening found, how risk was scored or routed, who the advisor is, or that
receipts exist: a hint would be tipping off. The operator sees every known field with personal
values masked, unless `unmasked` (the caller has audited a reason).

The same function feeds frames, snapshots, errors and what the assistant's model is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum.domain.agent_tools import TOOL_VARIABLE, WITHHELD
from aurum.domain.audience_tables import VARIABLES
from aurum.domain.grants import Grant
from aurum.domain.masking import mask_value
from aurum.domain.reasons import visible_codes
from aurum.keys import View

LIST_ITEMS_MAX = 200
"""Items copied of any list; nothing in the process is longer."""


class _Hidden:
    """Marks, inside this module, a value that may not be seen; apart from a visible null."""

    __slots__ = ()


_HIDDEN = _Hidden()


def visible_to(view: View, name: str, value: object, *, unmasked: bool = False) -> Any:
    """Return the JSON of variable `name` that `view` may see; None when that is nothing.

    The result shares nothing mutable with `value`. `unmasked` matters for the operator only.
    """
    grant = VARIABLES.get(name)
    if grant is None:
        return None
    shown = _copy(view, grant, value, masked=view == "operator" and not unmasked)
    return None if shown is _HIDDEN else shown


def visible_variables(
    view: View, variables: Mapping[str, object], *, unmasked: bool = False
) -> dict[str, Any]:
    """Return the visible part of a whole variable map, without what is hidden or null."""
    shown = {name: visible_to(view, name, value, unmasked=unmasked) for name, value in variables.items()}
    return {name: value for name, value in shown.items() if value is not None}


def visible_tool_result(view: View, tool: str, result: object) -> Any:
    """Return what `view` may see of what a tool of the agent gave back: that it is done, at least."""
    variable = TOOL_VARIABLE.get(tool)
    shown = None if variable is None else visible_to(view, variable, result)
    return dict(WITHHELD) if shown is None else shown


def may_see(view: View, name: str) -> bool:
    """Whether anything of variable `name` is ever visible to `view`."""
    grant = VARIABLES.get(name)
    return grant is not None and view in grant.views


def _copy(view: View, grant: Grant, value: object, *, masked: bool) -> Any:
    if view not in grant.views:
        return _HIDDEN
    if view in grant.projections:
        return grant.projections[view](value)
    if value is None:
        return None
    if grant.codes:
        return visible_codes(view, value)
    if grant.fields is not None:
        return _copy_object(view, grant.fields, value, masked=masked)
    if grant.item is not None:
        return _copy_list(view, grant.item, value, masked=masked)
    if not isinstance(value, str | int | float | bool):
        return _HIDDEN
    return mask_value(grant.mask, value) if masked and grant.mask is not None else value


def _copy_object(view: View, fields: Mapping[str, Grant], value: object, *, masked: bool) -> Any:
    if not isinstance(value, Mapping):
        return _HIDDEN
    shown = {
        name: _copy(view, grant, value[name], masked=masked)
        for name, grant in fields.items()
        if name in value
    }
    return {name: field for name, field in shown.items() if field is not _HIDDEN}


def _copy_list(view: View, item: Grant, value: object, *, masked: bool) -> Any:
    if not isinstance(value, list | tuple):
        return _HIDDEN
    shown = [_copy(view, item, entry, masked=masked) for entry in value[:LIST_ITEMS_MAX]]
    return [entry for entry in shown if entry is not _HIDDEN]
