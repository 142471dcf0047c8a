"""Boxed expressions of DMN XML to the model. Pure."""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree

from aurum_engine.dmn.errors import InvalidDmn
from aurum_engine.dmn.model import (
    Boxed,
    Conditional,
    Context,
    Entry,
    FilterBox,
    FunctionBox,
    InputClause,
    Invocation,
    IteratorBox,
    ListBox,
    Literal,
    OutputClause,
    Relation,
    Rule,
    Table,
    Variable,
)
from aurum_engine.feel.names import canonical

HIT_POLICIES = frozenset(("UNIQUE", "FIRST", "ANY", "PRIORITY", "COLLECT", "RULE ORDER", "OUTPUT ORDER"))
AGGREGATIONS = frozenset(("SUM", "MIN", "MAX", "COUNT"))


def local(element: etree._Element) -> str:
    """Return the tag without its namespace."""
    return etree.QName(element).localname


def children(element: etree._Element, name: str | None = None) -> list[etree._Element]:
    """Return child elements, all or those of one local name."""
    return [e for e in element if isinstance(e.tag, str) and (name is None or local(e) == name)]


def child(element: etree._Element, name: str) -> etree._Element | None:
    """Return the first child element of a local name."""
    found = children(element, name)
    return found[0] if found else None


def text_of(element: etree._Element, name: str) -> str | None:
    """Return the stripped text of a child element, None when it is absent or empty."""
    found = child(element, name)
    return None if found is None else "".join(str(part) for part in found.itertext()).strip() or None


def read_boxed(element: etree._Element | None) -> Boxed | None:
    """Return the expression an element holds, None when it is not one."""
    reader = None if element is None else _READERS.get(local(element))
    return None if reader is None or element is None else reader(element)


def _boxed_in(element: etree._Element, name: str | None = None) -> Boxed | None:
    """Return the first expression among the children (of the child `name`)."""
    parent = element if name is None else child(element, name)
    if parent is None:
        return None
    for candidate in children(parent):
        boxed = read_boxed(candidate)
        if boxed is not None:
            return boxed
    return None


def _needed(element: etree._Element, name: str | None = None) -> Boxed:
    boxed = _boxed_in(element, name)
    if boxed is None:
        raise InvalidDmn(
            element.get("id"), f"{local(element)} has no expression{f' in {name}' if name else ''}"
        )
    return boxed


def _literal(element: etree._Element) -> Boxed:
    language = element.get("expressionLanguage")
    if language and "feel" not in language.lower():
        raise InvalidDmn(element.get("id"), f"expression language {language!r} is not supported")
    return Literal(element.get("id"), element.get("typeRef"), text_of(element, "text") or "")


def _context(element: etree._Element) -> Boxed:
    entries: list[Entry] = []
    for entry in children(element, "contextEntry"):
        variable = child(entry, "variable")
        name = None if variable is None else canonical(variable.get("name") or "")
        type_ref = None if variable is None else variable.get("typeRef")
        entries.append(Entry(name, type_ref, _needed(entry)))
    return Context(element.get("id"), element.get("typeRef"), tuple(entries))


def _list(element: etree._Element) -> Boxed:
    items = tuple(item for item in map(read_boxed, children(element)) if item is not None)
    return ListBox(element.get("id"), element.get("typeRef"), items)


def _relation(element: etree._Element) -> Boxed:
    columns = tuple(canonical(column.get("name") or "") for column in children(element, "column"))
    rows = tuple(
        tuple(cell for cell in map(read_boxed, children(row)) if cell is not None)
        for row in children(element, "row")
    )
    if any(len(row) != len(columns) for row in rows):
        raise InvalidDmn(element.get("id"), "a row of the relation has not one cell per column")
    return Relation(element.get("id"), element.get("typeRef"), columns, rows)


def read_function(element: etree._Element) -> FunctionBox:
    """Return a function definition (or the encapsulated logic of a knowledge model)."""
    parameters = tuple(
        Variable(canonical(p.get("name") or ""), p.get("typeRef") or text_of(p, "typeRef"))
        for p in children(element, "formalParameter")
    )
    return FunctionBox(
        element.get("id"),
        element.get("typeRef"),
        parameters,
        _boxed_in(element),
        element.get("kind") or "FEEL",
    )


def _invocation(element: etree._Element) -> Boxed:
    bindings: list[tuple[str, Boxed | None]] = []
    for binding in children(element, "binding"):
        parameter = child(binding, "parameter")
        if parameter is None:
            raise InvalidDmn(element.get("id"), "binding without a parameter")
        bindings.append((canonical(parameter.get("name") or ""), _boxed_in(binding)))
    return Invocation(element.get("id"), element.get("typeRef"), _needed(element), tuple(bindings))


def _conditional(element: etree._Element) -> Boxed:
    return Conditional(
        element.get("id"),
        element.get("typeRef"),
        _needed(element, "if"),
        _needed(element, "then"),
        _needed(element, "else"),
    )


def _filter(element: etree._Element) -> Boxed:
    return FilterBox(
        element.get("id"), element.get("typeRef"), _needed(element, "in"), _needed(element, "match")
    )


def _iterator(element: etree._Element) -> Boxed:
    kind = local(element)
    return IteratorBox(
        element.get("id"),
        element.get("typeRef"),
        kind,
        canonical(element.get("iteratorVariable") or ""),
        _needed(element, "in"),
        _needed(element, "return" if kind == "for" else "satisfies"),
    )


def _table(element: etree._Element) -> Boxed:
    table_id = element.get("id")
    hit_policy = element.get("hitPolicy") or "UNIQUE"
    aggregation = element.get("aggregation")
    if hit_policy not in HIT_POLICIES:
        raise InvalidDmn(table_id, f"unknown hit policy {hit_policy!r}")
    if aggregation is not None and (aggregation not in AGGREGATIONS or hit_policy != "COLLECT"):
        raise InvalidDmn(table_id, f"aggregation {aggregation!r} is not possible with {hit_policy}")
    inputs = tuple(_input(clause, n) for n, clause in enumerate(children(element, "input"), 1))
    outputs = tuple(_output(clause, n) for n, clause in enumerate(children(element, "output"), 1))
    rules = tuple(_rule(rule, n) for n, rule in enumerate(children(element, "rule"), 1))
    if not outputs:
        raise InvalidDmn(table_id, "decision table has no output")
    if aggregation is not None and len(outputs) > 1:
        raise InvalidDmn(table_id, f"aggregation {aggregation} needs one output, found {len(outputs)}")
    for rule in rules:
        if len(rule.inputs) != len(inputs) or len(rule.outputs) != len(outputs):
            raise InvalidDmn(rule.rule_id, "rule has not one cell per column")
    return Table(table_id, element.get("typeRef"), inputs, outputs, rules, hit_policy, aggregation)


def _input(element: etree._Element, number: int) -> InputClause:
    expression = child(element, "inputExpression")
    text = None if expression is None else text_of(expression, "text")
    allowed = child(element, "inputValues")
    return InputClause(
        element.get("id") or f"input_{number}",
        element.get("label") or text or f"input {number}",
        text or "null",
        None if allowed is None else text_of(allowed, "text"),
    )


def _output(element: etree._Element, number: int) -> OutputClause:
    allowed = child(element, "outputValues")
    default = child(element, "defaultOutputEntry")
    name = canonical(element.get("name") or "")
    return OutputClause(
        element.get("id") or f"output_{number}",
        name,
        element.get("label") or name,
        None if allowed is None else text_of(allowed, "text"),
        None if default is None else text_of(default, "text"),
    )


def _rule(element: etree._Element, number: int) -> Rule:
    return Rule(
        element.get("id") or f"rule_{number}",
        tuple(text_of(cell, "text") or "-" for cell in children(element, "inputEntry")),
        tuple(text_of(cell, "text") or "null" for cell in children(element, "outputEntry")),
    )


_READERS: dict[str, Callable[[etree._Element], Boxed]] = {
    "literalExpression": _literal,
    "context": _context,
    "list": _list,
    "relation": _relation,
    "functionDefinition": read_function,
    "invocation": _invocation,
    "conditional": _conditional,
    "filter": _filter,
    "for": _iterator,
    "some": _iterator,
    "every": _iterator,
    "decisionTable": _table,
}
