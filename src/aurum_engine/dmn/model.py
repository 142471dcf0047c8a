"""Parts of a DMN decision requirements graph, as read from XML. Frozen data, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass

from aurum_engine.feel.nodes import TypeName


@dataclass(frozen=True, slots=True)
class ItemDefinition:
    """A named type: a reference or components, perhaps a collection, perhaps with allowed values."""

    type_name: TypeName
    allowed: str | None = None
    is_function: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A name and the reference to its type, if it has one."""

    name: str
    type_ref: str | None = None


@dataclass(frozen=True, slots=True)
class Boxed:
    """Base of boxed expressions; `element_id` names the element in errors."""

    element_id: str | None
    type_ref: str | None = None


@dataclass(frozen=True, slots=True)
class Literal(Boxed):
    """A FEEL expression."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A context entry; the entry without a name is the result of the context."""

    name: str | None
    type_ref: str | None
    value: Boxed


@dataclass(frozen=True, slots=True)
class Context(Boxed):
    """Entries in order; later ones see earlier ones."""

    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class ListBox(Boxed):
    """A list of expressions."""

    items: tuple[Boxed, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation(Boxed):
    """Rows of cells: a list of contexts."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Boxed, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class FunctionBox(Boxed):
    """A function definition; `kind` is FEEL, Java or PMML."""

    parameters: tuple[Variable, ...] = ()
    body: Boxed | None = None
    kind: str = "FEEL"


@dataclass(frozen=True, slots=True)
class Invocation(Boxed):
    """A call with arguments by name."""

    function: Boxed | None = None
    bindings: tuple[tuple[str, Boxed | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Conditional(Boxed):
    """Boxed if, then, else."""

    condition: Boxed | None = None
    yes: Boxed | None = None
    no: Boxed | None = None


@dataclass(frozen=True, slots=True)
class FilterBox(Boxed):
    """Boxed filter: items of a list for which `match` holds."""

    source: Boxed | None = None
    match: Boxed | None = None


@dataclass(frozen=True, slots=True)
class IteratorBox(Boxed):
    """Boxed `for`, `some` or `every` (see `kind`)."""

    kind: str = "for"
    variable: str = ""
    source: Boxed | None = None
    body: Boxed | None = None


@dataclass(frozen=True, slots=True)
class InputClause:
    """A column of conditions."""

    input_id: str
    label: str
    expression: str
    allowed: str | None = None


@dataclass(frozen=True, slots=True)
class OutputClause:
    """A column of results."""

    output_id: str
    name: str
    label: str
    allowed: str | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A row: one cell of text per column."""

    rule_id: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table(Boxed):
    """A decision table. `hit_policy` is the DMN word in capitals, `aggregation` SUM, MIN, MAX or COUNT."""

    inputs: tuple[InputClause, ...] = ()
    outputs: tuple[OutputClause, ...] = ()
    rules: tuple[Rule, ...] = ()
    hit_policy: str = "UNIQUE"
    aggregation: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision and the local ids of what it requires."""

    decision_id: str
    name: str
    variable: Variable
    logic: Boxed | None
    required_decisions: tuple[str, ...]
    required_inputs: tuple[str, ...]
    required_knowledge: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A business knowledge model: a function by name."""

    element_id: str
    variable: Variable
    function: FunctionBox | None
    required_knowledge: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Service:
    """A decision service; parameters are its input data, then its input decisions."""

    element_id: str
    variable: Variable
    outputs: tuple[str, ...]
    encapsulated: tuple[str, ...]
    input_decisions: tuple[str, ...]
    input_data: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definitions:
    """One DMN file; `names` holds every name its expressions may use."""

    drg_id: str
    name: str
    namespace: str
    decisions: dict[str, Decision]
    inputs: dict[str, Variable]
    knowledge: dict[str, Knowledge]
    services: dict[str, Service]
    types: dict[str, ItemDefinition]
    names: tuple[str, ...]
