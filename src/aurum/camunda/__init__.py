"""Clients of any Camunda 8 engine: REST v2 (`rest.py`), gateway gRPC (`gateway.py`)."""
