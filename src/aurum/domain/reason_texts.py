"""The texts of the reason catalogue by family: code -> (for the bank's people, for the customer or None).

`None` means that a customer must not learn even that the code exists.
"""

from __future__ import annotations

from collections.abc import Mapping

Texts = tuple[str, str | None]


def _both(text: str) -> Texts:
    return text, text


_PROBLEM: Mapping[str, Texts] = {
    "REQUIRED": _both("This field is needed."),
    "UNKNOWN_FIELD": _both("There is a field here that does not belong."),
    "NOT_AN_OBJECT": _both("A group of fields is expected here."),
    "NOT_A_LIST": _both("A list is expected here."),
    "NOT_TEXT": _both("Text is expected here."),
    "NOT_A_NUMBER": _both("A whole number is expected here."),
    "NOT_A_YES_OR_NO": _both("Please answer yes or no."),
    "NOT_A_DATE": _both("Please give a date as year-month-day."),
    "NOT_AN_INSTANT": _both("A date and time with time zone is expected here."),
    "NOT_A_NAME": _both("A name has at least one letter."),
    "NOT_ALLOWED": _both("Please choose one of the offered answers."),
    "NOT_ALLOWED_CHARACTERS": _both("There is a character here that cannot be used."),
    "INVALID": _both("This cannot be read."),
    "TOO_LONG": _both("This is too long."),
    "TOO_SHORT": _both("This is too short."),
    "TOO_MANY": _both("There are too many entries."),
    "TOO_FEW": _both("At least one entry is needed."),
    "TOO_LARGE": _both("The application as a whole is too large."),
    "OUT_OF_RANGE": _both("This is outside the possible range."),
    "DUPLICATE": _both("The same entry is there twice."),
    "IN_THE_FUTURE": _both("This date is in the future."),
    "COUNTRY_UNKNOWN": _both("This is no ISO country code."),
    "CURRENCY_UNKNOWN": _both("This is no ISO currency code."),
    "EMAIL_INVALID": _both("This is no valid e-mail address."),
    "PHONE_INVALID": _both("Please give a valid phone number with country code."),
    "IBAN_INVALID": _both("This IBAN is not valid."),
    "IBAN_OR_ROUTING": _both("Please give either an IBAN or a US routing and account number."),
    "ROUTING_NUMBER_INVALID": _both("This routing number is not valid."),
    "HOLDER_NAME_DIFFERS": _both("The account must be held in the applicant's own name."),
    "NATIONAL_ID_INVALID": _both("This number is not valid for its type."),
    "TIN_OR_REASON": _both("Please give a tax number, or the reason for having none."),
    "TIN_TYPE_MISSING": _both("Please say what kind of tax number this is."),
    "NOT_OF_AGE": _both("Applicants must be at least 18 years old."),
    "PO_BOX": _both("A home address is needed; a post-office box cannot be one."),
    "MRZ_UNREADABLE": _both("The machine-readable lines of the document are incomplete."),
    "US_PERSON_CONTRADICTED": _both("Other answers suggest that the applicant is a US person."),
    "CONTACT_INCOMPLETE": _both("A trusted contact needs a name and a phone number or e-mail address."),
    "CONSENT_MISSING": _both("The terms and the privacy notice must be accepted."),
    "BELOW_LIQUID_NET_WORTH": _both("Net worth cannot be below liquid net worth."),
    "AMOUNT_NOT_TEXT": _both("Please write the amount as text, such as 480000.00."),
    "AMOUNT_NOT_A_NUMBER": _both("Please write the amount with digits and a point only."),
    "AMOUNT_TOO_LONG": _both("The amount is too large."),
    "AMOUNT_TOO_PRECISE": _both("The amount has more decimals than its currency."),
    "AMOUNT_NOT_POSITIVE": _both("The amount must be above zero."),
    "NOT_POSSIBLE_HERE": _both("This cannot be done at this point."),
    "DOCUMENT_EXPIRED": _both("The identity document has expired."),
}

_WARNING: Mapping[str, Texts] = {
    "SINGLE_NAME": _both("The applicant has one name only."),
    "SIGNATURE_NAME_DIFFERS": _both("The signature uses another name than the application."),
    "SIGNATURE_OUTDATED": _both("The application was changed after it was signed."),
    "DEPOSIT_ABOVE_LIQUID_NET_WORTH": _both(
        "The deposit is above liquid net worth; an explanation is needed."
    ),
    "HIGH_RETURN_NO_LOSS": _both("High returns are wanted without room for losses."),
    "MRZ_ABSENT": _both("The machine-readable lines of the document are missing."),
    "AI_USE_REFUSED": _both("The customer prefers to be served without the assistant."),
}

_IDENTITY: Mapping[str, Texts] = {
    "MRZ_CHECK_DIGIT": (
        "A check digit of the machine zone is wrong.",
        "The document's lines could not be confirmed.",
    ),
    "DOCUMENT_NUMBER_DIFFERS": (
        "Document number and machine zone differ.",
        "The document number differs from the document's lines.",
    ),
    "NAME_DIFFERS": ("Name and machine zone differ.", "The name differs from the document's lines."),
    "BIRTH_DATE_DIFFERS": (
        "Birth date and machine zone differ.",
        "The birth date differs from the document's lines.",
    ),
    "EXPIRY_DATE_DIFFERS": (
        "Expiry date and machine zone differ.",
        "The expiry date differs from the document's lines.",
    ),
    "ISSUER_DIFFERS": (
        "Issuing country and machine zone differ.",
        "The issuing country differs from the document's lines.",
    ),
    "DOCUMENT_EXPIRES_SOON": _both("The document expires within thirty days."),
    "NATIONAL_ID_UNVERIFIED": (
        "The national number has no checker here; look at the document.",
        "A person will look at the national number.",
    ),
}

_TAX: Mapping[str, Texts] = {
    "TAX_FORM_MISMATCH": _both("The tax form does not fit the US person answer."),
    "TAX_FORM_OUTDATED": _both("The W-8BEN is older than three calendar years."),
    "TAX_RESIDENCE_US_MISSING": _both("A US person's tax residence in the United States is missing."),
    "TAX_RESIDENCE_HOME_MISSING": _both("The country of the home address is not among the tax residences."),
    "TIN_INVALID": _both("A tax number is not valid for its country and type."),
    "TIN_UNVERIFIED": _both("A tax number cannot be checked automatically; a person will look at it."),
    "TIN_NOT_ISSUED": _both("The country does not issue tax numbers (reason A)."),
    "TIN_NOT_OBTAINED": _both("A tax number could not be obtained (reason B)."),
    "TIN_NOT_REQUIRED": _both("The country does not require a tax number (reason C)."),
    "MULTIPLE_TAX_RESIDENCES": _both("There is more than one tax residence."),
}

_SCREENING: Mapping[str, Texts] = {
    "SANCTIONS_MATCH": ("A listed name scores 92 or more. Stop and decide.", None),
    "SANCTIONS_POSSIBLE": ("A listed name scores 80 to 91. A person must clear or confirm it.", None),
    "PEP_SELF": ("Declared: politically exposed.", None),
    "PEP_FAMILY": ("Declared: family of a politically exposed person.", None),
    "PEP_ASSOCIATE": ("Declared: close associate of a politically exposed person.", None),
    "PEP_FORMER": ("The public function ended more than a year ago.", None),
    "PEP_LISTED": ("The name is alike to an entry of the PEP list.", None),
    "PEP_UNDECLARED": ("Listed as politically exposed but not declared.", None),
    "ADVERSE_MEDIA": ("There is a report about a name alike to the applicant's or an owner's.", None),
    "BIRTH_YEAR_SAME": ("Birth year agrees with the list (within one year).", None),
    "BIRTH_YEAR_DIFFERS": ("Birth year differs from the list.", None),
    "COUNTRY_SAME": ("A country agrees with the list.", None),
    "COUNTRY_DIFFERS": ("No country agrees with the list.", None),
}

_QUOTE: Mapping[str, Texts] = {
    "RATE_UNAVAILABLE": _both(
        "There is no published reference rate for this currency; a person will convert it."
    ),
}

_SUITABILITY: Mapping[str, Texts] = {
    "GROWTH_SHORT_HORIZON": _both("Growth is wanted within a short time."),
    "HIGH_RISK_HIGH_LIQUIDITY": _both(
        "High risk is accepted although the money may be needed at short notice."
    ),
    "PRESERVATION_HIGH_RISK": _both("Keeping the money safe is wanted together with high risk."),
}

_RISK: Mapping[str, Texts] = {
    "SANCTIONS_UNCHECKED": ("There is no usable sanctions check.", None),
    "IDENTITY_IN_DOUBT": ("The identity document needs a second look.", None),
    "IDENTITY_REFUTED": ("The identity document is false or somebody else's.", None),
    "COUNTRY_CALL_FOR_ACTION": ("Tied to a country for which countermeasures are called for.", None),
    "COUNTRY_MONITORED": ("Tied to a country under increased monitoring.", None),
    "DEPOSIT_OVER_1M": ("The deposit is over USD 1,000,000.00.", None),
    "DEPOSIT_UNKNOWN": ("The deposit has no usable amount in US dollars.", None),
    "WEALTH_SOURCE_OTHER": ("The wealth has an unusual source.", None),
    "ACTIVITY_HIGH": ("High activity is expected on the account.", None),
    "BENEFICIAL_OWNERS": ("The money belongs to other people as well.", None),
    "REMOTE_ONBOARDING": ("The application came in without a meeting.", None),
}

_ROUTE: Mapping[str, Texts] = {
    "WITHIN_LIMIT": ("Within USD 1,500,000.00, low or medium risk, all checks clear.", None),
    "DEPOSIT_OVER_1_5M": ("The deposit is over USD 1,500,000.00.", None),
    "DEPOSIT_OVER_5M": ("The deposit is over USD 5,000,000.00: two people decide.", None),
    "RISK_HIGH": ("The AML risk score is high.", None),
    "NEEDS_REVIEW": ("Something is missing or unusual: a person decides.", None),
    "SANCTIONS_FLAG": ("The sanctions check is not clear.", None),
    "PEP_FLAG": ("The PEP check is not clear.", None),
    "IDENTITY_FLAG": ("The identity check is not clear.", None),
    "TAX_FLAG": ("The tax check is not clear.", None),
}

_DECLINE: Mapping[str, Texts] = {
    "IDENTITY_NOT_CONFIRMED": (
        "Identity could not be confirmed.",
        "We could not confirm your identity with the documents we have.",
    ),
    "SOURCE_OF_FUNDS_UNCLEAR": (
        "Source of funds is not plausible or not documented.",
        "We could not establish where the deposit comes from.",
    ),
    "PRODUCT_NOT_SUITABLE": (
        "The account does not suit the applicant's profile.",
        "This account does not fit the profile you described.",
    ),
    "OUTSIDE_RISK_APPETITE": ("Outside the bank's risk appetite.", None),
    "COMPLIANCE": ("Compliance decision; do not explain to the customer.", None),
    "OTHER": ("Another reason, in the advisor's file.", None),
}

_APPROVE: Mapping[str, Texts] = {
    "APPROVED": ("Reviewed and approved.", None),
    "FALSE_POSITIVE": ("The screening hit is another person; reviewed and approved.", None),
    "ENHANCED_DUE_DILIGENCE_DONE": ("Enhanced due diligence is on file; approved.", None),
}

_REQUEST: Mapping[str, Texts] = {
    "MORE_INFORMATION": ("Information requested from the customer.", "We need some information from you."),
}

_ACCOUNT: Mapping[str, Texts] = {
    "LEDGER_REFUSED": ("The ledger refused the account.", None),
    "LEDGER_CONFLICT": ("The ledger holds this case with other terms.", None),
    "CURRENCY_NOT_OFFERED": ("The ledger does not carry this currency.", None),
}

_ADDRESS: Mapping[str, Texts] = {
    "ADDRESS_PO_BOX": _both("The home address looks like a post-office box."),
    "ADDRESS_POSTAL_CODE": _both("The postal code does not have the form used in that country."),
    "ADDRESS_REGION_MISSING": _both("The state or region is missing."),
    "ADDRESS_NO_NUMBER": _both("There is no house number."),
    "ADDRESS_CITY_UNCLEAR": _both("The city cannot be read."),
    "ADDRESS_COUNTRY_UNCHECKED": _both("The form of postal codes of that country is not known here."),
}

_PORTFOLIO: Mapping[str, Texts] = {
    "PORTFOLIO_FITS_PROFILE": _both("The mix follows the investment profile."),
    "PORTFOLIO_LOWERED": _both("A more cautious profile was asked for."),
    "PORTFOLIO_NO_REAL_ASSETS": _both("Real assets are left out: there is no experience with them."),
    "PORTFOLIO_MORE_CASH": _both("More cash, because the money may be needed soon."),
    "PORTFOLIO_SUSTAINABLE": _both("Sustainable funds are preferred within each class."),
    "PORTFOLIO_SHORT_HORIZON": _both("The time horizon is short."),
    "NOT_A_FORECAST": _both("An illustration from assumptions, not a forecast."),
}

_TOOL: Mapping[str, Texts] = {
    "NOT_ASSESSED": _both("The investment profile has not been worked out yet."),
    "RATE_UNUSABLE": _both("There is no usable exchange rate yet."),
}

FAMILIES: Mapping[str, Mapping[str, Texts]] = {
    "problem": _PROBLEM,
    "warning": _WARNING,
    "identity": _IDENTITY,
    "tax": _TAX,
    "screening": _SCREENING,
    "quote": _QUOTE,
    "suitability": _SUITABILITY,
    "risk": _RISK,
    "route": _ROUTE,
    "decline": _DECLINE,
    "approve": _APPROVE,
    "request": _REQUEST,
    "account": _ACCOUNT,
    "address": _ADDRESS,
    "portfolio": _PORTFOLIO,
    "tool": _TOOL,
}
"""Family -> code -> texts. A code lives in one family only."""
