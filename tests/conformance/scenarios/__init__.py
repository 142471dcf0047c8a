"""Declarative engine scenarios: YAML files, a small interpreter, and drivers that reach an engine."""
