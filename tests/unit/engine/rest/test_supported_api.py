"""The page of supported operations names every route and every RPC."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import Route

from aurum_engine.clock import ManualClock
from aurum_engine.gateway.rpcs import rpc_names
from aurum_engine.server import EngineServer

PAGE = (Path(__file__).parents[4] / "docs" / "supported-api.md").read_text(encoding="utf-8")


async def test_every_route_is_documented() -> None:
    async with EngineServer(clock=ManualClock(0)) as server:
        app = server.app

    assert isinstance(app, Starlette)
    paths = {route.path.removeprefix("/v2") for route in app.routes if isinstance(route, Route)}
    assert {path for path in paths if f"`{path}`" not in PAGE} == set()


def test_every_rpc_is_documented() -> None:
    assert [name for name in rpc_names() if name not in PAGE] == []
