"""Token cursor of the parser: looking, taking, names and types. Pure."""

from __future__ import annotations

from aurum_engine.feel.names import NAME_TOKENS_MAX, NameTable, canonical
from aurum_engine.feel.nodes import TypeName
from aurum_engine.feel.syntax import FeelSyntaxError, Token, tokenize

COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))
TYPE_NESTING_MAX = 20
"""Levels of `list<list<...>>`; hand-written types have two."""

_LONG_TYPES = (
    ("date", "and", "time"),
    ("years", "and", "months", "duration"),
    ("days", "and", "time", "duration"),
    ("year", "-", "month", "duration"),
    ("day", "-", "time", "duration"),
)
_RESERVED = frozenset(
    (
        "if",
        "then",
        "else",
        "for",
        "return",
        "satisfies",
        "between",
        "and",
        "or",
        "in",
        "true",
        "false",
        "null",
    )
)
_NAME_OPERATORS = frozenset(("-", "+", "*", "**", "/", ".", "..", "'"))


class TokenReader:
    """Cursor over the tokens of one text."""

    def __init__(self, source: str, names: NameTable) -> None:
        self.source = source
        self.names = NameTable(base=names)
        self.tokens = tokenize(source)
        self.index = 0

    @property
    def peek(self) -> Token:
        """Return the next token without taking it."""
        return self.tokens[self.index]

    def ahead(self, count: int) -> Token:
        """Return the token `count` after the next one; the last stays the end token."""
        return self.tokens[min(self.index + count, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Return the next token and move past it."""
        token = self.tokens[self.index]
        if token.kind != "end":
            self.index += 1
        return token

    def accept(self, text: str) -> bool:
        """Take the next token if it is the operator or word `text`."""
        token = self.tokens[self.index]
        if token.text == text and token.kind in ("op", "name"):
            self.index += 1
            return True
        return False

    def expect(self, text: str) -> Token:
        """Take the operator or word `text`, or raise."""
        token = self.tokens[self.index]
        if not self.accept(text):
            raise FeelSyntaxError(f"expected '{text}' but found {_shown(token)}", token.position)
        return token

    def expect_end(self) -> None:
        """Raise unless all tokens are taken."""
        if self.peek.kind != "end":
            raise self.unexpected()

    def unexpected(self) -> FeelSyntaxError:
        """Return the error for a token that has no place here."""
        return FeelSyntaxError(f"unexpected {_shown(self.peek)}", self.peek.position)

    def match_known_name(self) -> str | None:
        """Take the longest known name of several tokens, if one starts here."""
        found = self.names.match(self.tokens, self.index)
        if found is None:
            return None
        self.index += found[1]
        return found[0]

    def single_name(self) -> str:
        """Take a name of one token, or raise."""
        token = self.take()
        if token.kind == "quoted":
            return token.text[1:-1]
        if token.kind != "name" or token.text in _RESERVED:
            raise FeelSyntaxError(f"expected a name but found {_shown(token)}", token.position)
        return token.text

    def path_name(self) -> str:
        """Take the name after a dot; key words are names there."""
        known = self.match_known_name()
        if known is not None:
            return known
        token = self.take()
        if token.kind == "quoted":
            return token.text[1:-1]
        if token.kind != "name":
            raise FeelSyntaxError(f"expected a name but found {_shown(token)}", token.position)
        return token.text

    def declared_name(self, stops: tuple[str, ...]) -> str:
        """Take the name of a key, parameter or loop variable up to a stop, and make it known."""
        first = self.peek
        if first.kind == "quoted":
            self.index += 1
            return first.text[1:-1]
        last = first
        while self.peek.text not in stops:
            token = self.peek
            legal = token.kind in ("name", "number") or (token.kind == "op" and token.text in _NAME_OPERATORS)
            if not legal or (token is first and token.kind != "name"):
                raise FeelSyntaxError(f"expected a name but found {_shown(token)}", token.position)
            last = self.take()
        if last is first and self.peek is first:
            raise FeelSyntaxError(f"expected a name but found {_shown(first)}", first.position)
        name = canonical(self.source[first.position : last.end])
        self.names.add(name)
        return name

    def argument_label(self) -> str | None:
        """Take `name:` in front of an argument; None when the argument is positional."""
        position = self.index
        for _ in range(NAME_TOKENS_MAX):
            token = self.tokens[position]
            if token.kind == "op" and token.text == ":":
                break
            if token.kind not in ("name", "quoted") and not (
                token.kind == "op" and token.text in _NAME_OPERATORS
            ):
                return None
            position += 1
        else:
            return None
        if position == self.index:
            return None
        label = canonical(self.source[self.peek.position : self.tokens[position - 1].end]).strip("`")
        self.index = position + 1
        return label

    def type_name(self, depth: int = 0) -> TypeName:
        """Parse a type: `number`, `list<string>`, `context<a: number>`, `function<number>->string`."""
        if depth > TYPE_NESTING_MAX:
            raise FeelSyntaxError("type is nested too deeply", self.peek.position)
        for parts in _LONG_TYPES:
            run = self.tokens[self.index : self.index + len(parts)]
            if tuple(token.text for token in run) == parts:
                self.index += len(parts)
                return TypeName("".join(parts) if "-" in parts else " ".join(parts))
        name = self.path_name()
        while self.accept("."):
            name += "." + self.path_name()
        if self.peek.text != "<" or name not in ("list", "context", "function", "range"):
            return TypeName(name)
        self.index += 1
        arguments: list[TypeName] = []
        members: list[str] = []
        while self.peek.text != ">":
            if name == "context":
                members.append(self.declared_name((":",)))
                self.expect(":")
            arguments.append(self.type_name(depth + 1))
            if not self.accept(","):
                break
        self.expect(">")
        returns = self.type_name(depth + 1) if name == "function" and self.accept("->") else None
        return TypeName(name, tuple(arguments), tuple(members), returns)

    def _closes_at_end(self, opening: int) -> bool:
        """Tell whether the parenthesis at `opening` is closed by the very last token."""
        depth = 0
        for position in range(opening, len(self.tokens)):
            token = self.tokens[position]
            if token.kind == "op" and token.text in ("(", ")"):
                depth += 1 if token.text == "(" else -1
                if depth == 0:
                    return self.tokens[min(position + 1, len(self.tokens) - 1)].kind == "end"
        return False


def _shown(token: Token) -> str:
    return "the end" if token.kind == "end" else f"'{token.text[:40]}'"
