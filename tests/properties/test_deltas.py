"""Our differ against `jsonpatch` as judge."""

from typing import Any

import jsonpatch
from hypothesis import given, settings
from hypothesis import strategies as st

from aurum.projection.deltas import diff, same

scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab/~_", max_size=3) | st.just("__proto__")
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab/~ ", max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(before=values, after=values)
@settings(max_examples=300)
def test_applying_the_difference_gives_the_other_value(before: Any, after: Any) -> None:
    patched = jsonpatch.apply_patch(before, diff(before, after))

    assert same(patched, after)


@given(value=values)
def test_equal_values_have_no_difference(value: Any) -> None:
    assert diff(value, value) == []


def test_true_is_not_one() -> None:
    assert diff({"a": True}, {"a": 1}) == [{"op": "replace", "path": "/a", "value": 1}]
