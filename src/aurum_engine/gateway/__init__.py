"""The gRPC gateway: Camunda's gateway protocol, spoken with pyzeebe's own generated messages."""
