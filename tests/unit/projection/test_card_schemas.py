"""The schemas beside the page are those of the models, and `docs/cards.md` lists every card."""

from __future__ import annotations

import runpy
from pathlib import Path

from aurum.projection.card_models import CARD_MODELS

ROOT = Path(__file__).parents[3]


def test_the_pages_schemas_are_those_of_the_models() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "card_schemas.py"))

    assert script["SCHEMAS"].read_text() == script["text"](), "run scripts/card_schemas.py"


def test_the_document_lists_every_card_with_its_version() -> None:
    document = (ROOT / "docs" / "cards.md").read_text(encoding="utf-8")

    for name, model in CARD_MODELS.items():
        assert f"| `{name}` | {model.VERSION} |" in document
