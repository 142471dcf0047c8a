"""The evidence of a case as a file that can be checked by anybody: chained lines and a seal. Pure.

One canonical JSON object a line: `{n, kind, body, prev, hash}`. `hash` covers all the rest, `prev` is
the hash of the line before. The last line is the seal: an Ed25519 signature over the head of the
chain. A changed, moved, added or missing byte breaks one line, and `verify` names it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from aurum.domain.canonical import NotCanonical, canonical_json, digest

FORMAT = "aurum-evidence-1"
GENESIS = "sha256:" + "0" * 64
SEAL = "seal"
_MEMBERS = {"n", "kind", "body", "prev", "hash"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found. `line` counts from 1 and names the first place that does not hold."""

    is_good: bool
    lines: int
    public_key: str = ""
    line: int = 0
    reason: str = ""


def seal(records: Iterable[tuple[str, Mapping[str, Any]]], private_key: bytes) -> Iterator[bytes]:
    """Yield the lines of an evidence file, each with its line feed. `private_key` is 32 bytes."""
    signer = Ed25519PrivateKey.from_private_bytes(private_key)
    prev, number = GENESIS, 0
    for kind, body in records:
        number += 1
        line, prev = _line(number, kind, body, prev)
        yield line
    head = prev.encode()
    body = {
        "algorithm": "Ed25519",
        "head": prev,
        "lines": number,
        "publicKey": public_key_of(private_key),
        "signature": signer.sign(head).hex(),
    }
    yield _line(number + 1, SEAL, body, prev)[0]


def public_key_of(private_key: bytes) -> str:
    """Return the public half as hex: what a verifier compares with the bank's published key."""
    return Ed25519PrivateKey.from_private_bytes(private_key).public_key().public_bytes_raw().hex()


def verify(lines: Iterable[bytes], *, public_key: str | None = None) -> Verdict:
    """Check a file, line by line. With `public_key` (hex) the seal must be that key's."""
    prev, number, sealed_by = GENESIS, 0, ""
    for raw in lines:
        number += 1
        if sealed_by:
            return Verdict(False, number, line=number, reason="something follows the seal")
        entry = _parsed(raw)
        if isinstance(entry, str):
            return Verdict(False, number, line=number, reason=entry)
        reason = _against(entry, number, prev)
        if reason is None and entry["kind"] == SEAL:
            reason = _seal_against(entry["body"], number, prev, public_key)
            sealed_by = str(entry["body"].get("publicKey")) if reason is None else ""
        if reason is not None:
            return Verdict(False, number, line=number, reason=f"{entry['kind']}: {reason}")
        prev = entry["hash"]
    if not sealed_by:
        return Verdict(False, number, line=number + 1, reason="the file ends without its seal")
    return Verdict(True, number, public_key=sealed_by)


def file_lines(data: bytes) -> list[bytes]:
    """Return the lines of a file with their line feeds; nothing else ends a line."""
    *whole, last = data.split(b"\n")
    return [line + b"\n" for line in whole] + ([last] if last else [])


def _line(number: int, kind: str, body: Mapping[str, Any], prev: str) -> tuple[bytes, str]:
    entry: dict[str, Any] = {"n": number, "kind": kind, "body": dict(body), "prev": prev}
    entry["hash"] = digest(entry)
    return canonical_json(entry) + b"\n", entry["hash"]


def _parsed(raw: bytes) -> dict[str, Any] | str:
    """Return the line's object, or why it is none."""
    if not raw.endswith(b"\n"):
        return "the line is cut off"
    try:
        entry = json.loads(raw)
        canonical = canonical_json(entry) + b"\n"
    except (ValueError, NotCanonical, RecursionError):
        return "not JSON"
    if not isinstance(entry, dict) or set(entry) != _MEMBERS or not isinstance(entry["kind"], str):
        return "not a line of evidence"
    return entry if canonical == raw else "not in canonical form"


def _against(entry: Mapping[str, Any], number: int, prev: str) -> str | None:
    if entry["n"] != number:
        return f"line number {entry['n']!r} where {number} belongs"
    if entry["prev"] != prev:
        return "does not follow the line before"
    rest = {name: value for name, value in entry.items() if name != "hash"}
    return None if entry["hash"] == digest(rest) else "the content does not match its hash"


def _seal_against(body: object, number: int, prev: str, public_key: str | None) -> str | None:
    if not isinstance(body, Mapping) or body.get("head") != prev or body.get("lines") != number - 1:
        return "seals another chain"
    if public_key is not None and body.get("publicKey") != public_key:
        return "sealed with another key"
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(str(body.get("publicKey"))))
        key.verify(bytes.fromhex(str(body.get("signature"))), prev.encode())
    except (ValueError, InvalidSignature):
        return "the signature does not hold"
    return None
