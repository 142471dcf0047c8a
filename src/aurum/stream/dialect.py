"""The seed dialect `aurum-0` as a transform of AG-UI frames: one frame to one frame, same ids. Pure.

Old front-ends know `GENERATIVE_UI` (a card) and `USER_TASK` (a question), and read `pid` and `ts` on
everything. Official AG-UI clients drop or reject these types, so they leave only on request
(`?dialect=aurum-0`).
"""

from __future__ import annotations

from typing import Literal

from aurum.keys import CaseId
from aurum.projection.events import CARD_ACTIVITY, Event

Dialect = Literal["aurum-0"]


def to_aurum_0(event: Event, case_id: CaseId) -> Event:
    """Return the event in the seed dialect. `pid` is the public case id: engine keys stay inside."""
    common = {"pid": case_id, "ts": event.get("timestamp")}
    if event["type"] == "ACTIVITY_SNAPSHOT" and event.get("activityType") == CARD_ACTIVITY:
        content = event["content"]
        props = {**content["props"], "status": content["status"]}
        return {"type": "GENERATIVE_UI", **common, "component": content["component"], "props": props}
    outcome = event.get("outcome", {})
    if event["type"] == "RUN_FINISHED" and outcome.get("type") == "interrupt":
        asked = outcome["interrupts"][0]
        props = {name: asked[name] for name in ("message", "responseSchema", "metadata") if name in asked}
        return {"type": "USER_TASK", **common, "taskId": asked["id"], "component": "UserTask", "props": props}
    plain = {name: value for name, value in event.items() if name != "timestamp"}
    return {**plain, **common}
