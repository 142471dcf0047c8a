"""BPMN with Zeebe extensions, read into a frozen model and judged at deployment. Pure."""
