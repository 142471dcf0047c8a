"""`check`: the engine's own judgement of files, and what their drawing leads to."""

from __future__ import annotations

from pathlib import Path

from tests.conformance.scenarios.builder import build
from typer.testing import CliRunner

from aurum_engine.cli import app

ROOT = Path(__file__).resolve().parents[3]


def run(*files: Path) -> tuple[int, str]:
    """Return exit code and everything printed."""
    result = CliRunner().invoke(app, ["check", *(str(path) for path in files)])
    return result.exit_code, result.output


def test_the_shipped_files_deploy_and_are_sound() -> None:
    files = [*ROOT.glob("bpmn/*.bpmn"), *ROOT.glob("dmn/*.dmn"), *ROOT.glob("bpmn/forms/*.form")]
    assert run(*files) == (0, f"{len(files)} files deploy\n")


def test_what_the_engine_would_refuse_is_an_error_that_names_the_element(tmp_path: Path) -> None:
    file = tmp_path / "bad.bpmn"
    file.write_bytes(
        build({"id": "p", "flow": "start -> g -> end", "elements": {"g": {"type": "complexGateway"}}})
    )
    code, said = run(file)
    assert code == 1
    assert "'bad.bpmn'" in said
    assert "'g'" in said


def test_a_deadlock_is_an_error_and_a_missing_default_a_warning(tmp_path: Path) -> None:
    which, task = {"type": "exclusiveGateway"}, {"type": "serviceTask", "job": "work"}
    flow = "start -> which; which -> a [= x]; which -> b [= y]; a -> join; b -> join -> end"
    elements = {"which": which, "join": {"type": "parallelGateway"}, "a": task, "b": task}
    file = tmp_path / "stuck.bpmn"
    file.write_bytes(build({"id": "p", "flow": flow, "elements": elements}))
    code, said = run(file)
    assert code == 1
    assert "stuck.bpmn: error: 'join': can wait for ever for a token from 'a' and 'b'" in said
    assert "stuck.bpmn: warning: 'which': has no default flow" in said


def test_a_file_that_cannot_be_read_is_one_clear_line(tmp_path: Path) -> None:
    code, said = run(tmp_path / "none.bpmn")
    assert code == 2
    assert "cannot read" in said
