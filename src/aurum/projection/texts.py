"""What the concierge says, as codes with parameters and an English fallback. Pure, no model prose.

A page looks the code up in its own catalogue and formats the parameters itself; the fallback is what
everybody else sees. Parameters hold only what the customer may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FALLBACKS: dict[str, str] = {
    "text.welcome": "Welcome. Your application has arrived safely, and I will tell you about every step.",
    "text.parsed": "Thank you, {name}. I have read all {fields} fields of your application.",
    "text.identity.clear": "Your identity document checks out.",
    "text.identity.review": "Your identity document needs a closer look by one of our people.",
    "text.tax": "Your tax details are complete.",
    "text.tax.review": "One of our people will look at your tax details.",
    "text.quote": "Your deposit of {amount} {currency} is {usd} US dollars at the reference rate of {date}.",
    "text.suitability": "Your answers describe this investor: {label}, profile {profile} of 5.",
    "text.waiting.advisor_review": (
        "A person decides this one. An advisor has your application; nothing is needed from you now."
    ),
    "text.waiting.second_approval": (
        "A second advisor confirms the decision; for a deposit of this size two people always look."
    ),
    "text.waiting.provide_information": "We need something from you before we can go on.",
    "text.waiting.correct_application": "Something in your application has to be corrected before we go on.",
    "text.delayed": "This is taking longer than it should. Our team has been told; nothing is lost.",
    "text.account": "Your account {number} is open.",
    "text.declined": "We cannot open an account for you at this time.",
    "text.withdrawn": "You have withdrawn your application. Nothing more will happen with it.",
    "text.expired": "We have not heard from you for a while, so this application is closed.",
    "text.cancelled": "This application was closed by the bank.",
}


@dataclass(frozen=True, slots=True)
class Text:
    """One message: the code, its parameters, and the words for those without a catalogue."""

    code: str
    params: dict[str, Any]

    @property
    def fallback(self) -> str:
        """The English sentence."""
        return FALLBACKS[self.code].format_map(self.params)


def dollars(cents: int) -> str:
    """Return `1,620,000.00` for 162000000 cents."""
    return f"{cents // 100:,}.{cents % 100:02d}"


def text_for_result(element_id: str, visible: Mapping[str, Any]) -> Text | None:
    """Return what is said when a task has returned. `visible` is already the customer's own part."""
    match element_id:
        case "parse_application":
            name = visible.get("application", {}).get("givenNames")
            fields = visible.get("parsed", {}).get("fieldsParsed")
            return Text("text.parsed", {"name": name, "fields": fields}) if name and fields else None
        case "verify_identity":
            outcome = visible.get("identityCheck", {}).get("outcome")
            return None if outcome is None else Text(_clear_or_review("text.identity", outcome), {})
        case "verify_tax_status":
            outcome = visible.get("taxCheck", {}).get("outcome")
            return (
                None if outcome is None else Text("text.tax" if outcome == "clear" else "text.tax.review", {})
            )
        case "quote_deposit":
            return _quote_text(visible.get("quote", {}))
        case "open_account":
            number = visible.get("account", {}).get("accountNumber")
            return None if number is None else Text("text.account", {"number": number})
        case _:
            return None


def _clear_or_review(code: str, outcome: str) -> str:
    return f"{code}.clear" if outcome == "clear" else f"{code}.review"


def _quote_text(quote: Mapping[str, Any]) -> Text | None:
    """Only a converted deposit is worth a sentence."""
    cents = quote.get("depositUsdCents")
    if quote.get("currency") in (None, "USD") or not isinstance(cents, int):
        return None
    params = {
        "amount": quote.get("amount"),
        "currency": quote["currency"],
        "usd": dollars(cents),
        "date": quote.get("rateDate"),
    }
    return Text("text.quote", params)


def text_for_suitability(suitability: Mapping[str, Any]) -> Text | None:
    """Return what is said about the investment profile."""
    profile, label = suitability.get("profile"), suitability.get("label")
    return (
        None
        if profile is None or label is None
        else Text("text.suitability", {"profile": profile, "label": label})
    )


def text_for_task(element_id: str) -> Text | None:
    """Return what is said when the process starts to wait for a person."""
    code = f"text.waiting.{element_id}"
    return Text(code, {}) if code in FALLBACKS else None


def text_for_end(status: str) -> Text | None:
    """Return the last words; an opened account has said its own already."""
    code = f"text.{status}"
    return Text(code, {}) if code in FALLBACKS else None
