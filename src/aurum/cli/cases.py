"""`aurum onboard | tasks | decide | log | retry`: cases from the command line, over the public HTTP."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from aurum.cli.client import Bff, errors

console = Console(highlight=False, soft_wrap=True)
wide = console if console.is_terminal else Console(highlight=False, width=200)
"""Tables are cut to a terminal's width; a file or a pipe gets the whole of every key."""

EXIT_OPENED, EXIT_ERROR, EXIT_PARKED, EXIT_DECLINED = 0, 1, 3, 4
_EXIT_OF_STATUS = {
    "account_opened": EXIT_OPENED,
    "waiting": EXIT_PARKED,
    "declined": EXIT_DECLINED,
}
"""Exit codes of `onboard --follow`; every other status is an error."""

_DEMO_CUSTOMERS = {("Sarah", "Chen"): "sarah", ("James", "Rodriguez"): "james"}

Case = Annotated[str, typer.Argument(help="Case id, a unique beginning of one, or `latest`.")]


def onboard(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="An application as JSON.")],
    follow: Annotated[
        bool, typer.Option("--follow", help="Print the customer's stream to its rest.")
    ] = False,
    person: Annotated[str | None, typer.Option("--as", help="Customer who submits.")] = None,
) -> None:
    """Submit an application.

    With --follow the exit code is 0 account opened, 3 parked for a person, 4 declined, 1 error.
    """
    try:
        record = json.loads(file.read_text())
    except ValueError as error:
        errors.print(f"[red]{file} is not JSON[/red]: line {getattr(error, 'lineno', '?')}")
        raise typer.Exit(EXIT_ERROR) from error
    bff = Bff(person or _demo_customer(record))
    headers = {"Idempotency-Key": secrets.token_hex(16)}
    case_id = bff.call("POST", "/applications", json=record, headers=headers)["caseId"]
    console.print(f"case {case_id}")
    if follow:
        raise typer.Exit(_follow(bff, case_id))


def _demo_customer(record: object) -> str:
    """Return the demo person the application is about; Sarah stands in for all others."""
    if not isinstance(record, dict):
        return "sarah"
    return _DEMO_CUSTOMERS.get((str(record.get("givenNames")), str(record.get("familyName"))), "sarah")


def _follow(bff: Bff, case_id: str) -> int:
    """Print until the first rest that is not the beginning; return the exit code."""
    state: dict[str, Any] = {}
    for event in bff.events(case_id, "customer"):
        _print_event(event)
        if event["type"] == "STATE_SNAPSHOT":
            state = event["snapshot"]
        elif event["type"] == "STATE_DELTA":
            for operation in event["delta"]:
                if operation["path"] == "/status":
                    state = {**state, "status": operation["value"]}
        elif event["type"] == "RUN_ERROR":
            return EXIT_ERROR
        elif event["type"] == "RUN_FINISHED" and state.get("status") not in ("submitted", "running"):
            console.print(f"status {state.get('status')}")
            return _EXIT_OF_STATUS.get(str(state.get("status")), EXIT_ERROR)
    return EXIT_ERROR


def _print_event(event: dict[str, Any]) -> None:
    match event["type"]:
        case "TEXT_MESSAGE_CONTENT":
            console.print(f"  {event['delta']}", style="italic", markup=False)
        case "STEP_STARTED":
            console.print(f"  > {event['stepName'].partition('#')[0]}", style="dim", markup=False)
        case "ACTIVITY_SNAPSHOT":
            content = event["content"]
            props = content.get("props", {})
            told = {
                name: props[name]
                for name in ("outcome", "profile", "label", "accountNumber", "code")
                if name in props
            }
            console.print(f"  [{content['component']}] {content['status']} {json.dumps(told)}", markup=False)
        case "MESSAGES_SNAPSHOT":
            for message in event["messages"]:
                if message["role"] == "assistant" and message.get("content"):
                    console.print(f"  {message['content']}", style="italic", markup=False)
        case _:
            pass


def tasks(person: Annotated[str, typer.Option("--as")] = "senior.advisor") -> None:
    """List the open tasks of the advisors, oldest first."""
    rows = Bff(person).call("GET", "/queue")["tasks"]
    table = Table("key", "element id", "applicant", "amount (USD)", "waiting since", "assignee", "case")
    for row in rows:
        cents = row["depositUsdCents"]
        amount = "unknown" if cents is None else f"{cents // 100:,}.{cents % 100:02d}"
        table.add_row(
            row["taskId"],
            row["elementId"],
            row["applicant"] or "",
            amount,
            row["since"],
            row["assignee"] or "",
            row["caseId"],
        )
    wide.print(table)


def decide(
    case: Case,
    outcome: Annotated[str, typer.Argument(help="approve, decline or request-info")],
    person: Annotated[str, typer.Option("--as", help="Who decides.")] = "advisor",
    reason: Annotated[str, typer.Option(help="Reason code; required to decline.")] = "",
    question: Annotated[str, typer.Option(help="What to ask; required for request-info.")] = "",
) -> None:
    """Decide the open task of a case as a person of the bank."""
    bff = Bff(person)
    case_id = bff.case_of(case)
    open_tasks = bff.call("GET", f"/cases/{case_id}")["openTasks"]
    if not open_tasks:
        errors.print("[red]nothing waits for a decision in this case[/red]")
        raise typer.Exit(EXIT_ERROR)
    path = f"/cases/{case_id}/tasks/{open_tasks[0]['taskId']}"
    basis = bff.call("GET", path)["basisHash"]
    body = {"outcome": outcome, "reasonCode": reason, "question": question}
    made = bff.call("POST", f"{path}/decision", json=body, headers={"If-Match": f'"{basis}"'})
    console.print(f"{made['person']}: {made['outcome']} at {made['at']}")


def log(
    case: Case, as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False
) -> None:
    """Print every fact of a case, personal values masked."""
    bff = Bff("operator")
    case_id = bff.case_of(case)
    for line in bff.request("GET", f"/cases/{case_id}/facts").text.splitlines():
        if as_json:
            typer.echo(line)
            continue
        fact = json.loads(line)
        told = fact.get("elementId") or fact.get("decisionId") or fact.get("processInstanceKey") or ""
        console.print(
            f"{fact['index']:>4}  {fact['loggedAt']}  {fact['id']:<36}  {told}", markup=False, soft_wrap=True
        )


def retry(case: Case) -> None:
    """Retry every open incident of a case."""
    bff = Bff("operator")
    case_id = bff.case_of(case)
    incidents = bff.call("GET", f"/cases/{case_id}")["incidents"]
    for incident in incidents:
        bff.call("POST", f"/cases/{case_id}/incidents/{incident['incidentId']}/retry")
        console.print(f"retried {incident['elementId']} ({incident['errorType']})")
    if not incidents:
        console.print("no open incident")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (onboard, tasks, decide, log, retry):
        app.command()(command)
