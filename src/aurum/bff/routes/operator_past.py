"""The scrubber's route: what a view was after the first facts of a case, masked, by the same fold."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path

from aurum.bff.deps import CaseDep, ServicesDep, SignedInDep
from aurum.bff.problems import Problem
from aurum.bff.routes.operator import require_operator
from aurum.keys import View
from aurum.projection.operator import masked
from aurum.projection.project import initial_view, project

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
    logged = await services.inbox.read(entry.case_id)
    if index > len(logged):
        raise Problem("not-found")
    context = (await services.hub.channel(entry.case_id, view)).context
    past = initial_view(context)
    frames: list[dict[str, Any]] = []
    for item in logged[:index]:
        past, caused = project(context, past, masked(item.fact), item.logged_ms)
        frames = [{"seq": frame.seq, "event": frame.event} for frame in caused]
    return {
        "caseId": entry.case_id,
        "view": view,
        "index": index,
        "of": len(logged),
        "factId": logged[index - 1].fact.fact_id if index else None,
        "state": past.state,
        "messages": list(past.messages),
        "tokens": [leaf.element_id for leaf in past.model.leaves()],
        "frames": frames,
    }
