"""Camunda's extensions that belong to no other module.

`uuid()` and `random number()` need randomness, which a pure evaluation does not have: null and a
warning, never an invented value.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

from aurum_engine.feel.builtins.registry import builtin, failed
from aurum_engine.feel.runtime import AssertionFailed, Run


@builtin("is defined(value: any)")
def is_defined(run: Run, value: Any) -> bool:
    """Tell whether a value is not null."""
    return value is not None


@builtin("get or else(value: any, default: any)")
def get_or_else(run: Run, value: Any, default: Any) -> Any:
    """Return the value, or the default for null."""
    return default if value is None else value


@builtin("assert(value: any, condition: any)", "assert(value: any, condition: any, cause: string)")
def assert_(run: Run, value: Any, condition: Any, cause: str = "The condition is not fulfilled") -> Any:
    """Return the value if the condition is true, else end the whole evaluation."""
    if condition is True:
        return value
    raise AssertionFailed(f"Assertion failure on evaluate the expression: {cause}")


@builtin(
    "fromAi(value: any)",
    "fromAi(value: any, description: any)",
    "fromAi(value: any, description: any, type: any)",
    "fromAi(value: any, description: any, type: any, schema: any)",
    "fromAi(value: any, description: any, type: any, schema: any, options: any)",
)
def from_ai(run: Run, value: Any, *description: Any) -> Any:
    """Return the value; the other arguments describe a tool parameter to an agent."""
    return value


@builtin("trim(string: string)")
def trim(run: Run, text: str) -> str:
    """Return the string without white space at its ends."""
    return text.strip()


@builtin("is blank(string: string)")
def is_blank(run: Run, text: str) -> bool:
    """Tell whether a string is empty or white space."""
    return not text.strip()


@builtin("to base64(value: string)")
def to_base64(run: Run, text: str) -> str:
    """Return the UTF-8 bytes of a string as Base64."""
    return base64.b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii")


@builtin("from base64(value: string)")
def from_base64(run: Run, text: str) -> Any:
    """Return the string whose UTF-8 bytes are given as Base64."""
    try:
        return base64.b64decode(text, validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return failed(run, "from base64", "not Base64 of UTF-8 text")


@builtin("uuid()")
def uuid(run: Run) -> Any:
    """Refuse: an evaluation has no source of randomness."""
    return failed(run, "uuid", "no source of randomness in this engine")


@builtin("random number()")
def random_number(run: Run) -> Any:
    """Refuse: an evaluation has no source of randomness."""
    return failed(run, "random number", "no source of randomness in this engine")
