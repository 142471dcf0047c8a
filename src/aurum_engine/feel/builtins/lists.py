"""Built-in functions on lists. Positions count from 1, or from -1 at the end."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_DOWN, Decimal, DecimalException
from functools import cmp_to_key
from typing import Any

from aurum_engine.feel import numbers, operators
from aurum_engine.feel.builtins.registry import builtin, failed
from aurum_engine.feel.calls import invoke
from aurum_engine.feel.numbers import NUMBERS
from aurum_engine.feel.runtime import Run
from aurum_engine.feel.temporal import DaysDuration, MonthsDuration
from aurum_engine.feel.values import Function

FLATTEN_DEPTH_MAX = 100
"""Nested lists that `flatten` enters, below Python's stack limit."""


@builtin("list contains(list: list, element: any)")
def list_contains(run: Run, items: list[Any], element: Any) -> bool:
    """Tell whether a list holds a value."""
    run.spend(len(items))
    return any(operators.equals(run, item, element) is True for item in items)


@builtin("count(list: list)")
def count(run: Run, items: list[Any]) -> Decimal:
    """Return the number of items."""
    return Decimal(len(items))


def _spread(items: tuple[Any, ...]) -> list[Any]:
    """Return the items of the one list given, or the arguments themselves."""
    return items[0] if len(items) == 1 and isinstance(items[0], list) else list(items)


def _extreme(run: Run, name: str, symbol: str, items: list[Any]) -> Any:
    if not items:
        return failed(run, name, "the list is empty")
    run.spend(len(items))
    best = items[0]
    if operators.compare(run, "<=", best, best) is None:
        return None
    for item in items[1:]:
        better = operators.compare(run, symbol, item, best)
        if better is None:
            return None
        best = item if better else best
    return best


@builtin("min(list: list)", "min(*c: any)")
def min_(run: Run, *items: Any) -> Any:
    """Return the least value of one ordered type."""
    return _extreme(run, "min", "<", _spread(items))


@builtin("max(list: list)", "max(*c: any)")
def max_(run: Run, *items: Any) -> Any:
    """Return the greatest value of one ordered type."""
    return _extreme(run, "max", ">", _spread(items))


def _numbers(run: Run, name: str, items: tuple[Any, ...]) -> Any:
    values = _spread(items)
    run.spend(len(values))
    if not values or not all(isinstance(value, Decimal) for value in values):
        return failed(run, name, "takes a list of numbers that is not empty")
    return values


def _fold(run: Run, name: str, values: list[Any], operation: Callable[[Run, Any, Any], Any]) -> Any:
    total = values[0]
    for value in values[1:]:
        total = operation(run, total, value)
        if total is None:
            return failed(run, name, "the values cannot be added up")
    return total


@builtin("sum(list: list)", "sum(*n: any)")
def sum_(run: Run, *items: Any) -> Any:
    """Add up numbers, or durations of one kind."""
    values = _spread(items)
    run.spend(len(values))
    if values and isinstance(values[0], DaysDuration | MonthsDuration):
        return _fold(run, "sum", values, operators.add)
    found = _numbers(run, "sum", items)
    return None if found is None else _fold(run, "sum", found, operators.add)


@builtin("product(list: list)", "product(*n: any)")
def product(run: Run, *items: Any) -> Any:
    """Multiply numbers."""
    values = _numbers(run, "product", items)
    return None if values is None else _fold(run, "product", values, operators.multiply)


@builtin("mean(list: list)", "mean(*n: any)")
def mean(run: Run, *items: Any) -> Any:
    """Return the average."""
    total = sum_(run, *items)
    return None if total is None else operators.divide(run, total, Decimal(len(_spread(items))))


@builtin("median(list: list)", "median(*n: any)")
def median(run: Run, *items: Any) -> Any:
    """Return the middle value, or the mean of both."""
    values = _numbers(run, "median", items)
    if values is None:
        return None
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return NUMBERS.divide(NUMBERS.add(ordered[middle - 1], ordered[middle]), Decimal(2))


@builtin("stddev(list: list)", "stddev(*n: any)")
def stddev(run: Run, *items: Any) -> Any:
    """Return the sample standard deviation."""
    values = _numbers(run, "stddev", items)
    if values is None or len(values) < 2:
        return failed(run, "stddev", "takes at least two numbers")
    try:
        average = NUMBERS.divide(_fold(run, "stddev", values, operators.add), Decimal(len(values)))
        squares = Decimal(0)
        for value in values:
            deviation = NUMBERS.subtract(value, average)
            squares = NUMBERS.add(squares, NUMBERS.multiply(deviation, deviation))
        return NUMBERS.sqrt(NUMBERS.divide(squares, Decimal(len(values) - 1)))
    except (DecimalException, TypeError):
        return failed(run, "stddev", "number out of range")


@builtin("mode(list: list)", "mode(*n: any)")
def mode(run: Run, *items: Any) -> Any:
    """Return the most frequent numbers, ascending."""
    if items == ([],):
        return []
    values = _numbers(run, "mode", items)
    if values is None:
        return None
    counts: dict[Decimal, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    most = max(counts.values())
    return sorted(value for value, times in counts.items() if times == most)


@builtin("all(list: list)", "all(*b: any)", "and(list: list)", "and(*b: any)")
def all_(run: Run, *items: Any) -> Any:
    """Return the conjunction; null when undecided or not boolean."""
    values = _spread(items)
    run.spend(len(values))
    if any(value is False for value in values):
        return False
    return True if all(value is True for value in values) else None


@builtin("any(list: list)", "any(*b: any)", "or(list: list)", "or(*b: any)")
def any_(run: Run, *items: Any) -> Any:
    """Return the disjunction; null when undecided or not boolean."""
    values = _spread(items)
    run.spend(len(values))
    if any(value is True for value in values):
        return True
    return False if all(value is False for value in values) else None


@builtin(
    "sublist(list: list, start position: number)",
    "sublist(list: list, start position: number, length?: number)",
)
def sublist(run: Run, items: list[Any], start: Decimal, length: Decimal | None = None) -> Any:
    """Return a part of a list."""
    first = numbers.as_int(start)
    if not first or abs(first) > len(items):
        return failed(run, "sublist", "start position is outside the list")
    begin = first - 1 if first > 0 else len(items) + first
    if length is None:
        return items[begin:]
    if length < 1 or begin + length > len(items):
        return failed(run, "sublist", "length is outside the list")
    return items[begin : begin + int(length)]


@builtin("append(list: list, *item: any)", "append(list: list, *items: any)")
def append(run: Run, items: list[Any], *more: Any) -> list[Any]:
    """Return the list with values added."""
    run.check_items(len(items) + len(more))
    return [*items, *more]


@builtin("concatenate(*list: list)", "concatenate(*lists: list)")
def concatenate(run: Run, *lists: list[Any]) -> list[Any]:
    """Return all items of several lists."""
    run.check_items(sum(map(len, lists)))
    return [item for items in lists for item in items]


@builtin("insert before(list: list, position: number, newItem: any)")
def insert_before(run: Run, items: list[Any], position: Decimal, value: Any) -> Any:
    """Return the list with a value put in front of a position."""
    index = _index(items, position)
    return (
        failed(run, "insert before", "no such position")
        if index is None
        else [*items[:index], value, *items[index:]]
    )


@builtin("remove(list: list, position: number)")
def remove(run: Run, items: list[Any], position: Decimal) -> Any:
    """Return the list without the item at a position."""
    index = _index(items, position)
    return (
        failed(run, "remove", "no such position") if index is None else [*items[:index], *items[index + 1 :]]
    )


def _index(items: list[Any], position: Decimal) -> int | None:
    number = numbers.as_int(position)
    if not number or abs(number) > len(items):
        return None
    return number - 1 if number > 0 else len(items) + number


@builtin("list replace(list: list, position: number, newItem: any)")
def list_replace(run: Run, items: list[Any], position: Decimal, value: Any) -> Any:
    """Return the list with another item at a position; a fraction of the position is cut off."""
    index = _index(items, position.to_integral_value(ROUND_DOWN)) if position.adjusted() < 34 else None
    return (
        failed(run, "list replace", "no such position")
        if index is None
        else [*items[:index], value, *items[index + 1 :]]
    )


@builtin("list replace(list: list, match: function, newItem: any)")
def list_replace_matching(run: Run, items: list[Any], match: Function, value: Any) -> Any:
    """Return the list with another value for every item that `match(item, new)` accepts."""
    run.spend(len(items))
    replaced: list[Any] = []
    for item in items:
        outcome = invoke(run, match, [item, value])
        if not isinstance(outcome, bool):
            return failed(run, "list replace", "match function gives no boolean")
        replaced.append(value if outcome else item)
    return replaced


@builtin("reverse(list: list)")
def reverse(run: Run, items: list[Any]) -> list[Any]:
    """Return the list backwards."""
    return items[::-1]


@builtin("index of(list: list, match: any)")
def index_of(run: Run, items: list[Any], match: Any) -> list[Decimal]:
    """Return all positions of a value."""
    run.spend(len(items))
    return [Decimal(n) for n, item in enumerate(items, 1) if operators.equals(run, item, match) is True]


@builtin("distinct values(list: list)")
def distinct_values(run: Run, items: list[Any]) -> list[Any]:
    """Return the list without repeated values; the first of each stays."""
    kept: list[Any] = []
    for item in items:
        run.spend(len(kept) + 1)
        if not any(operators.equals(run, item, other) is True for other in kept):
            kept.append(item)
    return kept


@builtin("duplicate values(list: list)")
def duplicate_values(run: Run, items: list[Any]) -> list[Any]:
    """Return each value that the list holds more than once."""
    result: list[Any] = []
    for item in distinct_values(run, items):
        run.spend(len(items))
        if sum(operators.equals(run, item, other) is True for other in items) > 1:
            result.append(item)
    return result


@builtin("union(*list: list)", "union(*lists: list)")
def union(run: Run, *lists: list[Any]) -> Any:
    """Return the distinct values of several lists."""
    return distinct_values(run, concatenate(run, *lists))


@builtin("flatten(list: list)")
def flatten(run: Run, items: list[Any]) -> Any:
    """Return all values of nested lists in one list."""
    flat: list[Any] = []
    if not _flatten_into(run, items, flat, FLATTEN_DEPTH_MAX):
        return failed(run, "flatten", "lists are nested too deeply")
    return flat


def _flatten_into(run: Run, items: list[Any], flat: list[Any], depth: int) -> bool:
    run.check_items(len(items))
    for item in items:
        if not isinstance(item, list):
            flat.append(item)
        elif depth == 0 or not _flatten_into(run, item, flat, depth - 1):
            return False
    return True


@builtin("sort(list: list, precedes: function)")
def sort(run: Run, items: list[Any], precedes: Function) -> Any:
    """Sort by a function that tells whether its first argument comes first."""

    def order(left: Any, right: Any) -> int:
        if invoke(run, precedes, [left, right]) is True:
            return -1
        return 1 if invoke(run, precedes, [right, left]) is True else 0

    return sorted(items, key=cmp_to_key(order))


@builtin("sort(list: list)")
def sort_plain(run: Run, items: list[Any]) -> Any:
    """Sort values of one ordered type."""
    if any(operators.compare(run, "<=", item, items[0]) is None for item in items):
        return failed(run, "sort", "items cannot be ordered")
    run.spend(len(items) * 10)
    return sorted(items, key=cmp_to_key(lambda a, b: -1 if operators.compare(run, "<", a, b) else 1))


@builtin("is empty(list: list)")
def is_empty(run: Run, items: list[Any]) -> bool:
    """Tell whether a list has no items."""
    return not items


@builtin("partition(list: list, size: number)")
def partition(run: Run, items: list[Any], size: Decimal) -> Any:
    """Cut a list into lists of a size; the last may be shorter."""
    width = numbers.as_int(size)
    if width is None or width < 1:
        return failed(run, "partition", "size must be a whole number above zero")
    return [items[start : start + width] for start in range(0, len(items), width)]
