"""XPath regular expressions on Python's `re`, with a guard against hostile ones. Pure.

Python's engine backtracks and cannot be stopped, so cost is judged before it runs: an upper bound
is computed from the shape of the pattern and the length of the text, and refused above a limit.
Of the character blocks `\\p{IsX}` the seven most used are known, others are refused.
"""

from __future__ import annotations

import math
import re
import sys
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

PATTERN_CHARS_MAX = 1_000
"""Characters of a pattern; an e-mail validator has about 100."""

COST_MAX = 4e8
"""Upper bound of backtracking steps, about two seconds."""

RISKY_TEXT_MAX = 18
"""Characters matched by a pattern that may take exponential time, such as `(a+)+`."""

_NAME_START = "_:A-Za-z\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff"
_NAME_CHAR = _NAME_START + "\\-.0-9\\u00b7\\u0300-\\u036f\\u203f-\\u2040"
_BLOCKS = {
    "IsBasicLatin": "\\u0000-\\u007f",
    "IsLatin-1Supplement": "\\u0080-\\u00ff",
    "IsLatinExtended-A": "\\u0100-\\u017f",
    "IsGreek": "\\u0370-\\u03ff",
    "IsCyrillic": "\\u0400-\\u04ff",
    "IsHebrew": "\\u0590-\\u05ff",
    "IsArabic": "\\u0600-\\u06ff",
}
_PASSED_ESCAPES = frozenset("nrtdDsSwW\\|.-^?*+{}()[]$/,\"'")


class BadPattern(Exception):
    """A pattern that is no XPath regular expression, or too costly; the text says which."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern and the shape its cost depends on."""

    compiled: re.Pattern[str]
    unbounded: int
    optional: int
    risky: bool
    anchored: bool

    def checked(self, text: str) -> re.Pattern[str]:
        """Return the compiled pattern if it can be run on `text`, else raise `BadPattern`."""
        length = len(text) + 1
        power = self.unbounded + (0 if self.anchored else 1)
        bound = self.optional * math.log(2) + power * math.log(length) - math.lgamma(power + 1)
        if bound > math.log(COST_MAX) or (self.risky and len(text) > RISKY_TEXT_MAX):
            raise BadPattern("pattern takes too long on a text of this length")
        return self.compiled


@lru_cache(maxsize=512)
def compile_pattern(pattern: str, flags: str) -> Pattern:
    """Translate and compile; raises `BadPattern`."""
    if len(pattern) > PATTERN_CHARS_MAX:
        raise BadPattern(f"pattern is longer than {PATTERN_CHARS_MAX} characters")
    if set(flags) - set("smixq"):
        raise BadPattern(f"unknown flag in {flags!r}")
    options = re.RegexFlag(0)
    for letter, option in (("i", re.IGNORECASE), ("s", re.DOTALL), ("m", re.MULTILINE)):
        options |= option if letter in flags else re.RegexFlag(0)
    if "q" in flags:
        return Pattern(re.compile(re.escape(pattern), options), 0, 0, False, False)
    translator = _Translator(_without_space(pattern) if "x" in flags else pattern, flags)
    text = translator.translate()
    try:
        compiled = re.compile(text, options)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadPattern(f"not a regular expression: {error}") from None
    anchored = pattern.startswith("^") and "m" not in flags and not translator.top_alternation
    return Pattern(compiled, translator.unbounded, translator.optional, translator.risky, anchored)


class _Translator:
    """One pass over a pattern: Python syntax out, shape noted."""

    def __init__(self, pattern: str, flags: str) -> None:
        self._pattern = pattern
        # XPath's `$` is the very end; Python's also matches before a last line feed.
        self._end = "$" if "m" in flags else r"$(?!\n)"
        self._any = "." if "s" in flags else r"[^\n\r]"
        self._at = 0
        self._groups_closed: set[int] = set()
        self._groups_opened = 0
        self.unbounded = 0
        self.optional = 0
        self.risky = False
        self.top_alternation = False

    def translate(self) -> str:
        """Return the pattern in Python's syntax."""
        out: list[str] = []
        # Per open group: [its number or None, has a quantifier inside, has alternatives inside].
        stack: list[list[bool | int | None]] = []
        last: list[bool | int | None] | None = None
        while self._at < len(self._pattern):
            char = self._pattern[self._at]
            if char in "*+?{":
                out.append(self._quantifier(last, stack))
                last = None
                continue
            last = None
            if char == "\\":
                out.append(self._escape(in_class=False))
            elif char == "[":
                out.append(self._class())
            elif char == "(":
                out.append(self._open(stack))
            elif char == ")":
                if not stack:
                    raise BadPattern("unbalanced parenthesis")
                last = stack.pop()
                if isinstance(last[0], int) and not isinstance(last[0], bool):
                    self._groups_closed.add(last[0])
                if stack and (last[1] or last[2]):
                    stack[-1][1] = stack[-1][1] or last[1]
                    stack[-1][2] = stack[-1][2] or last[2]
                out.append(char)
                self._at += 1
            else:
                self._plain(char, out, stack)
        return "".join(out)

    def _plain(self, char: str, out: list[str], stack: list[list[bool | int | None]]) -> None:
        self._at += 1
        if char in "]}":
            raise BadPattern(f"unbalanced '{char}'")
        if char == "|":
            if stack:
                stack[-1][2] = True
            else:
                self.top_alternation = True
        replaced = {"$": self._end, ".": self._any, "#": r"\#"}
        out.append(replaced.get(char, char))

    def _open(self, stack: list[list[bool | int | None]]) -> str:
        self._at += 1
        if self._pattern.startswith("?:", self._at):
            self._at += 2
            stack.append([None, False, False])
            return "(?:"
        if self._pattern.startswith("?", self._at):
            raise BadPattern("group extensions are not part of XPath")
        self._groups_opened += 1
        stack.append([self._groups_opened, False, False])
        return "("

    def _quantifier(self, group: list[bool | int | None] | None, stack: list[list[bool | int | None]]) -> str:
        match = re.compile(r"(?:[*+?]|\{[0-9]{1,4}(?:,(?:[0-9]{1,4})?)?\})\??").match(self._pattern, self._at)
        if match is None:
            raise BadPattern("misplaced '{'")
        text = match.group()
        self._at = match.end()
        many = text[0] in "*+"
        if text[0] == "{":
            low, comma, high = text.rstrip("?").strip("{}").partition(",")
            many = bool(comma and not high) or int(high or low) > 8
        fixed = text[0] == "{" and "," not in text
        if many and group is not None and (group[1] or group[2]):
            self.risky = True
        if many and not fixed:
            self.unbounded += 1
        elif not fixed:
            self.optional += 1
        if stack and not fixed:
            stack[-1][1] = True
        return text

    def _escape(self, *, in_class: bool) -> str:
        self._at += 2
        if self._at > len(self._pattern):
            raise BadPattern("pattern ends with a backslash")
        letter = self._pattern[self._at - 1]
        if letter in "pP":
            return self._category(negative=letter == "P", in_class=in_class)
        if letter in "iIcC":
            body = _NAME_START if letter in "iI" else _NAME_CHAR
            if in_class:
                if letter.isupper():
                    raise BadPattern(f"\\{letter} inside brackets is not supported")
                return body
            return f"[{'^' if letter.isupper() else ''}{body}]"
        if letter in "123456789" and not in_class:
            return self._back_reference(letter)
        if letter in _PASSED_ESCAPES:
            return "\\" + letter
        raise BadPattern(f"unknown escape \\{letter}")

    def _back_reference(self, first: str) -> str:
        number = int(first)
        while self._at < len(self._pattern) and self._pattern[self._at].isdigit():
            wider = number * 10 + int(self._pattern[self._at])
            if wider > self._groups_opened:
                break
            number = wider
            self._at += 1
        if number not in self._groups_closed:
            raise BadPattern(f"reference to group {number}, which is not closed yet")
        return f"(?:\\{number})"

    def _category(self, *, negative: bool, in_class: bool) -> str:
        match = re.compile(r"\{([A-Za-z0-9-]+)\}").match(self._pattern, self._at)
        if match is None:
            raise BadPattern("\\p without a category")
        self._at = match.end()
        if match[1].startswith("Is"):
            if negative or match[1] not in _BLOCKS:
                raise BadPattern(f"unknown or negated block {match[1]}")
            ranges = _BLOCKS[match[1]]
        else:
            ranges = _category_ranges(match[1], negative)
        return ranges if in_class else f"[{ranges}]"

    def _class(self, depth: int = 0) -> str:
        """Translate `[...]`, with subtraction `[a-z-[aeiou]]` as a look-ahead."""
        if depth > 5:
            raise BadPattern("character classes are nested too deeply")
        self._at += 1
        negative = self._pattern.startswith("^", self._at)
        self._at += negative
        parts: list[str] = []
        subtracted = ""
        while True:
            if self._at >= len(self._pattern):
                raise BadPattern("unclosed character class")
            char = self._pattern[self._at]
            if char == "]" and parts:
                self._at += 1
                break
            if self._pattern.startswith("-[", self._at) and parts:
                self._at += 1
                subtracted = self._class(depth + 1)
                continue
            if char == "\\":
                parts.append(self._escape(in_class=True))
                continue
            if char in "[]":
                raise BadPattern(f"'{char}' inside a character class")
            self._at += 1
            parts.append("\\" + char if char in "&~|^#" else char)
        body = f"[{'^' if negative else ''}{''.join(parts)}]"
        return f"(?:(?!{subtracted}){body})" if subtracted else body


def _without_space(pattern: str) -> str:
    """Drop white space outside character classes, as flag `x` asks."""
    depth = 0
    out: list[str] = []
    for position, char in enumerate(pattern):
        escaped = position > 0 and pattern[position - 1] == "\\"
        depth += 0 if escaped else (char == "[") - (char == "]")
        if depth > 0 or char not in " \t\r\n":
            out.append(char)
    return "".join(out)


@lru_cache(maxsize=64)
def _category_ranges(category: str, negative: bool) -> str:
    """Return the code points of a Unicode category as the inside of a character class."""
    if not re.fullmatch(r"[CLMNPSZ][a-z]?", category):
        raise BadPattern(f"unknown category {category}")
    out: list[str] = []
    start = -1
    for code in range(sys.maxunicode + 2):
        inside = code <= sys.maxunicode and (
            unicodedata.category(chr(code)).startswith(category) is not negative
        )
        if inside and start < 0:
            start = code
        elif not inside and start >= 0:
            out.append(f"\\U{start:08x}-\\U{code - 1:08x}")
            start = -1
    return "".join(out)
