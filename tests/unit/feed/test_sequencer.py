"""When a fact may be appended."""

from tests.support.cases import CaseScript, straight_through

from aurum.facts.vocabulary import (
    ElementEnded,
    ElementStarted,
    InstanceEnded,
    InstanceStarted,
    ResultRecorded,
)
from aurum.feed.sequencer import RESULT_GRACE_MS, START_GRACE_MS, Sequencer


def test_an_early_result_lands_between_start_and_end_of_its_element() -> None:
    facts = CaseScript().start().service("parse_application").service("verify_identity").facts
    early = next(fact for fact in facts if isinstance(fact, ResultRecorded))
    sequencer = Sequencer()

    assert sequencer.offer([early], 0) == []
    assert sequencer.offer(facts, 10) == facts


def test_a_result_implies_its_start_once_the_case_is_known_and_the_grace_is_over() -> None:
    facts = CaseScript().start().service("parse_application").facts
    result = next(fact for fact in facts if isinstance(fact, ResultRecorded))
    sequencer = Sequencer(facts[:1])

    assert sequencer.offer([result], 0) == []
    assert sequencer.release(START_GRACE_MS) == [result]


def test_before_the_instance_is_known_a_result_waits_longer() -> None:
    facts = CaseScript().start().service("parse_application").facts
    result = next(fact for fact in facts if isinstance(fact, ResultRecorded))
    sequencer = Sequencer()

    assert sequencer.offer([result], 0) == []
    assert sequencer.release(START_GRACE_MS) == []


def test_an_end_waits_for_the_result_that_is_owed_but_not_for_ever() -> None:
    facts = CaseScript().start().service("parse_application").facts
    without = [fact for fact in facts if not isinstance(fact, ResultRecorded)]
    end = without[-1]
    sequencer = Sequencer()

    assert end not in sequencer.offer(without, 0)
    assert sequencer.next_due_ms() == RESULT_GRACE_MS
    assert sequencer.release(RESULT_GRACE_MS) == [end]


def test_the_end_of_the_instance_comes_last() -> None:
    facts = straight_through()
    ended = facts[-1]
    assert isinstance(ended, InstanceEnded)

    released = Sequencer().offer([ended, *facts[:-1]], 0)

    assert released[-1] == ended
    assert len(released) == len(facts)


def test_a_known_fact_is_never_released_twice() -> None:
    facts = straight_through()
    sequencer = Sequencer(facts)

    assert sequencer.offer(facts, 0) == []


def test_an_element_that_was_taken_away_owes_nothing() -> None:
    started = ElementStarted("9", "verify_identity", "SERVICE_TASK", 1)
    ended = ElementEnded("9", "verify_identity", "SERVICE_TASK", "TERMINATED", 2)
    sequencer = Sequencer(CaseScript().start().facts)

    assert sequencer.offer([started, ended], 0) == [started, ended]


def test_a_result_from_behind_the_agent_waits_for_the_agents_own_story() -> None:
    sequencer = Sequencer()
    agent = ElementStarted("20", "onboarding_agent", "AD_HOC_SUB_PROCESS", 1)
    sequencer.offer([InstanceStarted("1", "wealth-onboarding", 2, "sarah", 1), agent], 0)
    early = ResultRecorded("90", "open_account", {"account": {}})

    assert sequencer.offer([early], 0) == []
    assert sequencer.release(1_000) == []
    assert sequencer.release(5_000) == [early]
