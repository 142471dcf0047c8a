"""What an expression says about itself, read from its syntax tree and never evaluated. Pure."""

from __future__ import annotations

from collections.abc import Iterator as Iterable
from decimal import Decimal
from typing import Any

from aurum_engine.feel.convert import to_json
from aurum_engine.feel.nodes import Call, ContextNode, Iterator, ListNode, Literal, Name, Negate, Node, Path


class NotLiteral(ValueError):
    """A part of a tree is not written out as a value."""


def calls_of(tree: Node, function: str) -> Iterable[Call]:
    """Yield the calls of a function by name, outer ones first, in the order of the text."""
    pending: list[Any] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(reversed(node))
        elif isinstance(node, Node | Iterator) and not isinstance(node, Literal):
            if isinstance(node, Call) and node.function == Name(function):
                yield node
            pending.extend(getattr(node, field) for field in reversed(node.__dataclass_fields__))


def last_name(node: Node) -> str | None:
    """Return the last part of a reference such as `toolCall.amount`; None for anything else."""
    is_reference = first_name(node) is not None
    return node.name if is_reference and isinstance(node, Name | Path) else None


def first_name(node: Node) -> str | None:
    """Return the first part of a reference such as `result.amount`; None for anything else."""
    while isinstance(node, Path):
        node = node.base
    return node.name if isinstance(node, Name) else None


def literal_value(node: Node) -> Any:
    """Return the JSON value that is written out; raises `NotLiteral` for what would have to be computed."""
    if isinstance(node, Literal):
        return to_json(node.value)
    if isinstance(node, Negate) and isinstance(node.operand, Literal):
        if isinstance(node.operand.value, Decimal):
            return to_json(-node.operand.value)
    elif isinstance(node, ListNode):
        return [literal_value(item) for item in node.items]
    elif isinstance(node, ContextNode):
        return {key: literal_value(value) for key, value in node.entries}
    raise NotLiteral(f"{type(node).__name__} is not a literal")
