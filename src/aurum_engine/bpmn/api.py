"""Entry to the BPMN level: bytes of a resource in, executable processes or all its problems out."""

from __future__ import annotations

from aurum_engine.bpmn.declarations import read_definitions
from aurum_engine.bpmn.loops import with_bodies
from aurum_engine.bpmn.model import Problem, Process
from aurum_engine.bpmn.reader import read_process
from aurum_engine.bpmn.validate import validate
from aurum_engine.bpmn.xml import BPMN, InvalidXml, attribute, children, parse, split


class InvalidBpmn(Exception):
    """A BPMN resource is outside of what this engine executes; carries every problem found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(str(problem) for problem in problems))
        self.problems = problems


def read_bpmn(source: bytes) -> tuple[Process, ...]:
    """Return the executable processes of a resource, in document order.

    Raises InvalidBpmn with all problems when anything in an executable process is not
    supported. Processes that are not marked executable are left out, as Camunda does.
    """
    problems: dict[Problem, None] = {}

    def report(element_id: str, reason: str) -> None:
        problems[Problem(element_id, reason)] = None

    try:
        root = parse(source)
    except InvalidXml as error:
        raise InvalidBpmn((Problem("", str(error)),)) from error
    if split(root) != (BPMN, "definitions"):
        raise InvalidBpmn((Problem("", "root element is not bpmn:definitions"),))
    definitions = read_definitions(root, report)
    processes = []
    ids: set[str] = set()
    for node in children(root, BPMN, "process"):
        if attribute(node, "isExecutable") != "true":
            continue
        process = read_process(node, definitions, report)
        if not process.id:
            report("", "a process has no id")
        if process.id in ids:
            report(process.id, "process id is used twice")
        ids.add(process.id)
        validate(process, report)
        processes.append(process)
    if not processes:
        report("", 'resource has no executable process (isExecutable="true")')
    if problems:
        raise InvalidBpmn(tuple(problems))
    return tuple(with_bodies(process) for process in processes)
