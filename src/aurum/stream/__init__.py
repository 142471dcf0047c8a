"""Frames to bytes to subscribers: positions, encoding and guard, boundaries, prelude, hub, SSE."""
