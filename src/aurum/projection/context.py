"""What a projection is told besides facts: whose view, of which case, and how keys are named. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aurum.domain.audiences import visible_to
from aurum.keys import CaseId, View, opaque_key


@dataclass(frozen=True, slots=True)
class ProjectionContext:
    """One view of one case. `key_secret` names engine keys for those who may not see them."""

    view: View
    case_id: CaseId
    key_secret: bytes
    customer_epoch: str = ""
    """Epoch of the customer's stream: the operator's wire pane shows the customer's own frame ids."""

    def name_of(self, key: str) -> str:
        """Return how this view writes an engine key: as it is for the operator, hashed for all others."""
        return key if self.view == "operator" else opaque_key(self.key_secret, key)

    def visible(self, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return what this view may see of the variables; nothing that is not allowed by name."""
        shown = {name: visible_to(self.view, name, value) for name, value in variables.items()}
        return {name: value for name, value in shown.items() if value is not None}
