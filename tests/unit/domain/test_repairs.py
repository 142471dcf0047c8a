"""The closed list of variables that an operator may set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aurum.domain.repairs import SETTABLE, repair_problem

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize(
    ("name", "value", "current", "code"),
    [
        ("checks", {}, {"pep": {}}, "NOT_SETTABLE"),
        ("nameVariants", [], None, None),
        ("nameVariants", ["Jim"], None, None),
        ("nameVariants", ["Jim", "Jaime"], ["Jaime"], None),
        ("nameVariants", [], ["Jaime"], "TAKES_AWAY"),
        ("nameVariants", ["x"] * 9, None, "WRONG_SHAPE"),
        ("nameVariants", ["x" * 121], None, "WRONG_SHAPE"),
        ("nameVariants", [" "], None, "WRONG_SHAPE"),
        ("editors", ["james", "advisor"], ["james"], None),
        ("editors", ["advisor"], ["james"], "TAKES_AWAY"),
        ("editors", ["advisor", 1], [], "WRONG_SHAPE"),
    ],
)
def test_a_value_fits_its_contract_or_is_refused_with_a_code(
    name: str, value: object, current: object, code: str | None
) -> None:
    assert repair_problem(name, value, current) == code


@given(
    name=st.sampled_from(["application", "checks", "decisions", "route", "risk", "quote", "depositUsdCents"]),
    value=JSON,
)
def test_nothing_that_decides_a_case_can_be_set(name: str, value: object) -> None:
    assert name not in SETTABLE
    assert repair_problem(name, value, None) == "NOT_SETTABLE"


@given(name=st.sampled_from(SETTABLE), value=JSON, current=JSON)
def test_what_is_set_never_takes_away_what_is_there(name: str, value: object, current: object) -> None:
    if repair_problem(name, value, current) is None:
        assert isinstance(value, list)
        assert all(item in value for item in (current if isinstance(current, list) else []))
