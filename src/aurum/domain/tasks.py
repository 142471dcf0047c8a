"""Names that the process, its workers and the views share: element ids, job types, variables.

They are on the wire and never renamed (docs/process-variables.md).
"""

from __future__ import annotations

PROCESS_ID = "wealth-onboarding"
SCHEMA_VERSION = 1

APPLICATION_SUBMITTED = "application_submitted"
PARSE_APPLICATION = "parse_application"
CORRECT_APPLICATION = "correct_application"
ONBOARDING_AGENT = "onboarding_agent"
AGENT_JOB_TYPE = "onboarding-agent"
COLLECT_CHECKS = "collect_checks"
VERIFY_IDENTITY = "verify_identity"
VERIFY_TAX_STATUS = "verify_tax_status"
SCREEN_SANCTIONS = "screen_sanctions"
SCREEN_PEP = "screen_pep"
QUOTE_DEPOSIT = "quote_deposit"
ASSESS_SUITABILITY = "assess_suitability"
SCORE_RISK = "score_risk"
ROUTE_APPLICATION = "route_application"
ADVISOR_REVIEW = "advisor_review"
PROVIDE_INFORMATION = "provide_information"
SECOND_APPROVAL = "second_approval"
OPEN_ACCOUNT = "open_account"
WELCOME_CUSTOMER = "welcome_customer"
SEND_DECLINE = "send_decline"

JOB_TYPES: dict[str, str] = {
    PARSE_APPLICATION: "parse-application",
    VERIFY_IDENTITY: "verify-identity",
    VERIFY_TAX_STATUS: "verify-tax-status",
    SCREEN_SANCTIONS: "screen-sanctions",
    SCREEN_PEP: "screen-pep",
    QUOTE_DEPOSIT: "quote-deposit",
    OPEN_ACCOUNT: "open-account",
    WELCOME_CUSTOMER: "welcome-customer",
    SEND_DECLINE: "send-decline",
}
"""Element id -> job type of the Python workers. The agent's other service tools share the job types of
the required checks."""

AGENT_QUESTION = "request_information"
AGENT_HAND_OFF = "ask_advisor"
"""The agent's two tools that are people: the customer, and an advisor."""

CUSTOMER_TASKS = frozenset({CORRECT_APPLICATION, PROVIDE_INFORMATION, AGENT_QUESTION})
ADVISOR_TASKS = frozenset({ADVISOR_REVIEW, SECOND_APPROVAL})
"""Tasks that end with a signed decision; an advisor's answer to the agent decides nothing."""
USER_TASKS = CUSTOMER_TASKS | ADVISOR_TASKS | {AGENT_HAND_OFF}

END_EVENTS = frozenset({"account_opened", "declined", "withdrawn", "expired"})
WITHDRAWN_MESSAGE = "application-withdrawn"

GROUP_ADVISORS = "advisors"
GROUP_SENIOR_ADVISORS = "senior-advisors"
GROUP_CUSTOMER = "customer"
