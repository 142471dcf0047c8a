"""Facts to AG-UI, one legal stream per view. Pure: `(view, fact) -> (view, frames)`.

`model` is what the engine holds, view by view `state` shows it, `effects` says which events a fact
causes, `runs` brackets them, `project` puts it together. Nothing here knows a socket or a clock.
"""

PROJECTION_VERSION = 1
"""Part of every stream's epoch. Goes up whenever the same facts would give other frames."""
