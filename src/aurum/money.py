"""Money as exact decimals, and the one conversion that routing depends on. Pure.

An amount is text on the wire (`{"amount": "480000.00", "currency": "USD"}`), `Decimal` inside and
never a float. Rounding to cents is half even and happens once, before any comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, DecimalException

AMOUNT_DIGITS_MAX = 18
"""Digits of an amount: a quadrillion with cents. Longer input is refused, not rounded."""

CENTS_MAX = 10**15
"""Largest cents value we carry: stays exact as a JSON number (below 2**53) in every client."""

ZERO_DECIMAL_CURRENCIES = frozenset(
    [
        "BIF",
        "CLP",
        "DJF",
        "GNF",
        "ISK",
        "JPY",
        "KMF",
        "KRW",
        "PYG",
        "RWF",
        "UGX",
        "UYI",
        "VND",
        "VUV",
        "XAF",
        "XOF",
        "XPF",
    ]
)
THREE_DECIMAL_CURRENCIES = frozenset(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"])

_EXACT = Context(prec=40, rounding=ROUND_HALF_EVEN)


class InvalidAmount(ValueError):
    """The text is no amount of this currency; `code` says why (for the reason catalogue)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Money:
    """An exact amount in one currency (ISO 4217 code, upper case)."""

    amount: Decimal
    currency: str

    def to_json(self) -> dict[str, str]:
        """Return `{"amount": "480000.00", "currency": "USD"}` with the currency's own decimals."""
        return {"amount": str(quantize(self.amount, self.currency)), "currency": self.currency}


def decimals_of(currency: str) -> int:
    """Return the number of minor-unit digits of an ISO 4217 currency (yen 0, dinar 3, else 2)."""
    if currency in ZERO_DECIMAL_CURRENCIES:
        return 0
    return 3 if currency in THREE_DECIMAL_CURRENCIES else 2


def quantize(amount: Decimal, currency: str) -> Decimal:
    """Return the amount with exactly the currency's decimals, half even."""
    return amount.quantize(Decimal(1).scaleb(-decimals_of(currency)), context=_EXACT)


def parse_amount(text: object, currency: str) -> Decimal:
    """Return the amount written in `text`, exactly.

    Accepts a string of plain digits with an optional dot, or an `int`. Refuses floats (already
    rounded by someone), signs, exponents, separators and more decimals than the currency has.
    Raises `InvalidAmount` with code NOT_TEXT, NOT_A_NUMBER, TOO_LONG, TOO_PRECISE or NOT_POSITIVE.
    """
    if isinstance(text, bool) or not isinstance(text, str | int):
        raise InvalidAmount("NOT_TEXT")
    written = str(text)
    if len(written) > AMOUNT_DIGITS_MAX + 1:
        raise InvalidAmount("TOO_LONG")
    whole, _, fraction = written.partition(".")
    if not (whole.isascii() and whole.isdigit()) or (
        "." in written and not (fraction.isascii() and fraction.isdigit())
    ):
        raise InvalidAmount("NOT_A_NUMBER")
    if len(fraction.rstrip("0")) > decimals_of(currency):
        raise InvalidAmount("TOO_PRECISE")
    try:
        amount = Decimal(written)
    except DecimalException as error:
        raise InvalidAmount("NOT_A_NUMBER") from error
    if amount <= 0:
        raise InvalidAmount("NOT_POSITIVE")
    return quantize(amount, currency)


def usd_cents(amount: Decimal, rate_to_usd: Decimal) -> int:
    """Return `amount * rate_to_usd` in whole US cents, half even.

    Raises `InvalidAmount` with code TOO_LONG above `CENTS_MAX`.
    """
    cents = _EXACT.multiply(_EXACT.multiply(amount, rate_to_usd), Decimal(100))
    rounded = int(cents.to_integral_value(rounding=ROUND_HALF_EVEN))
    if rounded > CENTS_MAX:
        raise InvalidAmount("TOO_LONG")
    return rounded
