"""Who may see and do what. Pure functions over server-side facts; tokens and form fields decide nothing."""

from __future__ import annotations

from aurum.bff.auth.people import Person
from aurum.feed.registry import CaseEntry
from aurum.keys import View

_VIEWS: dict[str, tuple[View, ...]] = {
    "customer": ("customer",),
    "advisor": ("advisor", "customer"),
    "operator": ("operator",),
    "auditor": ("operator",),
}
"""Persona -> views, the first is the default. The operator reads the customer's frames masked, inside
his own view."""


def default_view(person: Person) -> View:
    """Return the view that a person's own pages use."""
    return _VIEWS[person.persona][0]


def views_of(person: Person) -> tuple[View, ...]:
    """Return the views that a person may ever read."""
    return _VIEWS[person.persona]


def may_know(person: Person, entry: CaseEntry) -> bool:
    """May this person learn that the case exists? If not, it looks exactly as if it did not."""
    return person.persona != "customer" or entry.submitter == person.person_id


def may_view(person: Person, entry: CaseEntry, view: View) -> bool:
    """May this person read this view of this case?"""
    return may_know(person, entry) and view in _VIEWS[person.persona]


def may_answer(person: Person, entry: CaseEntry) -> bool:
    """May this person answer the customer's tasks and withdraw? Only who submitted the case."""
    return person.persona == "customer" and entry.submitter == person.person_id


def may_decide(person: Person, groups: tuple[str, ...]) -> bool:
    """May this person take a task of these candidate groups?"""
    return person.persona == "advisor" and not person.groups.isdisjoint(groups)


def may_repair(person: Person) -> bool:
    """May this person retry incidents?"""
    return person.persona == "operator"
