"""The engine's core, sans-IO: (state, command, time) -> events and a reply.

No asyncio, socket, sqlite3, logging, os, time or random here. Processors read a
`StateView` and emit events; only `appliers.apply` changes a `State`, live and in replay.
"""
