"""The rows of a decision table as people read them, from the DMN file that was deployed.

Only what a table shows: labels, entries, annotations, rule ids. Evaluating is the engine's business.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from lxml import etree

from aurum.resources import resource_dir

_DMN = "{https://www.omg.org/spec/DMN/20191111/MODEL/}"


@functools.cache
def decision_tables() -> dict[str, dict[str, Any]]:
    """Return decision id -> table, of every table in the deployed files."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(resource_dir("dmn").glob("*.dmn")):
        found.update(_tables_in(path))
    return found


def _tables_in(path: Path) -> dict[str, dict[str, Any]]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    root = etree.parse(str(path), parser).getroot()
    return {
        decision.get("id", ""): _table(decision, table, path.name)
        for decision in root.iter(f"{_DMN}decision")
        if (table := decision.find(f"{_DMN}decisionTable")) is not None
    }


def _table(decision: etree._Element, table: etree._Element, source: str) -> dict[str, Any]:
    rules = table.findall(f"{_DMN}rule")
    return {
        "decisionId": decision.get("id"),
        "description": _text(decision, "description"),
        "hitPolicy": table.get("hitPolicy", "UNIQUE"),
        "aggregation": table.get("aggregation"),
        "source": source,
        "inputs": [
            {"id": item.get("id"), "label": item.get("label") or _text(item, "inputExpression/text")}
            for item in table.findall(f"{_DMN}input")
        ],
        "outputs": [
            {"name": item.get("name"), "label": item.get("label") or item.get("name")}
            for item in table.findall(f"{_DMN}output")
        ],
        "rules": [
            {
                "ruleId": rule.get("id"),
                "ruleIndex": index,
                "description": _text(rule, "description"),
                "inputEntries": [_text(entry, "text") for entry in rule.findall(f"{_DMN}inputEntry")],
                "outputEntries": [_text(entry, "text") for entry in rule.findall(f"{_DMN}outputEntry")],
            }
            for index, rule in enumerate(rules, start=1)
        ],
    }


def _text(element: etree._Element, path: str) -> str:
    found = element.find("/".join(f"{_DMN}{name}" for name in path.split("/")))
    return "" if found is None or found.text is None else found.text.strip()
