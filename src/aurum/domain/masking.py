"""How a personal value looks to somebody who may see *that* it is there but not what it is.

A mask never depends on anything but the value and its kind, never raises, and never shows more
than: first letters of names, last four of long numbers, the year of a date, the domain of an
address, the length of a text. Masking a mask changes nothing that matters.
"""

from __future__ import annotations

import re
from typing import Literal

MaskKind = Literal["name", "last4", "email", "phone", "date", "text", "hidden"]

_VISIBLE_DIGITS = 4
_LONG_ENOUGH = 8
"""Shorter numbers are hidden whole: four visible of six would be most of it."""


def mask_value(kind: MaskKind, value: object) -> str | None:
    """Return the masked text of a scalar; None stays None. `S… C…`, `***-**-1234`, `1988-…`."""
    if value is None:
        return None
    text = str(value)
    match kind:
        case "name":
            return " ".join(word[0] + "…" for word in text.split())
        case "last4":
            return _last_four(text)
        case "email":
            local, at, domain = text.rpartition("@")
            return f"{local[:1]}…@{domain}" if at and local else "…"
        case "phone":
            digits = re.sub(r"\D", "", text)
            return f"…{digits[-2:]}" if len(digits) >= _LONG_ENOUGH else "…"
        case "date":
            return f"{text[:4]}-…" if re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text) else "…"
        case "text":
            return f"[{len(text)} characters]"
        case "hidden":
            return "…"


def _last_four(text: str) -> str:
    significant = [char for char in text if char.isalnum()]
    if len(significant) < _LONG_ENOUGH:
        return "…"
    tail = "".join(significant[-_VISIBLE_DIGITS:])
    return f"***-**-{tail}" if len(significant) == 9 else f"…{tail}"
