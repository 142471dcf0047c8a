"""The agent's own tools: one file each, found by being in this folder."""
