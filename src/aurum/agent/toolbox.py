"""The agent's tools, read from the BPMN: `adHocSubProcessElements` and its `fromAi` parameters. Pure.

Adding a tool is adding an activity to the diagram; nothing in here names one. A call is accepted
only if its arguments fit the tool's JSON Schema, strictly: no unknown members.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from aurum.agent.brain import ToolSpec

_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call is not run, in words for the model. Quotes no value."""

    reason: str


class Toolbox:
    """Tools by name. The name is the BPMN element id."""

    def __init__(self, tools: Iterable[ToolSpec]) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._validators = {
            name: Draft202012Validator(dict(tool.schema)) for name, tool in self._tools.items()
        }

    @classmethod
    def from_elements(cls, elements: object) -> Toolbox:
        """Return the tools of the variable `adHocSubProcessElements`; entries without an id are left out."""
        found = [item for item in elements if isinstance(item, Mapping)] if isinstance(elements, list) else []
        return cls(
            ToolSpec(
                name=str(item["elementId"]),
                description=str(item.get("documentation") or item.get("elementName") or ""),
                schema=schema_of(item.get("parameters")),
            )
            for item in found
            if item.get("elementId")
        )

    def specs(self) -> tuple[ToolSpec, ...]:
        """Return all tools in the diagram's order."""
        return tuple(self._tools.values())

    def refuse(self, name: str, arguments: object) -> Refusal | None:
        """Return why this call may not run, or None."""
        validator = self._validators.get(name)
        if validator is None:
            return Refusal("there is no such tool")
        if not isinstance(arguments, Mapping):
            return Refusal("the arguments are not an object")
        error = next(iter(validator.iter_errors(dict(arguments))), None)
        if error is None:
            return None
        where = "/".join(str(part) for part in error.absolute_path) or "the arguments"
        return Refusal(f"{where} does not fit the tool's schema ({error.validator})")


def schema_of(parameters: object) -> dict[str, Any]:
    """Return the JSON Schema of a tool's parameters: strict, required unless marked otherwise."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for item in parameters if isinstance(parameters, list) else []:
        if not isinstance(item, Mapping) or not item.get("name"):
            continue
        schema = dict(item["schema"]) if isinstance(item.get("schema"), Mapping) else {}
        kind = item.get("type") or "string"
        if "type" not in schema and kind in _TYPES:
            schema = {"type": kind, **schema}
        if item.get("description"):
            schema["description"] = str(item["description"])
        properties[str(item["name"])] = schema
        options = item.get("options")
        if not (isinstance(options, Mapping) and options.get("required") is False):
            required.append(str(item["name"]))
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }
