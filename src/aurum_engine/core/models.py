"""Parsed models by definition key, made from the state on first use. A cache, never a truth."""

from __future__ import annotations

from aurum_engine.bpmn.api import read_bpmn
from aurum_engine.bpmn.model import Process
from aurum_engine.core.state import StateView
from aurum_engine.dmn.api import Drg, parse_drg


class Models:
    """Reads definitions of one state. Holds what was parsed for as long as the engine runs."""

    def __init__(self, state: StateView) -> None:
        self._state = state
        self._processes: dict[int, Process] = {}
        self._drgs: dict[int, Drg] = {}

    def process(self, definition_key: int, bpmn_process_id: str) -> Process:
        """Return the executable model of a process definition."""
        found = self._processes.get(definition_key)
        if found is None:
            resource = self._state.process_definitions[definition_key].resource
            found = next(p for p in read_bpmn(resource) if p.id == bpmn_process_id)
            self._processes[definition_key] = found
        return found

    def drg(self, drg_key: int) -> Drg:
        """Return the executable model of a DMN resource."""
        found = self._drgs.get(drg_key)
        if found is None:
            found = parse_drg(self._state.decision_requirements[drg_key].resource)
            self._drgs[drg_key] = found
        return found
