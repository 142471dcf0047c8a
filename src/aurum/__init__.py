"""AURUM: process-orchestrated wealth onboarding.

The folders in data-path order: `domain` (words and rules), `facts` (what happened), `factlog`
(their order), `camunda` (any engine), `feed` (engine -> facts), `projection` (facts -> AG-UI),
`stream` (frames, positions, SSE), `agent`, `bff` (HTTP), `web` (pages). `compose` wires them.
"""

__version__ = "0.1.0"
