"""No personal value of a case reaches a log line, an error, or an answer outside its audience.

The running product is asked everything that can be asked, by everybody, while every logger writes at DEBUG.
"""

import copy
import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.integration.test_authority import MATRIX
from tests.support.world import World, example, world

pytestmark = pytest.mark.slow  # Runs a whole case: about two seconds.

CANARIES = {
    "e-mail": "canary.mailbox@example.com",
    "street": "Canary Street 4711",
    "document": "CANARYDOC77",
    "phone": "5125550177",
    "tax number": "222-33-4444",
    "tax digits": "222334444",
    "account": "000987654321",
    "birth date": "1971-09-03",
    "family name": "Rodriguez",
    "answer": "canary answer of the customer",
}
"""What nobody but the customer and his advisors may read."""

PUBLIC = ("GET /demo/examples", "GET /session/people")
"""Where the demo names the people it has; it does so for everybody, before any case."""

OWN_EYES = ("james", "advisor")
PEOPLE = (*OWN_EYES, "sarah", "operator", "auditor", None)


def record() -> dict[str, Any]:
    """Return James's application with canaries in it."""
    planted = copy.deepcopy(example("james-rodriguez"))
    planted["email"] = CANARIES["e-mail"]
    planted["residentialAddress"]["line1"] = CANARIES["street"]
    planted["mailingAddress"]["line1"] = CANARIES["street"]
    return planted


def found_in(text: str) -> set[str]:
    """Return the names of the canaries in a text."""
    plain = text.casefold()
    return {name for name, value in CANARIES.items() if value.casefold() in plain}


def lines_of(records: Iterable[logging.LogRecord]) -> str:
    """Return log records as text, with their structured fields and tracebacks."""
    form = logging.Formatter()
    return "\n".join(f"{form.format(record)} {record.__dict__!r}" for record in records)


async def answered(product: World) -> str:
    """Bring a case through a question and its answer to the advisor again; return its id."""
    case_id = await product.submit("james", record())
    await product.until("james", case_id, "waiting", "advisor_review")
    await product.decide("advisor", case_id, "request-info", question="Which sale?", fields=["/occupation"])
    state = await product.until("james", case_id, "waiting", "provide_information")
    james = await product.person("james")
    path = f"/cases/{case_id}/tasks/{state['openTasks'][0]['taskId']}/answer"
    sent = await james.post(path, json={"answer": CANARIES["answer"], "changes": {"occupation": "Investor"}})
    assert sent.status_code == 202, sent.text
    await product.until("james", case_id, "waiting", "advisor_review")
    return case_id


async def asked_by(product: World, person: str | None, names: dict[str, str]) -> dict[str, str]:
    """Return the answers to every reading route that the matrix does not leave out, by route."""
    client, answers = await product.person(person), {}
    for route, expected in MATRIX.items():
        method, path = route.split(" ")
        if method == "GET" and -1 not in expected and route not in PUBLIC:
            answers[route] = (await client.get(path.format_map(names))).text
    return answers


async def refused_to(product: World, person: str | None, names: dict[str, str]) -> dict[str, str]:
    """Return the refusals of bodies that hold canaries, by route."""
    client, answers = await product.person(person), {}
    body = {name: [value] for name, value in CANARIES.items()} | {"answer": {"x": CANARIES["answer"]}}
    for route, expected in MATRIX.items():
        method, path = route.split(" ")
        if method == "POST" and -1 not in expected:
            for sent in (json.dumps(body), json.dumps([body]), json.dumps(body)[:-1]):
                answer = await client.post(path.format_map(names), content=sent)
                assert answer.status_code < 500, (route, person, answer.text)
                answers[route] = answers.get(route, "") + answer.text
    return answers


async def test_what_only_customer_and_advisor_may_read_is_nowhere_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    leaks: list[tuple[str, str, set[str]]] = []
    async with world(tmp_path) as product:
        case_id = await answered(product)
        entry = product.services.registry.by_case(case_id)
        assert entry is not None
        task = (await product.state("advisor", case_id))["openTasks"][0]["taskId"]
        names = {
            "case_id": case_id,
            "task_id": task,
            "process_instance_key": str(entry.process_instance_key),
            "index": "5",
            "name": "routing",
            "incident_key": "1",
            "view": "customer",
        }
        own = await asked_by(product, "james", names)
        for person in PEOPLE:
            if person not in OWN_EYES:
                for route, text in (await asked_by(product, person, names)).items():
                    leaks.append((str(person), route, found_in(text)))
            for route, text in (await refused_to(product, person, names)).items():
                leaks.append((str(person), route, found_in(text)))

    assert found_in(own["GET /cases/{case_id}"]), "the scan finds what it looks for where it may be"
    assert [leak for leak in leaks if leak[2]] == []
    assert found_in(lines_of(caplog.records)) == set()
    assert len(leaks) > 100


def test_a_leak_in_a_log_line_or_a_field_of_it_is_found() -> None:
    line = logging.LogRecord("a", logging.INFO, __file__, 1, "no %s", ("rodriguez",), None)
    field = logging.LogRecord("a", logging.INFO, __file__, 1, "quiet", (), None)
    field.details = {"to": CANARIES["e-mail"]}

    assert found_in(lines_of([line])) == {"family name"}
    assert found_in(lines_of([field])) == {"e-mail"}
