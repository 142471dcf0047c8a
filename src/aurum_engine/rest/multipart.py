"""multipart/form-data for deployments: bytes in, named files out (RFC 7578). Sans-IO.

Only what a deployment needs: part names, file names and binary content. Nested parts, transfer
encodings and RFC 2231 continuations are refused or absent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from aurum_engine.rest.problems import invalid

PARTS_MAX = 200
"""Parts of one request; a deployment has a handful."""

_BOUNDARY = re.compile(r'boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))', re.IGNORECASE)
_PARAMETER = re.compile(r';\s*([a-zA-Z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))')


@dataclass(frozen=True, slots=True)
class Part:
    """One form field; `file_name` is None for a plain field."""

    name: str
    file_name: str | None
    content: bytes


def _parameters(disposition: str) -> dict[str, str]:
    found = {}
    for name, quoted, plain in _PARAMETER.findall(disposition):
        found[name.lower()] = re.sub(r"\\(.)", r"\1", quoted) if quoted else plain
    extended = found.get("filename*")
    if extended is not None:
        charset, _, encoded = extended.partition("''")
        if charset.lower() not in {"utf-8", "iso-8859-1"}:
            raise invalid(f"file name in charset {charset!r} is not supported")
        found["filename"] = unquote(encoded, encoding=charset)
    return found


def _part(raw: bytes) -> Part:
    head, separator, content = raw.partition(b"\r\n\r\n")
    if not separator:
        raise invalid("a part of the form has no end of its header")
    headers = {}
    for line in head.decode("utf-8", "replace").split("\r\n"):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    disposition = headers.get("content-disposition", "")
    if not disposition.lower().startswith("form-data"):
        raise invalid("a part of the form has no Content-Disposition: form-data")
    parameters = _parameters(disposition)
    # Browsers write a quote in a name as %22 (WHATWG, multipart/form-data encoding algorithm).
    file_name = parameters.get("filename")
    return Part(
        name=parameters.get("name", "").replace("%22", '"'),
        file_name=None if file_name is None else file_name.replace("%22", '"'),
        content=content,
    )


def parse_multipart(content_type: str, body: bytes) -> tuple[Part, ...]:
    """Return the parts of a form in order. Raises Problem 400 for anything malformed."""
    if not content_type.lower().startswith("multipart/form-data"):
        raise invalid("expected Content-Type multipart/form-data")
    match = _BOUNDARY.search(content_type)
    if match is None:
        raise invalid("the Content-Type has no boundary")
    delimiter = b"\r\n--" + (match[1] or match[2]).encode("latin-1")
    pieces = (b"\r\n" + body).split(delimiter)
    if len(pieces) < 2 or not pieces[-1].startswith(b"--"):
        raise invalid("the form does not end with its boundary")
    if len(pieces) > PARTS_MAX + 2:
        raise invalid(f"the form has more than {PARTS_MAX} parts")
    parts = []
    for piece in pieces[1:-1]:
        padding, newline, raw = piece.partition(b"\r\n")
        if padding.strip() or not newline:
            raise invalid("a boundary of the form is malformed")
        parts.append(_part(raw))
    return tuple(parts)
