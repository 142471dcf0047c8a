"""Makes the golden data: one data folder with Sarah ended and James parked, stopped cleanly.

    python -m tests.golden.make

Run it only when a new release may forget how to read older files, which is never: add a folder
beside the old ones instead. `frames` are made anew when PROJECTION_VERSION goes up (`--frames`).
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
from tests.support.process import Product

FOLDER = Path(__file__).parent / "data"
KEY_SECRET = b"golden"
"""Names engine keys in the golden frames; the installation's own secret is not used for them."""


def make_data() -> None:
    """Run both cases and keep the folder."""
    with tempfile.TemporaryDirectory() as scratch:
        with Product(Path(scratch) / "data") as product:
            cases = {
                "sarah": product.submit("sarah", "sarah-chen"),
                "james": product.submit("james", "james-rodriguez"),
            }
            product.until("sarah", cases["sarah"], "account_opened")
            product.until("james", cases["james"], "waiting")
            product.stop()
            shutil.rmtree(FOLDER / "v1", ignore_errors=True)
            shutil.copytree(
                product.data_dir, FOLDER / "v1", ignore=shutil.ignore_patterns("*.lock", "*-wal", "*-shm")
            )
        (FOLDER / "v1" / "cases.json").write_text(json.dumps(cases, indent=1) + "\n")


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


def make_frames() -> None:
    """Fold the golden logs and keep the bytes."""
    cases = json.loads((FOLDER / "v1" / "cases.json").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(FOLDER / "v1" / "facts", Path(scratch) / "facts")
        for name, case_id in cases.items():
            found = asyncio.run(frames_of(Path(scratch) / "facts" / "facts.sqlite", CaseId(case_id)))
            for view, data in found.items():
                (FOLDER / f"frames-{name}-{view}.sse").write_bytes(data)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    if "--frames" not in sys.argv:
        make_data()
    make_frames()
