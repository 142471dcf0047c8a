/** Process elements in words. Ids of the process are on the wire; unknown ones stay anonymous to a customer. */
import { t } from "./i18n.js";

/** @type {Record<string, string>} */
const STEP_CODES = {
  parse_application: "step.parse",
  correct_application: "step.correct",
  onboarding_agent: "step.assistant",
  verify_identity_document: "step.identity",
  verify_address: "step.address",
  check_tax_status: "step.tax",
  check_sanctions: "step.compliance",
  screen_pep_adverse_media: "step.compliance",
  get_fx_rate: "step.quote",
  convert_deposit_usd: "step.quote",
  preview_suitability: "step.suitability",
  propose_portfolio: "step.portfolio",
  project_growth: "step.growth",
  request_information: "step.information",
  ask_advisor: "step.review",
  verify_identity: "step.identity",
  verify_tax_status: "step.tax",
  screen_sanctions: "step.compliance",
  screen_pep: "step.compliance",
  quote_deposit: "step.quote",
  assess_suitability: "step.suitability",
  advisor_review: "step.review",
  provide_information: "step.information",
  second_approval: "step.review",
  open_account: "step.account",
  welcome_customer: "step.welcome",
  send_decline: "step.decline",
};

export const STAGES = ["intake", "identity", "risk", "routing", "review", "account"];
export const CUSTOMER_TASKS = new Set(["correct_application", "provide_information", "request_information"]);

/** @param {string} elementId */
export const stepTitle = (elementId) => t(STEP_CODES[elementId] ?? "step.internal");

/** @param {string} stepName `<elementId>#<key>` */
export const openStepTitle = (stepName) => stepTitle(stepName.split("#")[0]);
