"""Built-in functions on contexts."""

from __future__ import annotations

from typing import Any

from aurum_engine.feel.builtins.registry import builtin, failed
from aurum_engine.feel.runtime import Run

KEY_PATH_MAX = 100
"""Keys of a path into nested contexts, below Python's stack limit."""


@builtin("get value(context: context, key: string)", "get value(m: context, key: string)")
def get_value(run: Run, context: dict[str, Any], key: str) -> Any:
    """Return an entry, null when there is none."""
    return context.get(key)


@builtin("get value(context: context, keys: list)")
def get_value_at(run: Run, context: dict[str, Any], keys: list[Any]) -> Any:
    """Follow keys into nested contexts; null when a step is missing."""
    value: Any = context
    for key in keys:
        if not isinstance(value, dict) or not isinstance(key, str) or key not in value:
            return None
        value = value[key]
    return value if keys else None


@builtin("get entries(context: context)", "get entries(m: context)")
def get_entries(run: Run, context: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a list of `{key, value}`."""
    run.spend(len(context))
    return [{"key": key, "value": value} for key, value in context.items()]


@builtin(
    "context put(context: context, key: string, value: any)",
    "put(context: context, key: string, value: any)",
)
def context_put(run: Run, context: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """Return the context with an entry set."""
    run.spend(len(context))
    return {**context, key: value}


@builtin(
    "context put(context: context, keys: list, value: any)",
    "put(context: context, keys: list, value: any)",
)
def context_put_at(run: Run, context: dict[str, Any], keys: list[Any], value: Any) -> Any:
    """Return the context with an entry of a nested context set; missing levels are made."""
    if not keys or len(keys) > KEY_PATH_MAX or not all(isinstance(key, str) for key in keys):
        return failed(run, "context put", "keys must be strings, at least one")
    return _put(run, context, keys, value)


def _put(run: Run, context: Any, keys: list[str], value: Any) -> dict[str, Any]:
    base = context if isinstance(context, dict) else {}
    run.spend(len(base))
    inner = value if len(keys) == 1 else _put(run, base.get(keys[0]), keys[1:], value)
    return {**base, keys[0]: inner}


@builtin(
    "context merge(contexts: list)",
    "context merge(*contexts: context)",
    "put all(contexts: list)",
    "put all(*contexts: context)",
)
def context_merge(run: Run, *contexts: Any) -> Any:
    """Return all entries; later contexts win."""
    parts = contexts[0] if len(contexts) == 1 and isinstance(contexts[0], list) else list(contexts)
    merged: dict[str, Any] = {}
    for part in parts:
        if not isinstance(part, dict):
            return failed(run, "context merge", "takes contexts only")
        run.spend(len(part))
        merged.update(part)
    return merged


@builtin("context(entries: list)")
def context(run: Run, entries: list[Any]) -> Any:
    """Build a context from a list of `{key, value}`; a later entry of the same key wins."""
    built: dict[str, Any] = {}
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("key"), str) or "value" not in entry:
            return failed(run, "context", "every entry needs a string 'key' and a 'value'")
        built[entry["key"]] = entry["value"]
    return built
