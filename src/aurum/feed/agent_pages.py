"""What the search pages show of the agent: committed turns and returned tools. Sans-IO.

Both are entries of lists that only grow, in variables of the ad-hoc sub-process: `messages` (one
entry a committed turn) and `toolCallResults` (one entry a tool that has returned). Each tool keeps
the id of its call in a local variable `toolCallId`, which says when a turn's tools began.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from aurum.camunda.models import ElementInstanceRow, VariableRow
from aurum.facts.turns import (
    ToolReturned,
    TurnCommitted,
    TurnId,
    committed_turn,
    returned_tool,
    visit_of_call,
)

AD_HOC = "AD_HOC_SUB_PROCESS"


@dataclass(frozen=True, slots=True)
class AgentPages:
    """The agent's part of one case's pages. `calls` is tool element instance key -> call id."""

    turns: tuple[TurnCommitted, ...]
    returned: tuple[ToolReturned, ...]
    calls: Mapping[str, str]

    def is_unanswered(self, element: ElementInstanceRow, open_ad_hocs: frozenset[str]) -> bool:
        """Has this tool ended without its return being visible yet?

        It will be: the engine collects it when the activation ends. Not after the agent has ended.
        """
        call_id = self.calls.get(element.element_instance_key)
        if call_id is None or any(tool.call_id == call_id for tool in self.returned):
            return False
        return visit_of_call(call_id) in open_ad_hocs


def agent_pages(elements: Sequence[ElementInstanceRow], variables: Sequence[VariableRow]) -> AgentPages:
    """Return what the pages show of all visits of the agent."""
    ad_hocs = {row.element_instance_key for row in elements if row.type == AD_HOC}
    turns: list[TurnCommitted] = []
    returned: list[ToolReturned] = []
    calls: dict[str, str] = {}
    for row in variables:
        if row.name == "toolCallId":
            value = row.parsed()
            if isinstance(value, str):
                calls[row.scope_key] = value
        elif row.scope_key in ad_hocs and row.name == "messages":
            turns += [turn for item in _items(row) if (turn := committed_turn(item)) is not None]
        elif row.scope_key in ad_hocs and row.name == "toolCallResults":
            returned += [tool for item in _items(row) if (tool := returned_tool(item)) is not None]
    turns.sort(key=lambda turn: TurnId.parse(turn.turn_id))
    return AgentPages(tuple(turns), tuple(returned), calls)


Place = tuple[int, int, int]
"""Engine time, element key, rank: where `reconcile` puts a fact."""


def placed_turns(
    pages: AgentPages, elements: Sequence[ElementInstanceRow], *, before: int, latest: int
) -> Iterable[tuple[Place, TurnCommitted]]:
    """Place each turn just before the first tool it called; a last turn just before the agent's end.

    `before` ranks ahead of an element's start; `latest` is a key after every other.
    """
    rows = {row.element_instance_key: row for row in elements}
    for turn in pages.turns:
        ids = {str(call.get("id")) for call in turn.calls}
        first = min((int(key) for key, call_id in pages.calls.items() if call_id in ids), default=None)
        row = rows.get(str(first)) if first is not None else None
        if row is not None and first is not None:
            yield (row.start_date, first, before), turn
            continue
        ad_hoc = rows.get(str(TurnId.parse(turn.turn_id).ad_hoc_key))
        ended = ad_hoc.end_date if ad_hoc is not None and ad_hoc.end_date is not None else latest
        yield (ended, latest - 1, before), turn


def placed_returns(
    pages: AgentPages, elements: Sequence[ElementInstanceRow], *, rank: int, latest: int
) -> Iterable[tuple[Place, ToolReturned]]:
    """Place each return at the end of its tool, ahead of that end.

    Variables are read after elements: a return whose tool is not seen to have ended waits for the
    next look, unless the agent itself is over.
    """
    keys = {call_id: key for key, call_id in pages.calls.items()}
    rows = {row.element_instance_key: row for row in elements}
    for tool in pages.returned:
        row = rows.get(keys.get(tool.call_id, ""))
        if row is not None and row.end_date is not None:
            yield (row.end_date, int(row.element_instance_key), rank), tool
            continue
        ad_hoc = rows.get(visit_of_call(tool.call_id))
        if ad_hoc is not None and ad_hoc.end_date is not None:
            yield (ad_hoc.end_date, latest - 2, rank), tool


def _items(row: VariableRow) -> list[object]:
    value = row.parsed()
    return value if isinstance(value, list) else []
