"""Built-in functions on strings. Positions count code points from 1."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from aurum_engine.feel import numbers
from aurum_engine.feel.builtins.registry import builtin, failed
from aurum_engine.feel.regex import BadPattern, compile_pattern
from aurum_engine.feel.runtime import Run


@builtin(
    "substring(string: string, start position: number)",
    "substring(string: string, start position: number, length?: number)",
)
def substring(run: Run, text: str, start: Decimal, length: Decimal | None = None) -> Any:
    """Return a part of a string; a negative start counts from the end."""
    first = int(start) if abs(start) < 10**9 else 0
    if first == 0 or abs(first) > len(text):
        return failed(run, "substring", f"no position {numbers.to_text(start)}")
    begin = first - 1 if first > 0 else len(text) + first
    if length is None:
        return text[begin:]
    if length < 1:
        return failed(run, "substring", "length must be positive")
    return text[begin : begin + int(min(length, Decimal(len(text))))]


@builtin("string length(string: string)")
def string_length(run: Run, text: str) -> Decimal:
    """Return the number of code points."""
    return Decimal(len(text))


@builtin("upper case(string: string)")
def upper_case(run: Run, text: str) -> str:
    """Return the string in capitals."""
    return text.upper()


@builtin("lower case(string: string)")
def lower_case(run: Run, text: str) -> str:
    """Return the string in small letters."""
    return text.lower()


@builtin("substring before(string: string, match: string)")
def substring_before(run: Run, text: str, match: str) -> str:
    """Return what stands before the first match, else an empty string."""
    before, found, _ = text.partition(match) if match else ("", "", "")
    return before if found else ""


@builtin("substring after(string: string, match: string)")
def substring_after(run: Run, text: str, match: str) -> str:
    """Return what stands after the first match; all of it for an empty match."""
    return text.partition(match)[2] if match else text


@builtin("contains(string: string, match: string)")
def contains(run: Run, text: str, match: str) -> bool:
    """Tell whether a string holds another."""
    return match in text


@builtin("starts with(string: string, match: string)")
def starts_with(run: Run, text: str, match: str) -> bool:
    """Tell whether a string begins with another."""
    return text.startswith(match)


@builtin("ends with(string: string, match: string)")
def ends_with(run: Run, text: str, match: str) -> bool:
    """Tell whether a string ends with another."""
    return text.endswith(match)


@builtin("matches(input: string, pattern: string, flags?: string)")
def matches(run: Run, text: str, pattern: str, flags: str | None = None) -> Any:
    """Tell whether a regular expression is found in a string."""
    try:
        return compile_pattern(pattern, flags or "").checked(text).search(text) is not None
    except BadPattern as error:
        return failed(run, "matches", str(error))


@builtin("replace(input: string, pattern: string, replacement: string, flags?: string)")
def replace(run: Run, text: str, pattern: str, replacement: str, flags: str | None = None) -> Any:
    """Replace every match; `$1` in the replacement is a group."""
    try:
        shape = compile_pattern(pattern, flags or "")
        compiled = shape.checked(text)
        if compiled.search("") is not None and "q" not in (flags or ""):
            return failed(run, "replace", "pattern matches an empty string")
        template = [replacement] if "q" in (flags or "") else _template(replacement, compiled.groups)
    except BadPattern as error:
        return failed(run, "replace", str(error))
    pieces: list[str] = []
    end = size = 0
    for match in compiled.finditer(text):
        made = "".join(part if isinstance(part, str) else match[part] or "" for part in template)
        pieces += (text[end : match.start()], made)
        size += len(pieces[-1]) + len(pieces[-2])
        run.check_text(size)
        end = match.end()
    return "".join([*pieces, text[end:]])


def _template(replacement: str, groups: int) -> list[str | int]:
    """Split a replacement into text and group numbers; a group that is not there is empty."""
    parts: list[str | int] = []
    at = 0
    while at < len(replacement):
        char = replacement[at]
        if char == "\\":
            if replacement[at + 1 : at + 2] not in ("\\", "$"):
                raise BadPattern("a backslash in a replacement escapes only '$' and itself")
            parts.append(replacement[at + 1])
            at += 2
        elif char == "$":
            match = re.compile(r"\d").match(replacement, at + 1)
            if match is None:
                raise BadPattern("'$' in a replacement needs a group number")
            number, at = int(match.group()), match.end()
            while (
                at < len(replacement)
                and replacement[at].isdigit()
                and number * 10 + int(replacement[at]) <= groups
            ):
                number, at = number * 10 + int(replacement[at]), at + 1
            parts.append(number if number <= groups else "")
        else:
            parts.append(char)
            at += 1
    return parts


@builtin("split(string: string, delimiter: string)")
def split(run: Run, text: str, delimiter: str) -> Any:
    """Split at every match of a regular expression."""
    try:
        compiled = compile_pattern(delimiter, "").checked(text)
    except BadPattern as error:
        return failed(run, "split", str(error))
    if not delimiter:
        return list(text)
    pieces: list[str] = []
    end = 0
    for match in compiled.finditer(text):
        if match.end() > match.start():
            pieces.append(text[end : match.start()])
            end = match.end()
    run.check_items(len(pieces))
    return [*pieces, text[end:]]


@builtin("extract(input: string, pattern: string)")
def extract(run: Run, text: str, pattern: str) -> Any:
    """Return all matches of a regular expression."""
    try:
        compiled = compile_pattern(pattern, "").checked(text)
    except BadPattern as error:
        return failed(run, "extract", str(error))
    found = [match.group() for match in compiled.finditer(text)]
    run.check_items(len(found))
    return found


@builtin(
    "string join(list: list)",
    "string join(list: list, delimiter: string|null)",
    "string join(list: list, delimiter: string|null, prefix: string|null, suffix: string|null)",
)
def string_join(
    run: Run,
    items: list[Any],
    delimiter: str | None = None,
    prefix: str | None = None,
    suffix: str | None = None,
) -> Any:
    """Join strings; nulls are left out."""
    if not all(item is None or isinstance(item, str) for item in items):
        return failed(run, "string join", "the list holds a value that is not a string")
    texts = [item for item in items if item is not None]
    between = delimiter or ""
    run.check_text(sum(map(len, texts)) + len(between) * len(texts))
    return (prefix or "") + between.join(texts) + (suffix or "")
