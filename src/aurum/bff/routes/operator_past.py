"""What was: a view after the first facts of a case (the scrubber), and the frames that a view put out."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Path, Response

from aurum.bff.deps import CaseDep, ServicesDep, SignedInDep
from aurum.bff.problems import Problem
from aurum.bff.routes.operator import require_operator
from aurum.bff.wire import recorded_stream
from aurum.instants import iso_utc
from aurum.keys import View

router = APIRouter(tags=["operator"])


@router.get("/cases/{case_id}/at/{index}")
async def at(
    index: Annotated[int, Path(ge=0)],
    entry: CaseDep,
    who: SignedInDep,
    services: ServicesDep,
    view: View = "customer",
) -> dict[str, Any]:
    """Return state, messages and tokens of a view after `index` facts, and the last fact's frames.

    Index 0 is the case before anything happened; one beyond the last fact is 404. The facts are
    masked before the fold, so no view gives an operator more than its own does.
    """
    require_operator(who)
    channel = await services.hub.channel(entry.case_id, view)
    moment = await services.past.at(services.inbox, channel, index)
    if moment is None:
        raise Problem("not-found")
    return {
        "caseId": entry.case_id,
        "view": view,
        "index": moment.index,
        "of": moment.of,
        "factId": moment.fact_id,
        "loggedAt": None if moment.logged_ms is None else iso_utc(moment.logged_ms),
        "state": moment.view.state,
        "messages": list(moment.view.messages),
        "tokens": [leaf.element_id for leaf in moment.view.model.leaves()],
        "frames": [{"seq": frame.seq, "event": frame.event} for frame in moment.frames],
    }


@router.get("/cases/{case_id}/wire")
async def wire(
    entry: CaseDep,
    who: SignedInDep,
    services: ServicesDep,
    view: Literal["customer", "advisor"] = "customer",
    runs: Literal["closed", "all"] = "all",
) -> Response:
    """Return the frames of a view as NDJSON, one AG-UI event a line, masked, with their ids in `metadata`.

    With `runs=closed` the file ends with the last run that has ended: a whole, legal recording.
    """
    require_operator(who)
    channel = await services.hub.channel(entry.case_id, view)
    logged = await services.inbox.read(entry.case_id)
    events = await asyncio.to_thread(
        recorded_stream, channel.context, channel.epoch, logged, closed=runs == "closed"
    )
    return Response(
        b"".join(orjson.dumps(event) + b"\n" for event in events),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{view}-{entry.case_id}.ndjson"'},
    )
