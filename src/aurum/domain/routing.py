"""The second, independent opinion on "may this account open without a person?".

The first is `onboarding-route.dmn`. Both fail closed: whatever is missing, of another type or
unknown means that a person decides. "Over $1.5M" is strictly greater, in whole US cents.
"""

from __future__ import annotations

from collections.abc import Mapping

from aurum.domain.checks import CHECK_NAMES, is_clear
from aurum.domain.risk import is_auto_band

AUTO_LIMIT_CENTS = 150_000_000
"""USD 1,500,000.00: up to and including this an account may open without a person."""

FOUR_EYES_LIMIT_CENTS = 500_000_000
"""USD 5,000,000.00: above this two different people must approve."""


def within_auto_limit(cents: object) -> bool:
    """Whether the value is an integer number of cents in 0 < cents <= AUTO_LIMIT_CENTS.

    `True` is no number here, and neither is `1500000.0`: a float has been rounded by someone.
    """
    return isinstance(cents, int) and not isinstance(cents, bool) and 0 < cents <= AUTO_LIMIT_CENTS


def needs_second_approval(cents: int) -> bool:
    """Whether the four-eyes rule applies."""
    return cents > FOUR_EYES_LIMIT_CENTS


def may_open_without_person(
    *, deposit_usd_cents: object, risk_band: object, checks: object, application_hash: object
) -> bool:
    """Return True only if amount, risk band and all four checks allow straight-through opening.

    Every argument may be any JSON value; nothing raises and nothing unexpected is True.
    """
    if not within_auto_limit(deposit_usd_cents) or not is_auto_band(risk_band):
        return False
    if not isinstance(checks, Mapping) or not isinstance(application_hash, str):
        return False
    return all(is_clear(checks.get(name), application_hash) for name in CHECK_NAMES)
