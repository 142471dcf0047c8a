"""People as the BFF knows them, and the seeded ones of the demo identity provider. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from aurum.keys import PersonId

Persona = Literal["customer", "advisor", "operator", "auditor"]


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in person. `groups` are the engine's candidate groups."""

    person_id: PersonId
    name: str
    persona: Persona
    groups: frozenset[str] = frozenset()
    does: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return what a page may show of the person."""
        return {
            "personId": self.person_id,
            "name": self.name,
            "persona": self.persona,
            "groups": sorted(self.groups),
        }


DEMO_PEOPLE: dict[str, Person] = {
    person.person_id: person
    for person in (
        Person(PersonId("sarah"), "Sarah Chen", "customer", does="opens an account with USD 480,000"),
        Person(PersonId("james"), "James Rodriguez", "customer", does="opens an account with USD 1,620,000"),
        Person(
            PersonId("advisor"), "Alex Morgan", "advisor", frozenset({"advisors"}), "decides on applications"
        ),
        Person(
            PersonId("senior.advisor"),
            "Sofia Laurent",
            "advisor",
            frozenset({"advisors", "senior-advisors"}),
            "gives the second approval",
        ),
        Person(PersonId("operator"), "Omar Haddad", "operator", does="watches the process and retries"),
        Person(PersonId("auditor"), "Aiko Tanaka", "auditor", does="reads everything, changes nothing"),
    )
}
"""The demo's people. They exist only while demo mode is on, and only on a loopback address."""
