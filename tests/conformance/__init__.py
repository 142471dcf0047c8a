"""Runners of public vectors against the embedded engine; `python -m tests.conformance.<name>`."""
