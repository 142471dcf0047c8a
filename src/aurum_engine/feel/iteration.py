"""`for`, `some`, `every` and filters. Pure; every item visited is paid from the run's budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from aurum_engine.feel import nodes, numbers, operators
from aurum_engine.feel.runtime import ITEMS_MAX, BudgetExceeded, Run, Scope
from aurum_engine.feel.temporal import Date, date_from_days, day_number
from aurum_engine.feel.values import Range, type_name

Code = Callable[[Scope], Any]
Source = tuple[str, Code, Code | None]


def compile_for(iterators: tuple[Source, ...], body: Code, *, uses_partial: bool) -> Code:
    """Return the closure of `for`; a body that asks for it sees the results so far as `partial`."""

    def run_for(scope: Scope) -> Any:
        results: list[Any] = []
        for variables in _product(scope, iterators, {}):
            if variables is None:
                return None
            scope.run.spend(1)
            if len(results) >= ITEMS_MAX:
                raise BudgetExceeded(f"a list has more than {ITEMS_MAX} items")
            if uses_partial:
                # A copy, because the body may keep it: the list must not end up inside itself.
                scope.run.spend(len(results))
                variables["partial"] = list(results)
            results.append(body(Scope(variables, scope, scope.run)))
        return results

    return run_for


def compile_quantified(iterators: tuple[Source, ...], condition: Code, *, every: bool) -> Code:
    """Return the closure of `some` or `every`."""

    def run_quantified(scope: Scope) -> Any:
        result: Any = every
        for variables in _product(scope, iterators, {}):
            if variables is None:
                return None
            scope.run.spend(1)
            outcome = condition(Scope(variables, scope, scope.run))
            if outcome is (not every):
                return outcome
            if outcome is None:
                result = None
            elif not isinstance(outcome, bool):
                return scope.run.warn("INVALID_TYPE", "Expected a boolean after 'satisfies'")
        return result

    return run_quantified


def _product(
    scope: Scope, iterators: tuple[Source, ...], variables: dict[str, Any]
) -> Iterator[dict[str, Any] | None]:
    """Yield the variables of every combination; None once when a source cannot be iterated."""
    name, source, end = iterators[0]
    items = _items(scope, source, end, variables)
    if items is None:
        yield None
        return
    for item in items:
        inner = {**variables, name: item}
        if len(iterators) == 1:
            yield inner
        else:
            yield from _product(scope, iterators[1:], inner)


def _items(scope: Scope, source: Code, end: Code | None, variables: dict[str, Any]) -> Any:
    inner = Scope(variables, scope, scope.run)
    value = source(inner)
    if end is not None:
        return span(scope.run, value, end(inner))
    if isinstance(value, Range):
        return range_items(scope.run, value)
    if isinstance(value, list):
        return value
    if value is None:
        return scope.run.warn("INVALID_TYPE", "Expected list but found 'null'")
    return [value]


def range_items(run: Run, interval: Range) -> Any:
    """Return the whole numbers or days of a range, null when it has no such bounds."""
    ordered = operators.compare(run, "<=", interval.low, interval.high)
    items = span(run, interval.low, interval.high) if ordered else None
    if items is None:
        return run.warn("INVALID_TYPE", "Can't iterate over a range whose start is not below its end")
    first = 0 if interval.low_closed else 1
    return items[first:] if interval.high_closed else items[first:-1]


def span(run: Run, low: Any, high: Any) -> Any:
    """Return all whole numbers or days from `low` to `high`, downwards when `high` is less."""
    if isinstance(low, Decimal) and isinstance(high, Decimal):
        first, last = numbers.as_int(low), numbers.as_int(high)
        if first is not None and last is not None:
            run.check_items(abs(last - first) + 1)
            step = 1 if first <= last else -1
            return [Decimal(n) for n in range(first, last + step, step)]
    elif isinstance(low, Date) and isinstance(high, Date):
        first, last = day_number(low), day_number(high)
        run.check_items(abs(last - first) + 1)
        step = 1 if first <= last else -1
        return [date_from_days(n) for n in range(first, last + step, step)]
    return run.warn("INVALID_TYPE", f"Can't iterate from {type_name(low)} to {type_name(high)}")


_CONDITIONS = (nodes.Between, nodes.In, nodes.InstanceOf, nodes.Quantified)


def _is_condition(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Binary):
        return node.operator in ("and", "or", "=", "!=", "<", "<=", ">", ">=")
    return isinstance(node, _CONDITIONS)


def compile_filter(base: Code, condition: Code, node: nodes.Node) -> Code:
    """Return the closure of `base[condition]`; a number selects one item, from 1 or from -1."""
    always_condition = _is_condition(node)
    reads_item = not isinstance(node, nodes.Literal | nodes.Negate)

    def select(scope: Scope) -> Any:
        value = base(scope)
        if value is None and not always_condition:
            return scope.run.warn("INVALID_TYPE", "Expected list but found 'null'")
        items = value if isinstance(value, list) else [] if value is None else [value]
        scope.run.spend(len(items))
        if not always_condition:
            first = _item_scope(scope, items[0]) if items and reads_item else scope
            index = condition(first)
            if isinstance(index, Decimal):
                return _at(scope.run, items, index)
        return [item for item in items if condition(_item_scope(scope, item)) is True]

    return select


def _item_scope(scope: Scope, item: Any) -> Scope:
    variables = {"item": item, **item} if isinstance(item, dict) else {"item": item}
    return Scope(variables, scope, scope.run)


def _at(run: Run, items: list[Any], index: Decimal) -> Any:
    position = numbers.as_int(index)
    if position and -len(items) <= position <= len(items):
        return items[position - 1 if position > 0 else position]
    return run.warn("INVALID_ARGUMENT", f"List has no item at {numbers.to_text(index)}")
