"""The two modules that pyzeebe's integration tests import."""
