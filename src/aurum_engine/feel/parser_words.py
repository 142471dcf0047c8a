"""The parts of FEEL that begin with a word or a brace: if, for, some, every, function, context. Pure."""

from __future__ import annotations

from abc import abstractmethod

from aurum_engine.feel.names import canonical
from aurum_engine.feel.nodes import (
    ContextNode,
    For,
    FunctionNode,
    If,
    Iterator,
    Node,
    Quantified,
    TypeName,
)
from aurum_engine.feel.parser_base import TokenReader
from aurum_engine.feel.syntax import unescape


class WordParser(TokenReader):
    """Parses constructs out of expressions; `in_range` is 1 where `[` may close a range."""

    in_range = 0

    @abstractmethod
    def expression(self, binding: int = 0) -> Node:
        """Parse an expression whose operators bind at least as tightly as `binding`."""

    def if_expression(self) -> Node:
        """Parse `if ... then ... else ...`."""
        self.expect("if")
        condition = self.expression()
        self.expect("then")
        yes = self.expression()
        self.expect("else")
        return If(condition, yes, self.expression())

    def for_expression(self) -> Node:
        """Parse `for ... return ...`."""
        self.expect("for")
        iterators = self._iterators()
        self.expect("return")
        return For(iterators, self.expression())

    def quantified_expression(self) -> Node:
        """Parse `some` or `every` ... `satisfies ...`."""
        every = self.take().text == "every"
        iterators = self._iterators()
        self.expect("satisfies")
        return Quantified(every, iterators, self.expression())

    def _iterators(self) -> tuple[Iterator, ...]:
        iterators: list[Iterator] = []
        while True:
            name = self.declared_name(("in",))
            self.expect("in")
            source = self.expression()
            end: Node | None = None
            if self.peek.text == ".." and self.peek.kind == "op":
                self.index += 1
                end = self.expression()
            iterators.append(Iterator(name, source, end))
            if not self.accept(","):
                return tuple(iterators)

    def function_expression(self) -> Node:
        """Parse a function literal."""
        self.expect("function")
        self.expect("(")
        parameters: list[tuple[str, TypeName | None]] = []
        while self.peek.text != ")" or self.peek.kind != "op":
            name = self.declared_name((",", ":", ")"))
            parameters.append((name, self.type_name() if self.accept(":") else None))
            if not self.accept(","):
                break
        self.expect(")")
        external = self.peek.text == "external" and self.ahead(1).text == "{"
        if external:
            self.index += 1
        return FunctionNode(tuple(parameters), self.expression(), external)

    def context_literal(self) -> Node:
        """Parse `{key: value, ...}`."""
        self.expect("{")
        in_range, self.in_range = self.in_range, 0
        entries: list[tuple[str, Node]] = []
        while self.peek.text != "}" or self.peek.kind != "op":
            if self.peek.kind == "string":
                key = unescape(self.take().text)
                self.names.add(canonical(key))
            else:
                key = self.declared_name((":",))
            self.expect(":")
            entries.append((key, self.expression()))
            if not self.accept(","):
                break
        self.in_range = in_range
        self.expect("}")
        return ContextNode(tuple(entries))
