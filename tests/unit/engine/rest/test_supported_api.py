"""The page of supported operations names every RPC; for REST see `test_engine_rest_claims.py`."""

from __future__ import annotations

from pathlib import Path

from aurum_engine.gateway.rpcs import rpc_names

PAGE = (Path(__file__).parents[4] / "docs" / "supported-api.md").read_text(encoding="utf-8")


def test_every_rpc_is_documented() -> None:
    assert [name for name in rpc_names() if name not in PAGE] == []
