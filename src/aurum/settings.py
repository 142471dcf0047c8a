"""Every setting of AURUM, with its default and its reason. Read by the composition root only.

Environment names start with `AURUM_`; the addresses of an engine also answer to Camunda's own names
(`ZEEBE_ADDRESS`, `CAMUNDA_REST_ADDRESS`), so that a Camunda user guesses right.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Settings(BaseSettings):
    """Settings of one process. `aurum doctor` prints them with where each came from."""

    model_config = SettingsConfigDict(env_prefix="AURUM_", extra="ignore")

    data_dir: Path = Field(
        default=Path(".aurum"), description="Folder of the engine, the fact log, the ledger and the secrets."
    )
    host: str = Field(default="127.0.0.1", description="Address of pages and BFF. Loopback in demo mode.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port of pages and BFF; 0 takes any free one."
    )
    engine: Literal["embedded", "camunda"] = Field(
        default="embedded", description="Start our own engine, or talk to the one at the addresses below."
    )
    engine_host: str = Field(default="127.0.0.1", description="Address the embedded engine binds.")
    gateway_port: int = Field(default=26500, ge=0, le=65535, description="gRPC port of the embedded engine.")
    rest_port: int = Field(default=8080, ge=0, le=65535, description="REST v2 port of the embedded engine.")
    zeebe_address: str = Field(
        default="127.0.0.1:26500",
        validation_alias=AliasChoices("AURUM_ZEEBE_ADDRESS", "ZEEBE_ADDRESS"),
        description="Gateway of a remote engine.",
    )
    camunda_rest_address: str = Field(
        default="http://127.0.0.1:8080/v2",
        validation_alias=AliasChoices(
            "AURUM_CAMUNDA_REST_ADDRESS", "CAMUNDA_REST_ADDRESS", "ZEEBE_REST_ADDRESS"
        ),
        description="REST v2 of a remote engine, ending in /v2.",
    )
    forward_identity: bool = Field(
        default=False,
        description="Send people's user-task commands to a remote engine under their own names.",
    )
    bff_address: str = Field(
        default="http://127.0.0.1:8000", description="Where separate workers hand in their facts."
    )
    search_lag_ms: int = Field(
        default=0, ge=0, le=60_000, description="Delay of the embedded engine's searches, as Camunda has it."
    )
    pace_ms: int = Field(
        default=0,
        ge=0,
        le=5_000,
        description="Pause before each worker answers: a simulated provider's time.",
    )
    brain: Literal["shadow"] = Field(
        default="shadow", description="Who speaks for the agent: `shadow` is a script and needs no key."
    )
    fx_address: str | None = Field(
        default=None,
        description="Frankfurter-style rates service, without the last `/latest`; none is our own `/fx`.",
    )
    demo: bool = Field(default=True, description="Built-in people and examples. Refused off loopback.")
    oidc_issuer: str | None = Field(
        default=None, description="Production identity provider; excludes demo mode."
    )
    allow_remote_demo: bool = Field(
        default=False, description="Let the demo answer on a non-loopback address (a container's port)."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="Least important log line that is written."
    )
    log_json: bool = Field(default=False, description="One JSON object per log line.")

    @model_validator(mode="after")
    def _demo_stays_at_home(self) -> Settings:
        """Demo people have no passwords: they must not meet production or a network."""
        if self.demo and self.oidc_issuer is not None:
            raise ValueError(
                "demo mode and a production identity provider exclude each other (AURUM_DEMO=false)"
            )
        if not self.demo and self.oidc_issuer is None:
            raise ValueError("without demo mode an identity provider is needed (AURUM_OIDC_ISSUER)")
        if self.demo and self.host not in LOOPBACK and not self.allow_remote_demo:
            raise ValueError(
                "demo mode answers on loopback only (AURUM_ALLOW_REMOTE_DEMO=true in a container)"
            )
        return self
