"""Tokens of FEEL text and the error for text that is not FEEL. Pure.

The lexer never rejects a single character: names may hold almost anything (`Person's age`,
`foo+bar`), so an unknown character becomes an operator token and the parser decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

SOURCE_CHARS_MAX = 65_536
"""Characters of one expression: the size limit of a variable, which could hold one."""


class FeelSyntaxError(Exception):
    """Text that is not FEEL; `position` counts characters from 0."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(f"{message} (at position {position})")
        self.message = message
        self.position = position


@dataclass(frozen=True, slots=True)
class Token:
    """One token. `kind` is number, string, name, quoted (backticks), op or end."""

    kind: str
    text: str
    position: int
    end: int


_NAME_REST = r"\w\u00b7\u0300-\u036f\u200c-\u200d\u203f-\u2040\U00010000-\U000effff"
_TOKEN = re.compile(
    r"(?P<space>(?:\s|\ufeff|//[^\n\r]*|/\*(?:[^*]|\*(?!/))*\*/)+)"
    r"|(?P<number>(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r'|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<quoted>`[^`]*`)"
    rf"|(?P<name>[^\W0-9{{}}][{_NAME_REST}]*|[\u2070-\u218f\u2190-\u2bff\u3001-\ud7ff\U00010000-\U000effff]"
    rf"[{_NAME_REST}]*|\?)"
    r"|(?P<op>\.\.|\*\*|<=|>=|!=|->|.)",
    re.DOTALL,
)
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r'|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|([fnrt"\'\\]))'
)
_SIMPLE = {"f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def tokenize(source: str) -> list[Token]:
    """Return the tokens of `source`, closed by an `end` token; raises for overlong text."""
    if len(source) > SOURCE_CHARS_MAX:
        raise FeelSyntaxError(f"expression is longer than {SOURCE_CHARS_MAX} characters", SOURCE_CHARS_MAX)
    tokens: list[Token] = []
    for match in _TOKEN.finditer(source):
        kind = match.lastgroup or "op"
        if kind != "space":
            tokens.append(Token(kind, match.group(), match.start(), match.end()))
    tokens.append(Token("end", "", len(source), len(source)))
    return tokens


def unescape(literal: str) -> str:
    """Return the value of a quoted string literal; unknown escapes stay as written."""
    inside = literal[1:-1]
    return _ESCAPE.sub(_unescape_one, inside) if "\\" in inside else inside


def _unescape_one(match: re.Match[str]) -> str:
    high, low, short, long, simple = match.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if short or long:
        code = int(short or long, 16)
        return chr(code) if code <= 0x10FFFF else match.group()
    return _SIMPLE.get(simple, simple)
