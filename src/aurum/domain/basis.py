"""What a person saw when deciding, as one hash: the value of `If-Match` and of a receipt's `basisHash`.

Anything that changes what the review page shows changes the hash; so nobody approves what he did
not see, and an approval of one task is worth nothing for another.
"""

from __future__ import annotations

from aurum.domain.canonical import digest


def basis_hash(
    application_hash: object, checks: object, quote: object, risk: object, route: object, task_key: str
) -> str:
    """Return `sha256:<hex>` over everything a decision rests on and the user task's key (as text).

    Missing variables are passed as None. Raises `NotCanonical` for values that are not JSON.
    """
    return digest(
        {
            "v": 1,
            "applicationHash": application_hash,
            "checks": checks,
            "quote": quote,
            "risk": risk,
            "route": route,
            "taskKey": task_key,
        }
    )
