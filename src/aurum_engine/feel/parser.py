"""Pratt parser of FEEL: tokens to a syntax tree. Pure; raises only `FeelSyntaxError`.

Precedence, loosest first: `or`, `and`, comparison (with `between`, `in`, `instance of`), `+ -`,
`* /`, `**`, unary minus, then paths, filters and calls. Operators of one level group to the left.
"""

from __future__ import annotations

from decimal import Decimal

from aurum_engine.feel.names import NameTable
from aurum_engine.feel.nodes import (
    Between,
    Binary,
    Call,
    Filter,
    In,
    InstanceOf,
    ListNode,
    Literal,
    Name,
    Negate,
    Node,
    NotEqualRange,
    Path,
    RangeNode,
    UnaryTest,
    mentions_input,
)
from aurum_engine.feel.numbers import NUMBERS
from aurum_engine.feel.parser_base import COMPARISONS
from aurum_engine.feel.parser_words import WordParser
from aurum_engine.feel.syntax import FeelSyntaxError, unescape
from aurum_engine.feel.temporal_text import parse_any

NESTING_MAX = 100
"""Levels of nested expressions. Hand-written FEEL has below 15; each level costs Python stack."""

_OR, _AND, _COMPARE, _ADD, _MULTIPLY, _POWER = 1, 2, 3, 4, 5, 6
_BINARY = {
    "or": _OR,
    "and": _AND,
    **dict.fromkeys(COMPARISONS, _COMPARE),
    "+": _ADD,
    "-": _ADD,
    "*": _MULTIPLY,
    "/": _MULTIPLY,
    "**": _POWER,
}
_CONSTANTS = {"true": True, "false": False, "null": None}
_AFTER_OPEN_BRACKET = {
    ".",
    ")",
    "]",
    ",",
    "}",
    "and",
    "or",
    "then",
    "else",
    "return",
    "satisfies",
    "=",
    "!=",
    "",
}


class Parser(WordParser):
    """Recursive descent over one token list; one instance per parse."""

    def __init__(self, source: str, names: NameTable) -> None:
        super().__init__(source, names)
        self._depth = 0

    def parse_expression(self) -> Node:
        """Parse the whole text as one expression."""
        node = self.expression()
        self.expect_end()
        return node

    def parse_unary_tests(self) -> tuple[bool, tuple[UnaryTest, ...]] | None:
        """Parse a decision table cell: (negated, tests), or None for `-`."""
        if self.peek.text == "-" and self.ahead(1).kind == "end":
            return None
        negated = (
            self.peek.text == "not" and self.ahead(1).text == "(" and self._closes_at_end(self.index + 1)
        )
        if negated:
            self.index += 2
        tests = self.unary_test_list()
        if negated:
            self.expect(")")
        self.expect_end()
        return negated, tests

    def unary_test_list(self) -> tuple[UnaryTest, ...]:
        """Parse `test, test, ...`."""
        tests = [self.unary_test()]
        while self.accept(","):
            tests.append(self.unary_test())
        return tuple(tests)

    def unary_test(self) -> UnaryTest:
        """Parse `< 5`, `[1..2]`, a value or a condition on `?`."""
        if self.peek.kind == "op" and self.peek.text in COMPARISONS:
            operator = self.take().text
            return UnaryTest(operator, self.expression(_ADD))
        return UnaryTest(None, self._bare_range(self.expression()))

    def expression(self, binding: int = 0) -> Node:
        """Parse an expression whose operators bind at least as tightly as `binding`."""
        self._depth += 1
        if self._depth > NESTING_MAX:
            raise FeelSyntaxError(
                f"expression is nested deeper than {NESTING_MAX} levels", self.peek.position
            )
        left = self._climb(self._unary(), binding)
        self._depth -= 1
        return left

    def _climb(self, left: Node, binding: int) -> Node:
        """Extend `left` by operators that bind at least as tightly as `binding`."""
        while True:
            token = self.peek
            level = _BINARY.get(token.text) if token.kind in ("op", "name") else None
            if level is not None and level >= binding:
                self.index += 1
                left = Binary(token.text, left, self.expression(level + 1))
            elif token.kind == "name" and binding <= _COMPARE and token.text in ("between", "in", "instance"):
                left = self._word_operator(token.text, left)
            else:
                return left

    def _word_operator(self, word: str, left: Node) -> Node:
        self.index += 1
        if word == "between":
            low = self.expression(_ADD)
            self.expect("and")
            return Between(left, low, self.expression(_ADD))
        if word == "in":
            return In(left, self._in_tests())
        self.expect("of")
        return InstanceOf(left, self.type_name())

    def _in_tests(self) -> tuple[UnaryTest, ...]:
        token = self.peek
        if token.kind == "op" and token.text in COMPARISONS:
            self.index += 1
            return (UnaryTest(token.text, self.expression(_ADD)),)
        if token.text == "(" and token.kind == "op":
            return self._in_parenthesis()
        node = self.expression(_COMPARE if token.text == "?" else _ADD)
        return (UnaryTest(None, self._bare_range(node)),)

    def _in_parenthesis(self) -> tuple[UnaryTest, ...]:
        """Parse `(test, test)`, a range or a parenthesised value; never goes back over text."""
        self.expect("(")
        in_range, self.in_range = self.in_range, 0
        tests = [
            UnaryTest(None, self.expression()) if self.peek.text not in COMPARISONS else self.unary_test()
        ]
        first = tests[0]
        if self.peek.text == ".." and self.peek.kind == "op":
            node = self._finish_range(first.operand, low_closed=False, in_range=in_range)
            return (UnaryTest(None, self._climb(self._postfix(node), _ADD)),)
        while self.accept(","):
            tests.append(self.unary_test())
        self.in_range = in_range
        self.expect(")")
        if len(tests) == 1 and first.operator is None and not mentions_input(first.operand):
            # One bare value in parentheses may be the start of a larger one: `x in (a) + b`.
            node = self._climb(self._postfix(first.operand), _ADD)
            return (UnaryTest(None, self._bare_range(node)),)
        return tuple(tests)

    def _bare_range(self, low: Node) -> Node:
        """Finish `low..high` without brackets, or return `low`."""
        if self.peek.text != ".." or self.peek.kind != "op":
            return low
        self.index += 1
        return RangeNode(low, self.expression(_ADD), True, True)

    def _finish_range(self, low: Node, *, low_closed: bool, in_range: int) -> Node:
        self.expect("..")
        self.in_range = 1
        high = self.expression(_ADD)
        self.in_range = in_range
        closing = self.take()
        if closing.kind != "op" or closing.text not in (")", "]", "["):
            raise FeelSyntaxError("expected the end of a range", closing.position)
        return RangeNode(low, high, low_closed, closing.text == "]")

    def _unary(self) -> Node:
        if self.peek.text == "-" and self.peek.kind == "op":
            self.index += 1
            self._depth += 1
            if self._depth > NESTING_MAX:
                raise FeelSyntaxError("too many minus signs", self.peek.position)
            operand = self._unary()
            self._depth -= 1
            return Negate(operand)
        return self._postfix(self._primary())

    def _postfix(self, node: Node) -> Node:
        while True:
            token = self.peek
            if token.kind != "op":
                return node
            if token.text == ".":
                self.index += 1
                node = Path(node, self.path_name())
            elif token.text == "[" and not self._closes_range():
                self.index += 1
                in_range, self.in_range = self.in_range, 0
                condition = self.expression()
                self.in_range = in_range
                self.expect("]")
                node = Filter(node, condition)
            elif token.text == "(":
                node = self._call(node)
            else:
                return node

    def _closes_range(self) -> bool:
        return self.in_range > 0 and self.ahead(1).text in _AFTER_OPEN_BRACKET

    def _call(self, function: Node) -> Node:
        self.expect("(")
        in_range, self.in_range = self.in_range, 0
        arguments: list[Node] = []
        names: list[str] = []
        while self.peek.text != ")" or self.peek.kind != "op":
            label = self.argument_label()
            if label is not None:
                names.append(label)
            arguments.append(self.expression())
            if not self.accept(","):
                break
        self.in_range = in_range
        closing = self.expect(")")
        if names and len(names) != len(arguments):
            raise FeelSyntaxError("named and positional arguments are mixed", closing.position)
        return Call(function, tuple(arguments), tuple(names) if names else None)

    def _primary(self) -> Node:
        token = self.peek
        if token.kind == "number":
            self.index += 1
            return Literal(NUMBERS.plus(Decimal(token.text)))
        if token.kind == "string":
            self.index += 1
            return Literal(unescape(token.text))
        if token.kind == "quoted":
            self.index += 1
            return Name(token.text[1:-1])
        if token.kind == "name":
            return self._word()
        if token.kind == "op":
            if token.text == "(":
                return self._parenthesis()
            if token.text in ("[", "]"):
                return self._bracket()
            if token.text == "{":
                return self.context_literal()
            if token.text == "@":
                self.index += 1
                text = self.take()
                if text.kind != "string":
                    raise FeelSyntaxError("expected a string after '@'", text.position)
                return Literal(parse_any(unescape(text.text)))
        raise self.unexpected()

    def _word(self) -> Node:
        token = self.peek
        known = self.match_known_name()
        if known is not None:
            return Name(known)
        if token.text in _CONSTANTS:
            self.index += 1
            return Literal(_CONSTANTS[token.text])
        if token.text == "if":
            return self.if_expression()
        if token.text == "for":
            return self.for_expression()
        if token.text in ("some", "every") and self.ahead(1).kind in ("name", "quoted"):
            return self.quantified_expression()
        if token.text == "function" and self.ahead(1).text == "(":
            return self.function_expression()
        if token.text in ("and", "or") and self.ahead(1).text == "(":
            return Name(self.take().text)
        return Name(self.single_name())

    def _parenthesis(self) -> Node:
        self.expect("(")
        token = self.peek
        if token.kind == "op" and token.text in COMPARISONS:
            self.index += 1
            in_range, self.in_range = self.in_range, 0
            operand = self.expression(_ADD)
            self.in_range = in_range
            self.expect(")")
            return _comparison_range(token.text, operand)
        return self._after_open(low_closed=False, list_allowed=False)

    def _bracket(self) -> Node:
        opening = self.take()
        if opening.text == "[" and self.peek.text == "]":
            self.index += 1
            return ListNode(())
        return self._after_open(low_closed=opening.text == "[", list_allowed=opening.text == "[")

    def _after_open(self, *, low_closed: bool, list_allowed: bool) -> Node:
        """Parse what follows an opening bracket: a range, a list or a parenthesised expression."""
        opening = self.tokens[self.index - 1]
        in_range, self.in_range = self.in_range, 0
        first = self._list_item() if list_allowed else self.expression()
        if self.peek.text == ".." and self.peek.kind == "op":
            return self._finish_range(first, low_closed=low_closed, in_range=in_range)
        if list_allowed:
            items = [first]
            while self.accept(","):
                items.append(self._list_item())
            self.in_range = in_range
            self.expect("]")
            return ListNode(tuple(items))
        self.in_range = in_range
        if opening.text == "]":
            raise self.unexpected()
        self.expect(")")
        return first

    def _list_item(self) -> Node:
        token = self.peek
        if token.kind == "op" and token.text in COMPARISONS:
            self.index += 1
            return _comparison_range(token.text, self.expression(_ADD))
        return self.expression()


def _comparison_range(operator: str, operand: Node) -> Node:
    """Return the range that `(< 10)` and its kin stand for."""
    if operator == "=":
        return RangeNode(operand, operand, True, True)
    if operator == "!=":
        return NotEqualRange(operand)
    closed = operator in ("<=", ">=")
    if operator in ("<", "<="):
        return RangeNode(None, operand, False, closed)
    return RangeNode(operand, None, closed, False)
