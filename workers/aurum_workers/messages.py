"""Last words to a customer, in the language of the application. Simulated delivery: nothing is sent.

Texts are fixed and carry no reason that the customer's audience does not allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CHANNEL = "secure inbox (simulated)"

_WELCOME = {
    "en": "Welcome to AURUM. Your account {number} is open.",
    "fr": "Bienvenue chez AURUM. Votre compte {number} est ouvert.",
    "es": "Bienvenido a AURUM. Su cuenta {number} está abierta.",
    "pt": "Boas-vindas à AURUM. A sua conta {number} está aberta.",
}
_DECLINE = {
    "en": "We have looked at your application with care and cannot open an account for you at this time. "
    "You may ask for a person to explain and review this decision.",
    "fr": "Nous avons examiné votre demande avec soin et ne pouvons pas ouvrir de compte pour le moment. "
    "Vous pouvez demander qu'une personne vous explique et réexamine cette décision.",
    "es": "Hemos examinado su solicitud con atención y en este momento no podemos abrirle una cuenta. "
    "Puede pedir que una persona le explique y revise esta decisión.",
    "pt": "Analisámos o seu pedido com atenção e neste momento não podemos abrir uma conta. "
    "Pode pedir que uma pessoa lhe explique e reveja esta decisão.",
}


def welcome(application: Mapping[str, Any], number: str, *, sent_at: str) -> dict[str, Any]:
    """Return the `welcome` variable."""
    language = _language(application)
    return _message("message.welcome", _WELCOME[language].format(number=number), language, sent_at)


def decline(application: Mapping[str, Any], reason_text: str | None, *, sent_at: str) -> dict[str, Any]:
    """Return the `declineNotice` variable. `reason_text` is what a customer may read, if anything."""
    language = _language(application)
    notice = _message("message.decline", _DECLINE[language], language, sent_at)
    return notice if reason_text is None else {**notice, "reasonText": reason_text}


def _language(application: Mapping[str, Any]) -> str:
    language = str(application.get("preferredLanguage", "en")).partition("-")[0]
    return language if language in _WELCOME else "en"


def _message(code: str, text: str, language: str, sent_at: str) -> dict[str, Any]:
    return {
        "messageCode": code,
        "text": text,
        "language": language,
        "sentAt": sent_at,
        "channel": CHANNEL,
        "simulated": True,
    }
