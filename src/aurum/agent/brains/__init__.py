"""Brains: one module a provider. `shadow` needs no key and is the default."""
