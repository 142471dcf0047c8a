"""The backend for three frontends: HTTP in, commands to the engine, streams out. Owns no state."""
