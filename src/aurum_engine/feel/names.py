"""Names with spaces and special characters: which token runs are one name. Pure.

FEEL resolves `Full Name` or `a+b` against the names in scope. A table holds every known name of
more than one token; the parser takes the longest run that matches.
"""

from __future__ import annotations

from collections.abc import Iterable

from aurum_engine.feel.syntax import Token, tokenize

NAME_TOKENS_MAX = 40
"""Tokens of one name: a guard, the longest in the DMN TCK has 9."""


def canonical(text: str) -> str:
    """Return a name with runs of white space collapsed, as it is stored and looked up."""
    return " ".join(text.split())


class NameTable:
    """Known names of several tokens; grows while an expression declares new ones."""

    __slots__ = ("_by_first",)

    def __init__(self, names: Iterable[str] = (), base: NameTable | None = None) -> None:
        self._by_first: dict[str, dict[tuple[str, ...], str]] = (
            {} if base is None else {first: dict(known) for first, known in base._by_first.items()}
        )
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Make a name known; names of one token need no entry."""
        if name.isidentifier():
            return
        parts = tuple(token.text for token in tokenize(name)[:-1])
        if 1 < len(parts) <= NAME_TOKENS_MAX:
            self._by_first.setdefault(parts[0], {})[parts] = canonical(name)

    def match(self, tokens: list[Token], start: int) -> tuple[str, int] | None:
        """Return (name, token count) of the longest known name at `start`, or None."""
        known = self._by_first.get(tokens[start].text)
        if known is None:
            return None
        best: tuple[str, int] | None = None
        for parts, name in known.items():
            length = len(parts)
            if best is not None and length <= best[1]:
                continue
            run = tokens[start : start + length]
            if len(run) == length and all(token.text == part for token, part in zip(run, parts, strict=True)):
                best = (name, length)
        return best
