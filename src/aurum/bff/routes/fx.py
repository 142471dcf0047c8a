"""Reference rates in the shape of a Frankfurter-style service, from the bundled snapshot. Public.

The agent's rate tool reads them over HTTP like any other provider, so a real one can take this
place by its address alone. Rates are as of the last publishing day, never newer than today.
"""

from __future__ import annotations

import functools
import re
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from aurum.bff.deps import ServicesDep
from aurum.bff.problems import Problem
from aurum.domain.rates import EURO, SOURCE, EuroTable
from aurum.instants import utc_date
from aurum.resources import euro_rates

router = APIRouter(prefix="/fx", tags=["fx"])

MAX_AGE_SECONDS = 3_600
"""Rates change once a working day; an hour keeps a cache useful and an error short."""

_CODE = re.compile(r"[A-Z]{3}")


@functools.cache
def _table() -> EuroTable:
    return EuroTable(euro_rates())


# Not `async`: the first call reads the snapshot, 350 ms that would stop every other request.
@router.get("/latest")
def latest(
    services: ServicesDep,
    base: Annotated[str, Query(max_length=3)] = EURO,
    symbols: Annotated[str, Query(max_length=200)] = "",
) -> JSONResponse:
    """Return `{amount, base, date, rates, source, simulated}`: units of each symbol for one of `base`.

    400 for what is no list of currency codes, 404 for a currency without a rate on that day.
    """
    wanted = tuple(dict.fromkeys(symbols.split(","))) if symbols else ()
    if not all(_CODE.fullmatch(code) for code in (base, *wanted)):
        raise Problem("bad-request", "Currencies are three capital letters, separated by commas.")
    table, today = _table(), utc_date(services.clock.now_ms())
    rates: dict[str, Any] = {}
    day = ""
    for symbol in wanted or tuple(code for code in table.symbols(today) if code != base):
        found = table.published(base, symbol, today)
        if found is None:
            raise Problem("not-found", "There is no rate between these currencies.")
        rates[symbol], day = float(found.rate), found.day.isoformat()
    body = {
        "amount": 1.0,
        "base": base,
        "date": day,
        "rates": rates,
        "source": SOURCE,
        "simulated": True,
    }
    return JSONResponse(body, headers={"Cache-Control": f"public, max-age={MAX_AGE_SECONDS}"})
