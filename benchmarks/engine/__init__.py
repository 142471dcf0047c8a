"""How fast the embedded engine is: `python -m benchmarks.engine`."""
