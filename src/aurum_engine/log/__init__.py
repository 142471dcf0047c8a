"""The log: every step that was ever accepted, in order, durable before it is acknowledged."""
