"""FEEL as Camunda 8 runs it: text to closures, errors to null plus warnings. Pure."""
