"""How Python's cycle collector should work in a process that holds an engine.

An engine makes many small objects that stay, and hardly any cycles. With the settings of Python every
few hundred new ones are searched for cycles, which is a third of the time of a command.
"""

from __future__ import annotations

import gc

NEW_OBJECTS = 50_000
"""Objects made between two searches of the youngest: about a hundred instances of an onboarding."""

YOUNG_SEARCHES = 20
"""Searches of the youngest before the next generation is searched too."""


def relax_collector() -> None:
    """Search for cycles seldom. For a program's main function: the setting is the whole process's."""
    gc.set_threshold(NEW_OBJECTS, YOUNG_SEARCHES)
