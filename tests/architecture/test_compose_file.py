"""The Compose file by structure: its commands, settings, ports and references exist. Starts no container."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from aurum.cli import app
from aurum.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if name != "camunda"}
TOP_LEVEL = {"name", "services", "volumes"}
SERVICE_KEYS = {
    "build", "cap_drop", "command", "depends_on", "environment", "expose", "healthcheck", "image", "init",
    "mem_limit", "networks", "ports", "profiles", "read_only", "restart", "security_opt", "stop_grace_period",
    "tmpfs", "volumes",
}  # fmt: skip
"""The words of the compose specification that this file uses."""
CAMUNDA_NAMES = re.compile(
    r"SPRING_PROFILES_ACTIVE|CAMUNDA_SECURITY_AUTHENTICATION_UNPROTECTEDAPI|"
    r"CAMUNDA_SECURITY_AUTHORIZATIONS_ENABLED|CAMUNDA_DATA_SECONDARY_STORAGE_"
    r"(TYPE|RDBMS_(URL|USERNAME|PASSWORD|AUTO_DDL|FLUSH_INTERVAL))"
)


def default_profile() -> str:
    (line,) = re.findall(r"^COMPOSE_PROFILES=(\w+)$", (ROOT / ".env").read_text("utf-8"), re.MULTILINE)
    return str(line)


def started_by(profile: str) -> set[str]:
    return {name for name, service in SERVICES.items() if profile in service.get("profiles", [profile])}


def setting_names() -> dict[str, str]:
    """Environment name -> field."""
    names: dict[str, str] = {}
    for field_name, field in Settings.model_fields.items():
        choices = getattr(field.validation_alias, "choices", None) or [f"AURUM_{field_name.upper()}"]
        names |= {str(choice): field_name for choice in choices}
    return names


def test_only_words_of_the_specification_are_used() -> None:
    assert {key for key in COMPOSE if not key.startswith("x-")} <= TOP_LEVEL
    assert {key for service in SERVICES.values() for key in service} <= SERVICE_KEYS


def test_a_plain_up_starts_the_embedded_engine() -> None:
    assert started_by(default_profile()) == {"engine", "workers", "bff"}


def test_the_other_profile_puts_camunda_in_the_same_place() -> None:
    assert started_by("camunda") == {"camunda", "workers", "bff"}
    assert SERVICES["camunda"]["networks"]["default"]["aliases"] == ["engine"]
    assert SERVICES["camunda"]["expose"] == SERVICES["engine"]["expose"]


def test_every_command_is_one_of_the_command_line() -> None:
    known = {command.name or command.callback.__name__ for command in app.registered_commands}  # type: ignore[union-attr]
    known |= {group.name for group in app.registered_groups}

    assert {service["command"][0] for service in OURS.values()} <= known


def test_every_environment_name_is_known() -> None:
    unknown = [
        name for service in OURS.values() for name in service["environment"] if name not in setting_names()
    ]

    assert unknown == []
    assert all(CAMUNDA_NAMES.fullmatch(name) for name in SERVICES["camunda"]["environment"])


def test_the_values_are_accepted_by_the_settings() -> None:
    for service in OURS.values():
        given = {setting_names()[name]: value for name, value in service["environment"].items()}
        aliases = {"zeebe_address": "ZEEBE_ADDRESS", "camunda_rest_address": "CAMUNDA_REST_ADDRESS"}
        settings = Settings(**{aliases.get(name, name): value for name, value in given.items()})
        assert settings.data_dir == Path("/data")


def test_ports_are_the_defaults_and_published_on_loopback_only() -> None:
    defaults = {
        name: str(Settings.model_fields[name].default) for name in ("port", "gateway_port", "rest_port")
    }
    published = [port for service in SERVICES.values() for port in service.get("ports", [])]

    assert published == [f"127.0.0.1:{defaults['port']}:{defaults['port']}"]
    assert SERVICES["engine"]["expose"] == [defaults["gateway_port"], defaults["rest_port"]]


def test_references_inside_the_file_exist() -> None:
    for service in SERVICES.values():
        assert set(service.get("depends_on", {})) <= set(SERVICES)
        assert {volume.split(":")[0] for volume in service.get("volumes", [])} <= set(COMPOSE["volumes"])


def test_our_services_share_the_folder_of_the_secrets() -> None:
    assert all(service["volumes"] == ["aurum-data:/data"] for service in OURS.values())


def test_the_image_runs_without_rights_and_installs_by_hash() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text("utf-8")

    assert re.search(r"^USER aurum$", dockerfile, re.MULTILINE)
    assert "--require-hashes -r /tmp/requirements.lock" in dockerfile
    assert "apt-get" not in dockerfile
