"""The one strategy that pyzeebe's tests name. It is accepted and not needed."""

from __future__ import annotations


class LogMessageWaitStrategy:
    """Holds nothing: the stand-in container waits by itself."""

    def __init__(self, message: str) -> None:
        pass

    def with_startup_timeout(self, seconds: int) -> LogMessageWaitStrategy:
        """Accept a time."""
        return self
