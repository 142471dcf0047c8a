"""The secrets of one installation: made once, kept in one file that only its owner reads.

Three processes that share the data folder share them: the BFF signs receipts, the account worker
checks them, and the engine never learns the key.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

SECRET_BYTES = 32
NAMES = ("keys", "cases", "receipts", "sessions", "streams", "service_token")


@dataclass(frozen=True, slots=True)
class InstallationSecrets:
    """One key per use. `service_token` is text: it travels as a bearer token between our processes."""

    keys: bytes
    cases: bytes
    receipts: bytes
    sessions: bytes
    streams: bytes
    service_token: str

    @property
    def engine_identity(self) -> str:
        """Key of the tokens that tell the embedded engine who acts; derived, so that old folders have it."""
        return hmac.new(self.sessions, b"aurum engine identity v1", hashlib.sha256).hexdigest()


def load_or_create(data_dir: Path) -> InstallationSecrets:
    """Return the secrets of this folder, making them on first use (file mode 0600).

    Two processes that start at once agree: the file is created exclusively, the loser reads it.
    Raises ValueError for a damaged file: guessing new keys would void every signed decision.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / "secrets.json"
    if not path.exists():
        made = {name: secrets.token_hex(SECRET_BYTES) for name in NAMES}
        draft = data_dir / f".secrets.{secrets.token_hex(4)}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(made, file)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # Another process was first; its secrets count.
        finally:
            draft.unlink()
    stored = json.loads(path.read_text())
    if set(stored) != set(NAMES):
        raise ValueError(f"{path} is damaged; restore it, or remove the whole data folder to start over")
    return InstallationSecrets(
        keys=bytes.fromhex(stored["keys"]),
        cases=bytes.fromhex(stored["cases"]),
        receipts=bytes.fromhex(stored["receipts"]),
        sessions=bytes.fromhex(stored["sessions"]),
        streams=bytes.fromhex(stored["streams"]),
        service_token=stored["service_token"],
    )
