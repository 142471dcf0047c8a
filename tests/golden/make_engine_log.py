"""Write an engine log that holds every kind of event: `python -m tests.golden.make_engine_log FILE`.

Random models and random commands, as the replay property has them, until no kind is missing. The
answer beside it (`FILE.json`) says what the instances must look like for ever.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from aurum_engine.core import commands as c
from aurum_engine.core.codec import KINDS, encode_step
from aurum_engine.core.processor import Processor
from aurum_engine.core.state import StateView
from aurum_engine.log.record import Record
from aurum_engine.log.sqlite import SqliteLog
from tests.conformance.scenarios.builder import build
from tests.properties.test_engine_replay import BLOCKS, CHILD, command_of, described

START_MS = 1_780_000_000_000
ROUNDS_MAX = 40
DMN = b"""<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" id="d" name="d" namespace="n">
<decision id="rate" name="Rate"><variable name="rate"/>
<literalExpression><text>n * 2</text></literalExpression></decision>
</definitions>"""
STARTS: dict[str, dict[str, Any]] = {
    "by_message": {"type": "startEvent", "message": {"name": "begin"}},
    "by_signal": {"type": "startEvent", "signal": "go"},
}


def seen_by(view: StateView) -> dict[str, Any]:
    """Return what a log must mean for ever: instances, jobs, variables and the key counter."""
    return {
        "lastKey": view.last_key,
        "instances": {str(key): found.state.value for key, found in view.process_instances.items()},
        "jobs": {str(key): [found.type, found.state.value] for key, found in view.jobs.items()},
        "tasks": {str(key): found.state.value for key, found in view.user_tasks.items()},
        "incidents": {str(key): found.state.value for key, found in view.incidents.items()},
        "elements": {str(key): [e.element_id, e.state.value] for key, e in view.elements.items()},
        "variables": {
            str(key): {name: variable.value for name, variable in scope.items()}
            for key, scope in view.scopes.items()
        },
        "waiting": sorted(key for keys in view.waiting.values() for key in keys),
        "buffered": sorted(view.messages),
        "timers": sorted(view.timers),
    }


def orders(chance: random.Random, number: int) -> list[Any]:
    """Return the commands of one round; numbers pairs stand for what the view then suggests."""
    plan = [chance.choice(BLOCKS) for _ in range(3)] + [("agent", ["user"])]
    model = described(plan, with_event_sub_process=True)
    files = [c.Resource("p.bpmn", model), c.Resource("called.bpmn", CHILD)]
    if number % 10 == 0:
        for name, start in STARTS.items():  # Another task each time, so that it is another version.
            model = {"id": name, "flow": f"s -> task{number} -> e", "elements": {"s": start}}
            files.append(c.Resource(f"{name}.bpmn", build(model)))
        files.append(c.Resource("rate.dmn", DMN.replace(b"* 2", b"* %d" % (number + 2))))
        files.append(c.Resource("f.form", b'{"id": "f", "components": [%d]}' % number))
    drawn = [(chance.randrange(500), chance.randrange(1_000)) for _ in range(60)]
    tasks = [c.AssignUserTask, c.UpdateUserTask, c.UpdateJobTimeout]
    return [
        c.DeployResources(tuple(files)),
        c.CreateProcessInstance("p", variables={"n": 0, "k": "k0"}, business_id=f"b{number}"),
        c.EvaluateDecision("rate", variables={"n": number}),
        c.BroadcastSignal("go"),
        c.PublishMessage("begin"),
        *drawn[:30],
        *tasks,
        *drawn[30:],
    ]


def resolved(view: StateView, wanted: Any) -> c.Command | None:
    """Return the command an order stands for; None when there is nothing to aim at."""
    if isinstance(wanted, tuple):
        return command_of(view, *wanted)
    tasks = [key for key, task in view.user_tasks.items() if task.state.value == "CREATED"]
    jobs = [key for key, job in view.jobs.items() if job.state.value == "ACTIVATED"]
    if wanted is c.AssignUserTask:
        return c.AssignUserTask(tasks[-1], "ada") if tasks else None
    if wanted is c.UpdateUserTask:
        return c.UpdateUserTask(tasks[-1], priority=70, candidate_groups=("g",)) if tasks else None
    if wanted is c.UpdateJobTimeout:
        return c.UpdateJobTimeout(jobs[-1], 90_000) if jobs else None
    found: c.Command = wanted
    return found


def write(path: Path) -> None:
    """Write the log and its meaning. Raises AssertionError when a kind of event never came up."""
    chance, processor, records, now_ms = random.Random(7), Processor(), [], START_MS
    missing = set(KINDS)
    for number in range(ROUNDS_MAX):
        if not missing:
            break
        for wanted in orders(chance, number):
            now_ms += chance.randrange(40_000)
            command = resolved(processor.view, wanted)
            step = processor.process(command, now_ms) if command is not None else None
            if step is not None and step.events:
                records.append(Record(len(records) + 1, now_ms, encode_step(step.events)))
                missing -= {type(event).__name__ for event in step.events}
    assert not missing, missing
    log = SqliteLog(path)
    log.append(records)
    log.close()
    path.with_name(path.name + ".lock").unlink()
    answer = json.dumps(seen_by(processor.view), separators=(",", ":"))
    path.with_suffix(".json").write_text(answer + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
