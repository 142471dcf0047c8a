"""All built-in functions, after every module that declares some was imported."""

from aurum_engine.feel.builtins import (
    camunda,
    contexts,
    conversion,
    lists,
    numeric,
    ranges,
    strings,
    temporal,
)
from aurum_engine.feel.builtins.registry import BUILTINS

__all__ = [
    "BUILTINS",
    "camunda",
    "contexts",
    "conversion",
    "lists",
    "numeric",
    "ranges",
    "strings",
    "temporal",
]
