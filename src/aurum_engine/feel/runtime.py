"""One evaluation: budgets, warnings, the instant it happens at, and variable scopes. Pure.

Every limit ends an evaluation with null and a warning of kind `BUDGET_EXCEEDED`; nothing here
raises to a caller of the engine.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from aurum_engine.feel.convert import from_json

if TYPE_CHECKING:
    from aurum_engine.feel.nodes import TypeName

STEPS_MAX = 2_000_000
"""List items visited and functions called in one evaluation, about two seconds of Python."""

ITEMS_MAX = 1_100_000
"""Items of one list: feel-scala's own suite builds one of 1,000,001."""

TEXT_CHARS_MAX = 4_000_000
"""Characters of one built string: the size of a gRPC message, so nothing longer could leave."""

CALL_DEPTH_MAX = 60
"""Nested calls of user-defined functions; each costs about eight Python stack frames."""

WARNINGS_MAX = 100
"""Warnings kept per evaluation; a loop over a faulty list would repeat one a million times."""

NULL: Final[Any] = None
"""FEEL's null as a value, where a function gives it on purpose."""

MISSING: Final = object()
"""Marks a name that a scope does not have, where None is a value."""


@dataclass(frozen=True, slots=True)
class FeelWarning:
    """Something that gave null: `kind` is feel-scala's failure type."""

    kind: str
    message: str


class BudgetExceeded(Exception):
    """A limit of this module was reached; ends the evaluation."""


class AssertionFailed(Exception):
    """`assert` was not met; ends the evaluation with null, as in Camunda."""


class Run:
    """State of one evaluation. `now_ms` is Unix time in milliseconds, or None when not given."""

    __slots__ = ("_resolve_type", "_steps_left", "call_depth", "now_ms", "warnings")

    def __init__(
        self,
        now_ms: int | None = None,
        resolve_type: Callable[[str], TypeName | None] | None = None,
    ) -> None:
        self.warnings: list[FeelWarning] = []
        self.now_ms = now_ms
        self.call_depth = 0
        self._resolve_type = resolve_type
        self._steps_left = STEPS_MAX

    def warn(self, kind: str, message: str) -> Any:
        """Note why a value is null, and return that null."""
        if len(self.warnings) < WARNINGS_MAX:
            self.warnings.append(FeelWarning(kind, message))
        return NULL

    def type_named(self, name: str) -> TypeName | None:
        """Return a type that is not built in, None when there is none of that name."""
        return None if self._resolve_type is None else self._resolve_type(name)

    def spend(self, steps: int) -> None:
        """Take steps from the budget; ends the evaluation when it is used up."""
        self._steps_left -= steps
        if self._steps_left < 0:
            raise BudgetExceeded(f"evaluation takes more than {STEPS_MAX} steps")

    def check_items(self, count: int) -> None:
        """End the evaluation when a list would grow too long."""
        if count > ITEMS_MAX:
            raise BudgetExceeded(f"a list has more than {ITEMS_MAX} items")
        self.spend(count)

    def check_text(self, chars: int) -> None:
        """End the evaluation when a string would grow too long."""
        if chars > TEXT_CHARS_MAX:
            raise BudgetExceeded(f"a string has more than {TEXT_CHARS_MAX} characters")
        self.spend(chars // 64)


class Scope:
    """Variables in view, innermost first; holds FEEL values."""

    __slots__ = ("parent", "run", "variables")

    def __init__(self, variables: Mapping[str, Any], parent: Scope | None, run: Run) -> None:
        self.variables = variables
        self.parent = parent
        self.run = run

    def find(self, name: str) -> Any:
        """Return the innermost value of a name, or `MISSING`."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.read(name)
            scope = scope.parent
        return MISSING

    def read(self, name: str) -> Any:
        """Return the value of a name this very scope has."""
        return self.variables[name]

    def find_path(self, names: tuple[str, ...]) -> Any:
        """Return the value of `a.b.c` if plain contexts lead to it, else `MISSING`."""
        scope: Scope | None = self
        while scope is not None:
            if names[0] in scope.variables:
                return scope.read_path(names)
            scope = scope.parent
        return MISSING

    def read_path(self, names: tuple[str, ...]) -> Any:
        """Follow a path from a name this very scope has."""
        value = self.variables
        for name in names:
            # Most steps lead through plain contexts; asking an abstract class costs ten times as much.
            if (type(value) is not dict and not isinstance(value, Mapping)) or name not in value:
                return MISSING
            value = value[name]
        return value


class FeelVariables(Mapping[str, Any]):
    """JSON-shaped variables of a caller who keeps FEEL values from one evaluation to the next."""

    @abstractmethod
    def feel_value(self, name: str) -> Any:
        """Return what `from_json` makes of a variable; nobody changes it. KeyError when there is none."""


class JsonScope(Scope):
    """Outermost variables, JSON-shaped; only what is read becomes a FEEL value, once."""

    __slots__ = ("_converted",)

    def __init__(self, variables: Mapping[str, Any], run: Run, parent: Scope | None = None) -> None:
        super().__init__(variables, parent, run)
        self._converted: dict[str, Any] = {}

    def read(self, name: str) -> Any:
        """Return the FEEL value of a variable."""
        if name not in self._converted:
            variables = self.variables
            self._converted[name] = (
                variables.feel_value(name)
                if isinstance(variables, FeelVariables)
                else from_json(variables[name])
            )
        return self._converted[name]

    def read_path(self, names: tuple[str, ...]) -> Any:
        """Follow a path through the JSON and convert only its end."""
        value = super().read_path(names)
        return value if value is MISSING else from_json(value)
