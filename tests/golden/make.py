"""Makes the golden data: a folder with Sarah ended, James parked and the agent asking, stopped cleanly.

    python -m tests.golden.make v3       a folder of a new release, beside the old ones
    python -m tests.golden.make --frames   when PROJECTION_VERSION goes up
    python -m tests.golden.make --shadow   when the demo's words or cards are meant to change

A folder that exists is never made again: later builds must read what earlier ones wrote.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import tempfile
from pathlib import Path

from aurum.factlog.sqlite import SqliteFactLog
from aurum.keys import VIEWS, CaseId
from aurum.stream.boundary import Viewer, finish
from aurum.stream.frames import encode
from aurum.stream.hub import Hub
from aurum.stream.position import StreamPosition
from tests.golden.transcript import transcript
from tests.support.process import Product
from tests.support.world import example, world

FOLDER = Path(__file__).parent / "data"
KEY_SECRET = b"golden"
"""Names engine keys in the golden frames; the installation's own secret is not used for them."""

SHADOW_CASES = {"sarah": ("sarah-chen", "account_opened"), "james": ("james-rodriguez", "waiting")}
"""Person -> example, and the status at which the transcript ends."""


def make_data(version: str) -> None:
    """Run the cases and keep the folder. Raises FileExistsError for a release that has one."""
    if (FOLDER / version).exists():
        raise FileExistsError(FOLDER / version)
    with tempfile.TemporaryDirectory() as scratch:
        with Product(Path(scratch) / "data") as product:
            cases = {
                "sarah": product.submit("sarah", "sarah-chen"),
                "james": product.submit("james", "james-rodriguez"),
                "asked": product.submit("sarah", "contradicting-answers"),
            }
            product.until("sarah", cases["asked"], "waiting")
            product.until("sarah", cases["sarah"], "account_opened")
            product.until("james", cases["james"], "waiting")
            product.stop()
            shutil.copytree(
                product.data_dir, FOLDER / version, ignore=shutil.ignore_patterns("*.lock", "*-wal", "*-shm")
            )
        (FOLDER / version / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")


async def frames_of(log_path: Path, case_id: CaseId) -> dict[str, bytes]:
    """Return each view's whole stream as bytes, with the epoch left out of the ids."""
    log = SqliteFactLog.open(log_path)
    try:
        hub, found = Hub(log, KEY_SECRET), {}
        for view in VIEWS:
            channel = await hub.channel(case_id, view)
            viewer = Viewer(view, frozenset({"advisors"}), is_submitter=True)
            parts = [
                entry
                if isinstance(entry, bytes)
                else encode(finish(entry, viewer), StreamPosition(channel.epoch, entry.seq))
                for entry in channel.entries
            ]
            whole = b"".join(parts).replace(channel.context.customer_epoch.encode(), b"EPOCH")
            found[view] = whole.replace(channel.epoch.encode(), b"EPOCH")
        return found
    finally:
        await log.close()


def frame_file(version: str, name: str, view: str) -> Path:
    """Return where the frames of a case are kept; the first release's have no version in their name."""
    return FOLDER / f"frames-{'' if version == 'v1' else version + '-'}{name}-{view}.sse"


def make_frames() -> None:
    """Fold the golden logs of all releases and keep the bytes."""
    for folder in sorted(FOLDER.glob("v*")):
        cases = json.loads((folder / "cases.json").read_text())
        with tempfile.TemporaryDirectory() as scratch:
            shutil.copytree(folder / "facts", Path(scratch) / "facts")
            for name, case_id in cases.items():
                found = asyncio.run(frames_of(Path(scratch) / "facts" / "facts.sqlite", CaseId(case_id)))
                for view, data in found.items():
                    frame_file(folder.name, name, view).write_bytes(data)


async def shadow_transcripts(data_dir: Path) -> dict[str, str]:
    """Run both demo cases and return their customers' streams in a form that is the same each time."""
    async with world(data_dir) as product:
        found = {}
        for person, (example_name, status) in SHADOW_CASES.items():
            case_id = await product.submit(person, example(example_name))
            state = await product.until(person, case_id, status)
            epoch = state.pop("position").partition(".")[0]
            frames = await product.read(person, case_id, "customer", until="RUN_FINISHED", after=f"{epoch}.0")
            found[person] = transcript([frame.event for frame in frames], state)
        return found


def make_shadow() -> None:
    """Run both demo cases and keep their transcripts."""
    with tempfile.TemporaryDirectory() as scratch:
        for name, text in asyncio.run(shadow_transcripts(Path(scratch))).items():
            (FOLDER / f"shadow-{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    if "--shadow" in sys.argv:
        make_shadow()
    elif "--frames" in sys.argv:
        make_frames()
    else:
        make_data(sys.argv[1])
        make_frames()
