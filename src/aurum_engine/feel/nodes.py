"""Syntax tree of a FEEL expression. Pure data; the compiler gives it meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type in `instance of` or a parameter list; `arguments` are those between `<` and `>`."""

    name: str
    arguments: tuple[TypeName, ...] = ()
    members: tuple[str, ...] = ()
    returns: TypeName | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """Base of all expressions."""


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """null, boolean, number, string or `@` literal (already a value)."""

    value: Any


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A variable or function by name; `?` is the value under test."""

    name: str


@dataclass(frozen=True, slots=True)
class Negate(Node):
    """Arithmetic minus."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Arithmetic, comparison, `and`, `or`."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Between(Node):
    """`value between low and high`."""

    value: Node
    low: Node
    high: Node


@dataclass(frozen=True, slots=True)
class UnaryTest(Node):
    """One test on `?`: a comparison when `operator` is set, else a value or a condition."""

    operator: str | None
    operand: Node


@dataclass(frozen=True, slots=True)
class In(Node):
    """`value in tests`."""

    value: Node
    tests: tuple[UnaryTest, ...]


@dataclass(frozen=True, slots=True)
class InstanceOf(Node):
    """`value instance of type`."""

    value: Node
    type_name: TypeName


@dataclass(frozen=True, slots=True)
class RangeNode(Node):
    """`[low..high)`; an absent bound is open to that side."""

    low: Node | None
    high: Node | None
    low_closed: bool
    high_closed: bool


@dataclass(frozen=True, slots=True)
class NotEqualRange(Node):
    """`(!=10)` as a value."""

    operand: Node


@dataclass(frozen=True, slots=True)
class ListNode(Node):
    """A list literal."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class ContextNode(Node):
    """A context literal; later entries see earlier ones."""

    entries: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Path(Node):
    """`base.name`."""

    base: Node
    name: str


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """`base[condition or index]`."""

    base: Node
    condition: Node


@dataclass(frozen=True, slots=True)
class Call(Node):
    """A function call; `names` is set for named arguments."""

    function: Node
    arguments: tuple[Node, ...]
    names: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if condition then yes else no`."""

    condition: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Iterator:
    """`name in source`, or `name in source..end`."""

    name: str
    source: Node
    end: Node | None = None


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for iterators return body`."""

    iterators: tuple[Iterator, ...]
    body: Node


@dataclass(frozen=True, slots=True)
class Quantified(Node):
    """`some` or `every` ... `satisfies` condition."""

    every: bool
    iterators: tuple[Iterator, ...]
    condition: Node


@dataclass(frozen=True, slots=True)
class FunctionNode(Node):
    """A function literal; `external` marks a body in another language."""

    parameters: tuple[tuple[str, TypeName | None], ...]
    body: Node
    external: bool = False


def mentions(node: Any, name: str) -> bool:
    """Tell whether a tree reads a name; `?` of a nested `in` is another one and does not count."""
    if isinstance(node, Name):
        return node.name == name
    if isinstance(node, In) and name == "?":
        return mentions(node.value, name)
    if isinstance(node, tuple):
        return any(mentions(child, name) for child in node)
    if isinstance(node, Node | Iterator | UnaryTest) and not isinstance(node, Literal):
        return any(mentions(getattr(node, field), name) for field in node.__dataclass_fields__)
    return False


def mentions_input(node: Any) -> bool:
    """Tell whether a tree reads `?`, the value under test."""
    return mentions(node, "?")
