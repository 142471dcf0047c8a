"""The rate service: a published day, exact pairs, and problems instead of guesses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI

from aurum.bff import problems
from aurum.bff.routes import fx
from aurum.clock import ManualClock
from aurum.resources import euro_rates

euro_rates()  # Read once, while collecting, not inside the first test that needs it.

NOW_MS = 1_796_040_000_000


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    app.state.services = SimpleNamespace(clock=ManualClock(NOW_MS))
    problems.install(app)
    app.include_router(fx.router)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as made:
        yield made


async def test_a_pair_has_a_rate_a_day_and_a_source(client: httpx.AsyncClient) -> None:
    answer = await client.get("/fx/latest", params={"base": "EUR", "symbols": "USD"})

    assert answer.json() == {
        "amount": 1.0,
        "base": "EUR",
        "date": "2026-10-30",
        "rates": {"USD": 1.1172},
        "source": "ECB euro reference rates, bundled snapshot (simulated)",
        "simulated": True,
    }
    assert answer.headers["cache-control"] == "public, max-age=3600"


async def test_without_symbols_every_other_currency_is_there(client: httpx.AsyncClient) -> None:
    rates = (await client.get("/fx/latest", params={"base": "USD"})).json()["rates"]

    assert "USD" not in rates
    assert {"EUR", "GBP", "JPY", "BRL"} <= set(rates)
    assert rates["EUR"] == pytest.approx(1 / 1.1172)


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"base": "eur"}, 400),
        ({"base": "EU"}, 400),
        ({"symbols": "USD,"}, 400),
        ({"symbols": "USD;GBP"}, 400),
        ({"base": "XXX", "symbols": "USD"}, 404),
        ({"base": "EUR", "symbols": "USD,XXX"}, 404),
        ({"base": "EURO"}, 422),
    ],
)
async def test_anything_else_is_a_problem(
    client: httpx.AsyncClient, params: dict[str, str], status: int
) -> None:
    answer = await client.get("/fx/latest", params=params)

    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
