"""`DockerContainer` whose start runs `python -m aurum_engine`; whatever image is asked for."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

STOP_SECONDS_MAX = 10.0
"""How long the server may take to stop; it promises five seconds."""


class DockerContainer:
    """Starts one engine in memory on free ports, and ends it."""

    def __init__(self, image: str) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._port = 0

    def with_envs(self, **_: str) -> DockerContainer:
        """Accept settings of the image; our server needs none."""
        return self

    def with_exposed_ports(self, *_: int) -> DockerContainer:
        """Accept ports; ours are free ones."""
        return self

    def waiting_for(self, _: Any) -> DockerContainer:
        """Accept a strategy; `__enter__` waits for the line that names the port."""
        return self

    def get_container_host_ip(self) -> str:
        """Return where the server listens."""
        return "127.0.0.1"

    def get_exposed_port(self, _: int) -> int:
        """Return the port of the gateway."""
        return self._port

    def __enter__(self) -> DockerContainer:
        command = [sys.executable, "-u", "-m", "aurum_engine", "--grpc-port", "0", "--rest-port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("gRPC"):
                self._port = int(line.rpartition(":")[2])
                return self
        raise RuntimeError(f"the engine ended with {self._process.wait()} before it listened")

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.communicate(timeout=STOP_SECONDS_MAX)
