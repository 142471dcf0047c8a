"""Built-in relations between points and ranges (DMN 10.3.4.11), `range` and `is`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aurum_engine.feel import nodes, operators
from aurum_engine.feel.builtins.registry import BUILTINS, builtin, failed
from aurum_engine.feel.names import NameTable
from aurum_engine.feel.parser import Parser
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.syntax import FeelSyntaxError
from aurum_engine.feel.temporal import DateTime, Time
from aurum_engine.feel.values import UNBOUNDED, Range, type_name

_POINT = "number|string|date|time|date and time|days and time duration|years and months duration"


class _Incomparable(Exception):
    """Two bounds have no order; the relation is null."""


def _compare(run: Run, symbol: str, left: Any, right: Any) -> bool:
    result = operators.compare(run, symbol, left, right)
    if result is None:
        raise _Incomparable
    return bool(result)


def _before(run: Run, left: Any, right: Any) -> bool:
    """Return whether all of `left` lies before all of `right`."""
    end, end_closed = (left.high, left.high_closed) if isinstance(left, Range) else (left, True)
    start, start_closed = (right.low, right.low_closed) if isinstance(right, Range) else (right, True)
    if end is UNBOUNDED or start is UNBOUNDED:
        raise _Incomparable
    return _compare(run, "<" if end_closed and start_closed else "<=", end, start)


def _includes(run: Run, outer: Range, inner: Any) -> bool:
    if not isinstance(inner, Range):
        result = operators.in_range(run, inner, outer)
        if result is None:
            raise _Incomparable
        return result
    low = _compare(run, "<=" if outer.low_closed or not inner.low_closed else "<", outer.low, inner.low)
    high = _compare(run, ">=" if outer.high_closed or not inner.high_closed else ">", outer.high, inner.high)
    return low and high


def _same(run: Run, left: Any, right: Any) -> bool:
    return _compare(run, "=", left, right)


def _starts(run: Run, inner: Any, outer: Range) -> bool:
    if not isinstance(inner, Range):
        return outer.low_closed and _same(run, outer.low, inner)
    return (
        _same(run, inner.low, outer.low)
        and inner.low_closed == outer.low_closed
        and _compare(run, "<=" if outer.high_closed or not inner.high_closed else "<", inner.high, outer.high)
    )


def _finishes(run: Run, inner: Any, outer: Range) -> bool:
    if not isinstance(inner, Range):
        return outer.high_closed and _same(run, outer.high, inner)
    return (
        _same(run, inner.high, outer.high)
        and inner.high_closed == outer.high_closed
        and _compare(run, ">=" if outer.low_closed or not inner.low_closed else ">", inner.low, outer.low)
    )


def _meets(run: Run, left: Range, right: Range) -> bool:
    return left.high_closed and right.low_closed and _same(run, left.high, right.low)


def _overlaps(run: Run, left: Range, right: Range) -> bool:
    return not _before(run, left, right) and not _before(run, right, left)


def _overlaps_before(run: Run, left: Range, right: Range) -> bool:
    starts_first = _compare(run, "<", left.low, right.low) or (
        _same(run, left.low, right.low) and left.low_closed and not right.low_closed
    )
    ends_first = _compare(run, "<", left.high, right.high) or (
        _same(run, left.high, right.high) and (right.high_closed or not left.high_closed)
    )
    return starts_first and ends_first and not _before(run, left, right)


def _overlaps_after(run: Run, left: Range, right: Range) -> bool:
    starts_last = _compare(run, ">", left.low, right.low) or (
        _same(run, left.low, right.low) and right.low_closed and not left.low_closed
    )
    ends_last = _compare(run, ">", left.high, right.high) or (
        _same(run, left.high, right.high) and (left.high_closed or not right.high_closed)
    )
    return starts_last and ends_last and not _before(run, right, left)


def _coincides(run: Run, left: Any, right: Any) -> bool:
    if isinstance(left, Range) and isinstance(right, Range):
        return (
            left.low_closed == right.low_closed
            and left.high_closed == right.high_closed
            and _same(run, left.low, right.low)
            and _same(run, left.high, right.high)
        )
    return _same(run, left, right)


def _swapped(relation: Callable[[Run, Any, Any], bool]) -> Callable[[Run, Any, Any], bool]:
    return lambda run, left, right: relation(run, right, left)


_RELATIONS: tuple[tuple[str, tuple[str, ...], Callable[[Run, Any, Any], bool]], ...] = (
    ("before", ("point1 point2", "point range", "range point", "range1 range2"), _before),
    ("after", ("point1 point2", "point range", "range point", "range1 range2"), _swapped(_before)),
    ("meets", ("range1 range2",), _meets),
    ("met by", ("range1 range2",), _swapped(_meets)),
    ("overlaps", ("range1 range2",), _overlaps),
    ("overlaps before", ("range1 range2",), _overlaps_before),
    ("overlaps after", ("range1 range2",), _overlaps_after),
    ("finishes", ("point range", "range1 range2"), _finishes),
    ("finished by", ("range point", "range1 range2"), _swapped(_finishes)),
    ("includes", ("range point", "range1 range2"), _includes),
    ("during", ("point range", "range1 range2"), _swapped(_includes)),
    ("starts", ("point range", "range1 range2"), _starts),
    ("started by", ("range point", "range1 range2"), _swapped(_starts)),
    ("coincides", ("point1 point2", "range1 range2"), _coincides),
)


def _declare(name: str, shapes: tuple[str, ...], relation: Callable[[Run, Any, Any], bool]) -> None:
    def call(run: Run, left: Any, right: Any) -> Any:
        try:
            return relation(run, left, right)
        except _Incomparable:
            return failed(run, name, "values cannot be compared")

    for shape in shapes:
        parameters = ", ".join(
            f"{part}: {'range' if part.startswith('range') else _POINT}" for part in shape.split()
        )
        builtin(f"{name}({parameters})")(call)


for _name, _shapes, _relation in _RELATIONS:
    _declare(_name, _shapes, _relation)


_RANGE_CALLS = ("date", "time", "date and time", "duration")


@builtin("range(from: string)")
def range_from_text(run: Run, text: str) -> Any:
    """Parse a range whose bounds are literals or temporal calls on string literals."""
    try:
        node = Parser(text, NameTable(_RANGE_CALLS)).parse_expression()
    except FeelSyntaxError as error:
        return failed(run, "range", str(error))
    if not isinstance(node, nodes.RangeNode):
        return failed(run, "range", "not a range")
    low, high = _literal_bound(run, node.low), _literal_bound(run, node.high)
    if low is None or high is None or operators.compare(run, "<=", low, high) is not True:
        return failed(run, "range", "bounds must be two ordered literals of one type")
    return Range(low, high, node.low_closed, node.high_closed)


def _literal_bound(run: Run, node: nodes.Node | None) -> Any:
    match node:
        case nodes.Literal():
            return node.value
        case nodes.Negate():
            return operators.negate(run, _literal_bound(run, node.operand))
        case nodes.Call(nodes.Name(name), (nodes.Literal(str() as text),), None) if name in _RANGE_CALLS:
            return BUILTINS[name].call(run, [text])
    return None


@builtin("is(value1: any, value2: any)")
def is_(run: Run, left: Any, right: Any) -> bool:
    """Tell whether two values are the same element of one type: zones and offsets count."""
    if type_name(left) != type_name(right):
        return False
    if isinstance(left, Time | DateTime):
        return bool(left == right)
    return operators.equals(run, left, right) is True
