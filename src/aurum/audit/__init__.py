"""Who looked and who intervened: an append-only, hash-chained record per case."""

from aurum.audit.log import AuditEntry, AuditLog

__all__ = ["AuditEntry", "AuditLog"]
