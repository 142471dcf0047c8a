"""Can a process get stuck by its own drawing? Looks at the flow of tokens, never at data.

Every scope is explored by itself, with a sub-process as one step: all markings (how many tokens wait on
which sequence flow) that choices, events and joins can lead to. What is said holds for some run if the
conditions allow it; a process without findings can always reach its end. Pure and bounded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from aurum_engine.bpmn.model import SCOPE_TYPES, Element, ElementType, EventKind, Process

MARKINGS_MAX = 5_000
"""Markings explored in one scope; a drawing with more is reported as not examined to the end."""

TOKENS_MAX = 2
"""Tokens on one flow that are told apart: two show that it is entered twice, more show nothing new."""

SUBSETS_MAX = 6
"""Flows of an inclusive gateway of which every subset is tried; of more, each alone and all together."""

Marking = frozenset[tuple[str, int]]
"""Flow id and number of tokens on it; flows without tokens are left out."""


_NOT_ENTERED = (ElementType.EVENT_SUB_PROCESS, ElementType.AD_HOC_SUB_PROCESS_INNER_INSTANCE)
"""Elements to which no token comes: an event or a worker begins them."""


class Severity(StrEnum):
    """What a finding means for a run."""

    ERROR = "error"
    """Some run cannot reach its end, or an element can never run."""
    WARNING = "warning"
    """It may be meant so, or data decides."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """What is wrong at an element, as one sentence."""

    severity: Severity
    element_id: str
    reason: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.element_id!r}: {self.reason}"


def examine(process: Process) -> tuple[Finding, ...]:
    """Return the findings of a process, errors first."""
    findings: list[Finding] = []
    for scope in process.elements.values():
        if scope.type in SCOPE_TYPES:
            findings += _Scope(process, scope).findings()
    findings += _choices(process)
    return tuple(sorted(set(findings)))


def _choices(process: Process) -> Iterator[Finding]:
    for element in process.elements.values():
        if element.type not in (ElementType.EXCLUSIVE_GATEWAY, ElementType.INCLUSIVE_GATEWAY):
            continue
        flows = process.outgoing(element)
        if flows and element.default_flow is None and all(flow.condition is not None for flow in flows):
            reason = "has no default flow: an incident when no condition is true"
            yield Finding(Severity.WARNING, element.id, reason)


class _Scope:
    """One scope as a net: which steps are possible in a marking, and where they lead."""

    def __init__(self, process: Process, scope: Element) -> None:
        self.process = process
        self.scope = scope
        inside = [element for element in process.elements.values() if element.parent_id == scope.id]
        self.nodes = [process.entry(element.id) for element in inside if element.id != process.id]
        self.steps = [n for n in self.nodes if n.type not in _NOT_ENTERED]
        flows = [process.flows[flow_id] for node in self.nodes for flow_id in node.outgoing]
        self.targets = {flow.id: flow.target_id for flow in flows}
        self.fired: set[str] = set()
        self._reachable: dict[str, frozenset[str]] = {}
        self.beside = self._beside()

    def findings(self) -> Iterator[Finding]:
        """Explore from every way to begin and say what came out."""
        starts = self._starts()
        stuck: set[Marking] = set()
        endless: set[Marking] = set()
        twice: set[str] = set()
        for start in starts:
            graph = self._explore([_with(frozenset(), produced) for produced in self._fire(start)])
            if graph is None:
                reason = f"has more than {MARKINGS_MAX} states and was not examined to the end"
                yield Finding(Severity.WARNING, self.scope.id, reason)
                return
            stuck |= {marking for marking, following in graph.items() if marking and not following}
            twice |= {
                self.targets[flow]
                for m in graph
                for flow, count in m
                if count > 1 and flow not in self.beside
            }
            endless |= graph.keys() - _leading_to(graph, {frozenset(), *stuck})
        yield from self._deadlocks(stuck)
        yield from self._without_end(endless)
        for element_id in sorted(twice):
            yield Finding(Severity.WARNING, element_id, "can be entered by two tokens that nothing joins")
        if starts:
            yield from self._dead()

    def _starts(self) -> list[Element]:
        if self.scope.type is ElementType.AD_HOC_SUB_PROCESS:
            ids = () if self.scope.ad_hoc is None else self.scope.ad_hoc.activatable
        elif self.scope.type is ElementType.PROCESS:
            ids = self.process.start_event_ids
        else:
            ids = () if self.scope.start_event_id is None else (self.scope.start_event_id,)
        return [self.process.entry(element_id) for element_id in ids]

    def _explore(self, begin: list[Marking]) -> dict[Marking, set[Marking]] | None:
        """Return every marking with those that follow it; None when there are too many."""
        graph: dict[Marking, set[Marking]] = {}
        pending = deque(begin)
        while pending:
            marking = pending.popleft()
            if marking in graph:
                continue
            if len(graph) >= MARKINGS_MAX:
                return None
            graph[marking] = set(self._following(marking))
            pending.extend(graph[marking])
        return graph

    def _following(self, marking: Marking) -> Iterator[Marking]:
        tokens = dict(marking)
        for element_id in sorted({self.targets[flow] for flow in tokens}):
            element = self.process.entry(element_id)
            for rest in self._consumed(element, tokens):
                for produced in self._fire(element):
                    yield frozenset() if _ends_scope(element) else _with(rest, produced)

    def _consumed(self, element: Element, tokens: dict[str, int]) -> Iterator[Marking]:
        """Yield what is left when the element takes its tokens; nothing when it has to wait."""
        waiting = [flow for flow in element.incoming if flow in tokens]
        if element.type is ElementType.PARALLEL_GATEWAY:
            if len(waiting) == len(element.incoming):
                yield _without(tokens, waiting)
        elif element.type is ElementType.INCLUSIVE_GATEWAY:
            missing = [flow for flow in element.incoming if flow not in tokens]
            others = [flow for flow in tokens if flow not in waiting]
            if not any(flow in self._from(other) for other in others for flow in missing):
                yield _without(tokens, waiting)
        else:
            for flow in waiting:
                yield _without(tokens, [flow])

    def _fire(self, element: Element) -> Iterator[tuple[str, ...]]:
        """Yield the flows that get a token, one way after the other."""
        self.fired.add(element.id)
        out = element.outgoing
        if element.type in (ElementType.EXCLUSIVE_GATEWAY, ElementType.EVENT_BASED_GATEWAY):
            yield from ((flow,) for flow in out)
            return
        if element.type is ElementType.INCLUSIVE_GATEWAY and len(out) > 1:
            sizes = range(1, len(out) + 1) if len(out) <= SUBSETS_MAX else (1, len(out))
            for size in sizes:
                yield from combinations(out, size)
            return
        yield out
        for boundary in self.process.boundaries(element):
            self.fired.add(boundary.id)
            yield boundary.outgoing if boundary.interrupting else (*out, *boundary.outgoing)

    def _from(self, flow: str) -> frozenset[str]:
        """Return the flows that a token on `flow` can come to."""
        if flow not in self._reachable:
            found: set[str] = set()
            pending = [flow]
            while pending:
                element = self.process.entry(self.targets[pending.pop()])
                after = [*element.outgoing]
                for boundary in self.process.boundaries(element):
                    after += boundary.outgoing
                new = [out for out in after if out not in found]
                found.update(new)
                pending += new
            self._reachable[flow] = frozenset(found)
        return self._reachable[flow]

    def _beside(self) -> frozenset[str]:
        """Return the flows after non-interrupting boundary events: several tokens there are meant."""
        events = (n for n in self.nodes if n.type is ElementType.BOUNDARY_EVENT and not n.interrupting)
        begin = [flow for event in events for flow in event.outgoing]
        return frozenset(begin).union(*(self._from(flow) for flow in begin))

    def _deadlocks(self, stuck: Iterable[Marking]) -> Iterator[Finding]:
        waits: dict[str, set[str]] = {}
        for marking in stuck:
            tokens = dict(marking)
            for element_id in {self.targets[flow] for flow in tokens}:
                missing = {flow for flow in self.process.entry(element_id).incoming if flow not in tokens}
                waits.setdefault(element_id, set()).update(missing)
        for element_id, missing in sorted(waits.items()):
            names = " and ".join(sorted(repr(self.process.flows[flow].source_id) for flow in missing))
            yield Finding(Severity.ERROR, element_id, f"can wait for ever for a token from {names}")

    def _without_end(self, endless: Iterable[Marking]) -> Iterator[Finding]:
        for element_id in sorted({self.targets[flow] for marking in endless for flow, _ in marking}):
            yield Finding(Severity.ERROR, element_id, "can be entered when no end can be reached any more")

    def _dead(self) -> Iterator[Finding]:
        for element in self.steps:
            if element.id not in self.fired and element.event is not EventKind.LINK:
                yield Finding(Severity.ERROR, element.id, "can never run: no token comes here")


def _ends_scope(element: Element) -> bool:
    return element.type is ElementType.END_EVENT and element.event in (EventKind.TERMINATE, EventKind.ERROR)


def _with(marking: Marking, produced: tuple[str, ...]) -> Marking:
    tokens = dict(marking)
    for flow in produced:
        tokens[flow] = min(TOKENS_MAX, tokens.get(flow, 0) + 1)
    return frozenset(tokens.items())


def _without(tokens: dict[str, int], taken: list[str]) -> Marking:
    return frozenset(
        (flow, count - (flow in taken)) for flow, count in tokens.items() if count > 1 or flow not in taken
    )


def _leading_to(graph: Mapping[Marking, set[Marking]], wanted: set[Marking]) -> set[Marking]:
    """Return the markings from which a wanted one can be reached."""
    before: dict[Marking, list[Marking]] = {}
    for marking, following in graph.items():
        for after in following:
            before.setdefault(after, []).append(marking)
    found = graph.keys() & wanted
    pending = list(found)
    while pending:
        new = [marking for marking in before.get(pending.pop(), ()) if marking not in found]
        found.update(new)
        pending += new
    return found
