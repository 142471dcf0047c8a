"""Embedded engine: a small, exact, durable subset of Camunda 8 behind its public wire."""
