"""Writes `src/aurum/web/cards/schemas.json` from the models of the cards' props.

`python scripts/card_schemas.py` writes the file; `--check` changes nothing and fails if the file in
the tree differs from what the models give. Titles, descriptions and defaults are left out: the page
judges with these schemas, it does not show them.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from aurum.projection.card_models import card_schemas

SCHEMAS = Path(__file__).resolve().parent.parent / "src" / "aurum" / "web" / "cards" / "schemas.json"

_WORDS = frozenset({"title", "description", "default"})


def bare(schema: Any) -> Any:
    """Return the schema without its words; names of properties are kept even where they equal one."""
    if isinstance(schema, list):
        return [bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if name not in _WORDS}
    return {
        name: {inner: bare(one) for inner, one in value.items()}
        if name in ("properties", "$defs")
        else bare(value)
        for name, value in kept.items()
    }


def text() -> str:
    """Return the file's text, one card a line, so that a change shows as one line."""
    cards = {
        name: {"version": entry["version"], "schema": bare(entry["schema"])}
        for name, entry in card_schemas().items()
    }
    lines = [f"  {json.dumps(name)}: {json.dumps(entry, sort_keys=True)}" for name, entry in cards.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    """Write or compare; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    if parser.parse_args().check:
        if SCHEMAS.read_text() != text():
            sys.stderr.write(f"{SCHEMAS.name} differs from the models: run scripts/card_schemas.py\n")
            return 1
        return 0
    SCHEMAS.write_text(text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
