"""The past of a view: however one jumps about in it, a moment is what a fold from the first fact gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.cases import ALL_CASES, START_MS

from aurum.bff.past import CHECKPOINT_EVERY, PastFold
from aurum.factlog.port import LoggedFact
from aurum.keys import CaseId, View
from aurum.projection.context import ProjectionContext
from aurum.projection.operator import masked
from aurum.projection.project import initial_view, project

FACTS = ALL_CASES["approved"]
LOGGED = [LoggedFact(place, START_MS + place, fact) for place, fact in enumerate(FACTS, start=1)]


def context_of(view: View) -> ProjectionContext:
    return ProjectionContext(view, CaseId("case-1"), b"k" * 32, customer_epoch="0123456789")


@pytest.fixture(scope="module")
def expected() -> list[tuple[object, object]]:
    """State and messages after 0, 1, 2 … facts, folded from the first one."""
    context = context_of("customer")
    view = initial_view(context)
    found: list[tuple[object, object]] = [(view.state, view.messages)]
    for entry in LOGGED:
        view, _ = project(context, view, masked(entry.fact), entry.logged_ms)
        found.append((view.state, view.messages))
    return found


@pytest.mark.slow  # Three hundred and more folds.
@settings(max_examples=25)
@given(
    looks=st.lists(st.integers(0, len(LOGGED)), min_size=1, max_size=12), known=st.integers(0, len(LOGGED))
)
def test_any_order_of_looks_shows_what_a_fold_from_the_start_shows(
    expected: list[tuple[object, object]], looks: list[int], known: int
) -> None:
    fold = PastFold(context_of("customer"))
    fold.extend(LOGGED[:known])
    for look in looks:
        moment = fold.at(look)
        if look > fold.length:
            assert moment is None
            fold.extend(LOGGED)  # The log has grown, and says again what is known.
            moment = fold.at(look)
        assert moment is not None
        assert (moment.view.state, moment.view.messages) == expected[look]
        assert (moment.index, moment.of) == (look, fold.length)


def test_a_moment_names_its_fact_and_gives_the_frames_of_that_fact_alone() -> None:
    fold = PastFold(context_of("customer"))
    fold.extend(LOGGED)

    for index in (1, CHECKPOINT_EVERY, CHECKPOINT_EVERY + 1, len(LOGGED)):
        moment = fold.at(index)
        assert moment is not None
        assert moment.fact_id == LOGGED[index - 1].fact.fact_id
        assert {frame.fact_id for frame in moment.frames} <= {moment.fact_id}
    before = fold.at(0)
    assert before is not None
    assert (before.fact_id, list(before.frames)) == (None, [])
