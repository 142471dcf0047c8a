"""Files of earlier releases: every build opens them, shows the same, and finishes what was parked."""

import json
import shutil
from pathlib import Path

import pytest
from tests.golden.make import FOLDER, frame_file, frames_of
from tests.support.process import Product

from aurum.keys import VIEWS, CaseId


def cases(folder: Path) -> dict[str, str]:
    found: dict[str, str] = json.loads((folder / "cases.json").read_text())
    return found


@pytest.mark.slow  # Starts the product on the golden folder: about 3 s.
@pytest.mark.timeout(120)
@pytest.mark.parametrize("folder", sorted(path for path in FOLDER.glob("v*")), ids=lambda path: path.name)
def test_a_parked_case_of_an_earlier_release_is_finished(tmp_path: Path, folder: Path) -> None:
    shutil.copytree(folder, tmp_path / "data")
    with Product(tmp_path / "data") as product:
        sarah, james = cases(folder)["sarah"], cases(folder)["james"]
        assert product.until("sarah", sarah, "account_opened")["account"]["accountNumber"]
        product.until("james", james, "waiting")

        assert product.decide("advisor", james, "approve").status_code == 200

        product.until("james", james, "account_opened")
        assert (product.accounts(sarah), product.accounts(james)) == (1, 1)
        if (asked := cases(folder).get("asked")) is not None:
            waiting = product.until("sarah", asked, "waiting")["openTasks"][0]
            assert waiting["elementId"] == "request_information"
            path = f"/cases/{asked}/tasks/{waiting['taskId']}/answer"
            answer = product.person("sarah").post(path, json={"answer": "Growth matters more."})
            assert answer.status_code == 202
            product.until("sarah", asked, "account_opened")


KEPT = sorted(
    (path.parent.name, name) for path in FOLDER.glob("v*/cases.json") for name in cases(path.parent)
)


@pytest.mark.parametrize(("version", "name"), KEPT, ids=lambda part: part)
async def test_the_same_facts_give_the_same_frames_to_the_byte(
    tmp_path: Path, version: str, name: str
) -> None:
    folder = FOLDER / version
    shutil.copytree(folder / "facts", tmp_path / "facts")

    found = await frames_of(tmp_path / "facts" / "facts.sqlite", CaseId(cases(folder)[name]))

    for view in VIEWS:
        kept = frame_file(version, name, view).read_bytes()
        assert found[view] == kept, (
            "the same facts give other frames: raise aurum.projection.PROJECTION_VERSION and run "
            "`python -m tests.golden.make --frames`"
        )
