"""The audience of every process variable and every field in it (docs/process-variables.md, docs/privacy.md).

Adding a variable means adding a line here; until then nobody sees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aurum.domain.grants import ALL, OPERATOR, STAFF, Grant, codes, each, projected, record, scalar

_PLAIN = scalar()
_NAME = scalar(mask="name")
_NUMBER = scalar(mask="last4")
_TEXT = scalar(mask="text")
_DAY = scalar(mask="date")
_STAFF = scalar(STAFF)
_STAFF_TEXT = scalar(STAFF, "text")
_STAFF_NAME = scalar(STAFF, "name")

_MONEY = record(amount=_PLAIN, currency=_PLAIN)
_ADDRESS = record(
    line1=_TEXT, line2=_TEXT, city=_TEXT, region=_PLAIN, postalCode=scalar(mask="hidden"), country=_PLAIN
)

APPLICATION_FIELDS: Mapping[str, Grant] = {
    "applicationId": _PLAIN,
    "channel": _PLAIN,
    "preferredLanguage": _PLAIN,
    "givenNames": _NAME,
    "familyName": _NAME,
    "otherNames": each(record(kind=_PLAIN, name=_NAME)),
    "dateOfBirth": _DAY,
    "birthCountry": _PLAIN,
    "nationalities": each(_PLAIN),
    "residentialAddress": _ADDRESS,
    "mailingAddress": _ADDRESS,
    "email": scalar(mask="email"),
    "phone": scalar(mask="phone"),
    "idDocumentType": _PLAIN,
    "idDocumentNumber": _NUMBER,
    "idIssuingCountry": _PLAIN,
    "idExpiryDate": _PLAIN,
    "mrz": scalar(mask="text"),
    "nationalId": record(type=_PLAIN, value=_NUMBER),
    "usPerson": _PLAIN,
    "taxResidences": each(record(country=_PLAIN, tin=_NUMBER, tinType=_PLAIN, noTinReason=_PLAIN)),
    "taxForm": record(form=_PLAIN, signedDate=_PLAIN, treatyCountry=_PLAIN, explanation=_TEXT),
    "employmentStatus": _PLAIN,
    "occupation": _TEXT,
    "employerName": _TEXT,
    "annualIncome": _PLAIN,
    "netWorth": _MONEY,
    "liquidNetWorth": _MONEY,
    "initialDeposit": _MONEY,
    "initialDepositUsd": _MONEY,
    "fundingAccount": record(iban=_NUMBER, routingNumber=_PLAIN, accountNumber=_NUMBER, holder=_NAME),
    "sourceOfWealth": record(categories=each(_PLAIN), text=_TEXT),
    "sourceOfFunds": record(category=_PLAIN, text=_TEXT),
    "pep": record(status=_PLAIN, role=_TEXT, country=_PLAIN, until=_PLAIN),
    "accountPurpose": record(purpose=_PLAIN, expectedActivity=_PLAIN),
    "beneficialOwners": each(
        record(name=_NAME, dateOfBirth=_DAY, nationality=_PLAIN, ownershipPct=_PLAIN, control=_PLAIN)
    ),
    "suitability": record(
        objective=_PLAIN,
        riskTolerance=_PLAIN,
        horizonYears=_PLAIN,
        liquidityNeed=_PLAIN,
        experience=record(stocks=_PLAIN, bonds=_PLAIN, funds=_PLAIN, alternatives=_PLAIN),
        lossCapacityPct=_PLAIN,
        sustainability=_PLAIN,
    ),
    "trustedContact": record(
        refused=_PLAIN,
        name=_NAME,
        relationship=_TEXT,
        phone=scalar(mask="phone"),
        email=scalar(mask="email"),
    ),
    "consents": each(record(code=_PLAIN, version=_PLAIN, acceptedAt=_PLAIN)),
    "signature": record(name=_NAME, at=_PLAIN, hash=_PLAIN),
    "hash": _PLAIN,
}

_APPLICATION = Grant(ALL, fields=APPLICATION_FIELDS)

_CHECK_HEAD: dict[str, Grant] = {
    "outcome": _PLAIN,
    "basisHash": _STAFF,
    "reasons": codes(),
    "asOf": _PLAIN,
    "source": _PLAIN,
    "simulated": _PLAIN,
}
# What a tool of the agent says instead of a result when it could not do it.
_FAILED: dict[str, Grant] = {"status": _PLAIN, "code": _PLAIN}
_PROBLEMS = each(record(field=_PLAIN, code=_PLAIN))
_IDENTITY = record(
    **_CHECK_HEAD,
    **_FAILED,
    problems=_PROBLEMS,
    details=record(
        documentType=_PLAIN,
        issuingCountry=_PLAIN,
        expiryDate=_PLAIN,
        mrzForm=_PLAIN,
        mrzOk=_PLAIN,
        wrongDigits=each(_STAFF),
        nameScore=_STAFF,
    ),
)
_TAX = record(
    **_CHECK_HEAD,
    details=record(
        form=_PLAIN,
        usPerson=_PLAIN,
        residences=each(record(country=_PLAIN, tinState=_PLAIN, reason=_PLAIN)),
    ),
)
_HIT = record(
    STAFF,
    subject=_STAFF,
    list=_STAFF,
    entryId=_STAFF,
    name=_STAFF_NAME,
    programme=_STAFF,
    nameScore=_STAFF,
    score=_STAFF,
    shifts=each(record(STAFF, why=_STAFF, points=_STAFF)),
    level=_STAFF,
)
_STAFF_CHECK_HEAD: dict[str, Grant] = {
    "outcome": _STAFF,
    "basisHash": _STAFF,
    "reasons": codes(STAFF),
    "asOf": _STAFF,
    "source": _STAFF,
    "simulated": _STAFF,
}


def _only_done(check: object) -> Any:
    """Screening, for a customer: that it was done, in the same words whatever it found."""
    return {"status": "done"} if isinstance(check, Mapping) and check.get("outcome") is not None else None


_SANCTIONS = projected(
    record(STAFF, **_STAFF_CHECK_HEAD, details=record(STAFF, screenedEntries=_STAFF, hits=each(_HIT))),
    "customer",
    _only_done,
)
_PEP = projected(
    record(
        STAFF,
        **_STAFF_CHECK_HEAD,
        details=record(STAFF, declared=_STAFF, hits=each(_HIT), media=each(_HIT)),
    ),
    "customer",
    _only_done,
)


def _question_only(receipt: object) -> Any:
    """A decision, for a customer: the question put to them, if one was; never who or why."""
    if not isinstance(receipt, Mapping) or receipt.get("outcome") != "request-info":
        return None
    question, fields = receipt.get("question"), receipt.get("fields")
    listed = fields if isinstance(fields, list) else []
    return {
        "question": question if isinstance(question, str) else "",
        "fields": [field for field in listed if isinstance(field, str)],
    }


def _an_advisor(_: object) -> Any:
    return {"by": "an advisor"}


_RECEIPT = record(
    STAFF,
    v=_STAFF,
    caseId=_STAFF,
    taskKey=_STAFF,
    elementId=_STAFF,
    outcome=_STAFF,
    reasonCode=_STAFF,
    person=_STAFF,
    depositUsdCents=_STAFF,
    basisHash=_STAFF,
    at=_STAFF,
    question=_STAFF_TEXT,
    fields=each(_STAFF),
    signature=scalar(OPERATOR, "hidden"),
)
_REVIEW = projected(_RECEIPT, "customer", _question_only)
_APPROVAL = projected(_RECEIPT, "customer", _an_advisor)

_QUOTE = record(
    amount=_PLAIN,
    currency=_PLAIN,
    depositUsdCents=_PLAIN,
    rate=_PLAIN,
    rateDate=_PLAIN,
    rateSource=_PLAIN,
    reason=_PLAIN,
)
_ADDRESS_CHECK = record(
    outcome=_PLAIN,
    reasons=codes(),
    normalised=_ADDRESS,
    poBox=_PLAIN,
    score=_PLAIN,
    asOf=_PLAIN,
    source=_PLAIN,
    simulated=_PLAIN,
    **_FAILED,
)
_PROPOSAL = record(
    profile=_PLAIN,
    allocation=each(record(assetClass=_PLAIN, label=_PLAIN, percent=_PLAIN)),
    rationaleCodes=each(_PLAIN),
    horizonYears=_PLAIN,
    asOf=_PLAIN,
    source=_PLAIN,
    simulated=_PLAIN,
    **_FAILED,
)
_PROJECTION = record(
    currency=_PLAIN,
    initialCents=_PLAIN,
    contributionCents=_PLAIN,
    years=_PLAIN,
    bands=each(record(year=_PLAIN, p10=_PLAIN, p50=_PLAIN, p90=_PLAIN)),
    assumptions=record(meanReturnPct=_PLAIN, volatilityPct=_PLAIN, feePct=_PLAIN, inflationPct=_PLAIN),
    disclaimerCode=_PLAIN,
    asOf=_PLAIN,
    source=_PLAIN,
    simulated=_PLAIN,
    **_FAILED,
)
_PATCH = _APPLICATION

VARIABLES: Mapping[str, Grant] = {
    # At creation.
    "caseId": _PLAIN,
    "schemaVersion": _PLAIN,
    "submitter": _STAFF,
    "submissionHash": scalar(OPERATOR),
    "application": _APPLICATION,
    "checks": record(identity=_IDENTITY, tax=_TAX, sanctions=_SANCTIONS, pep=_PEP),
    "decisions": each(_RECEIPT),
    "editors": each(_STAFF),
    "messages": each(
        record(id=_PLAIN, role=_PLAIN, content=_TEXT, brain=_STAFF, model=_STAFF, outcome=_STAFF)
    ),
    # The agent's memory holds provider state: its counters are all anybody needs.
    "agent": record(OPERATOR, turn=scalar(OPERATOR), calls=scalar(OPERATOR), tokens=scalar(OPERATOR)),
    "agentOutcome": scalar(STAFF),
    # Results, local to their task and mapped to the case.
    "parsed": record(fieldsParsed=_PLAIN, warnings=codes()),
    "identityCheck": _IDENTITY,
    "taxCheck": _TAX,
    "sanctionsCheck": _SANCTIONS,
    "pepCheck": _PEP,
    "quote": _QUOTE,
    "depositUsdCents": _PLAIN,
    "suitability": record(profile=_PLAIN, label=_PLAIN, contradictions=codes()),
    "addressCheck": _ADDRESS_CHECK,
    "fxRate": record(
        base=_PLAIN, quote=_PLAIN, rate=_PLAIN, date=_PLAIN, source=_PLAIN, simulated=_PLAIN, **_FAILED
    ),
    "depositPreview": record(
        initialDepositUsd=_PLAIN, amount=_PLAIN, currency=_PLAIN, rate=_PLAIN, preview=_PLAIN, **_FAILED
    ),
    "proposal": _PROPOSAL,
    "projection": _PROJECTION,
    "customerAnswer": record(answer=_TEXT, timeout=_PLAIN, **_FAILED),
    "advisorAnswer": record(
        answer=_TEXT, advisor=_STAFF, reasons=each(_STAFF_TEXT), timeout=_PLAIN, **_FAILED
    ),
    # Local to a tool's task; what counts is its result, by the names above.
    "fx": record(OPERATOR, status=scalar(OPERATOR)),
    "reasons": each(_STAFF_TEXT),
    "risk": record(STAFF, score=_STAFF, band=_STAFF, factors=each(record(STAFF, code=_STAFF, points=_STAFF))),
    "route": record(STAFF, route=_STAFF, group=_STAFF, reasonCode=_STAFF),
    "reviewDecision": _REVIEW,
    "review": _REVIEW,
    "approvalDecision": _APPROVAL,
    "approval": _APPROVAL,
    "escalation": record(STAFF, level=_STAFF, since=_STAFF),
    "applicationPatch": _PATCH,
    "answer": _TEXT,
    "answeredBy": _STAFF,
    "answers": each(record(answer=_TEXT, answeredBy=_STAFF, at=_PLAIN)),
    "problems": _PROBLEMS,
    "account": record(
        accountNumber=_NUMBER,
        openedAt=_PLAIN,
        depositUsdCents=_PLAIN,
        currency=_PLAIN,
        ledger=_PLAIN,
        simulated=_PLAIN,
    ),
    "refusal": record(STAFF, code=_STAFF, ledger=_STAFF, simulated=_STAFF),
    "welcome": record(
        messageCode=_PLAIN, text=_TEXT, language=_PLAIN, sentAt=_PLAIN, channel=_PLAIN, simulated=_PLAIN
    ),
    "declineNotice": record(
        messageCode=_PLAIN,
        text=_TEXT,
        language=_PLAIN,
        sentAt=_PLAIN,
        channel=_PLAIN,
        reasonText=_PLAIN,
        simulated=_PLAIN,
    ),
    "withdrawnBy": _STAFF,
}
"""Variable name -> grant."""
