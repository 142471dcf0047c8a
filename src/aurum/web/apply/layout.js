/**
 * The application as a form: six steps, each with its fields in reading order. Pure data.
 *
 * A field has a JSON pointer, a kind of control and, where it must not always be there, `when`. A group has
 * fields of its own; a list repeats its fields. The server decides what is valid; nothing here does.
 */

/**
 * @typedef {"text" | "long" | "date" | "email" | "tel" | "country" | "choice" | "choices" | "number" | "money" | "yesno" | "check" | "countries"} Kind
 * @typedef {{name: string, kind: Kind, options?: readonly string[], optional?: boolean, hint?: string, auto?: string,
 *   when?: (draft: any, item: any) => boolean}} Field
 * @typedef {{group: string, fields: (Field)[], optional?: boolean, when?: (draft: any) => boolean}} Group
 * @typedef {{list: string, fields: Field[], blank: Record<string, unknown>, most: number, optional?: boolean}} List
 * @typedef {{step: string, parts: (Field | Group | List)[]}} Step
 */

const LEVELS = ["low", "medium", "high"];
const WEALTH = ["inheritance", "businessSale", "salary", "property", "investments", "other"];
const EXPERIENCE = ["none", "limited", "good", "extensive"];
const TIN_TYPES = ["SSN", "ITIN", "CPF", "NIF", "DNI", "NIE", "SPI", "AHV", "OTHER"];

/** @type {Field[]} */
const ADDRESS = [
  { name: "line1", kind: "text", auto: "address-line1" },
  { name: "line2", kind: "text", optional: true, auto: "address-line2" },
  { name: "city", kind: "text", auto: "address-level2" },
  { name: "region", kind: "text", optional: true, auto: "address-level1" },
  { name: "postalCode", kind: "text", optional: true, auto: "postal-code" },
  { name: "country", kind: "country", auto: "country" },
];

const works = (/** @type {any} */ draft) => ["employed", "self"].includes(draft.employmentStatus);

/** @type {Step[]} */
export const STEPS = [
  {
    step: "you",
    parts: [
      { name: "givenNames", kind: "text", auto: "given-name", hint: "hint.names" },
      { name: "familyName", kind: "text", auto: "family-name" },
      { list: "otherNames", most: 10, optional: true, blank: { kind: "former", name: "" }, fields: [
        { name: "kind", kind: "choice", options: ["former", "alias", "nativeScript"] },
        { name: "name", kind: "text" },
      ] },
      { name: "dateOfBirth", kind: "date", auto: "bday" },
      { name: "birthCountry", kind: "country" },
      { name: "nationalities", kind: "countries" },
      { name: "preferredLanguage", kind: "choice", options: ["en", "fr", "es", "pt-BR", "pt-PT"] },
      { name: "email", kind: "email", auto: "email" },
      { name: "phone", kind: "tel", auto: "tel", hint: "hint.phone" },
    ],
  },
  {
    step: "home",
    parts: [
      { group: "residentialAddress", fields: ADDRESS },
      { group: "mailingAddress", optional: true, fields: ADDRESS },
      { group: "trustedContact", optional: true, fields: [
        { name: "refused", kind: "check" },
        { name: "name", kind: "text", when: (_draft, item) => !item.refused },
        { name: "relationship", kind: "text", optional: true, when: (_draft, item) => !item.refused },
        { name: "phone", kind: "tel", optional: true, when: (_draft, item) => !item.refused },
        { name: "email", kind: "email", optional: true, when: (_draft, item) => !item.refused },
      ] },
    ],
  },
  {
    step: "identity",
    parts: [
      { name: "idDocumentType", kind: "choice", options: ["passport", "idCard", "drivingLicence", "residencePermit"] },
      { name: "idDocumentNumber", kind: "text" },
      { name: "idIssuingCountry", kind: "country" },
      { name: "idExpiryDate", kind: "date" },
      { name: "mrz", kind: "long", optional: true, hint: "hint.mrz" },
      { group: "nationalId", fields: [
        { name: "type", kind: "choice", options: ["SSN", "ITIN", "CPF", "NIF", "DNI", "NIR", "AHV", "OTHER"] },
        { name: "value", kind: "text" },
      ] },
      { name: "usPerson", kind: "yesno", hint: "hint.usPerson" },
      { list: "taxResidences", most: 6, blank: { country: "" }, fields: [
        { name: "country", kind: "country" },
        { name: "tin", kind: "text", optional: true },
        { name: "tinType", kind: "choice", options: TIN_TYPES, optional: true },
        { name: "noTinReason", kind: "choice", options: ["A", "B", "C"], optional: true },
      ] },
      { group: "taxForm", fields: [
        { name: "form", kind: "choice", options: ["W9", "W8BEN"], hint: "hint.taxForm" },
        { name: "signedDate", kind: "date" },
        { name: "treatyCountry", kind: "country", optional: true },
        { name: "explanation", kind: "long", optional: true },
      ] },
    ],
  },
  {
    step: "money",
    parts: [
      { name: "employmentStatus", kind: "choice", options: ["employed", "self", "retired", "student", "none"] },
      { name: "occupation", kind: "text", when: works },
      { name: "employerName", kind: "text", when: (/** @type {any} */ draft) => draft.employmentStatus === "employed" },
      { name: "annualIncome", kind: "choice", options: ["under50k", "50kTo100k", "100kTo250k", "250kTo1m", "over1m"] },
      { name: "netWorth", kind: "money" },
      { name: "liquidNetWorth", kind: "money" },
      { name: "initialDeposit", kind: "money", hint: "hint.deposit" },
      { group: "fundingAccount", fields: [
        { name: "iban", kind: "text", optional: true, hint: "hint.iban" },
        { name: "routingNumber", kind: "text", optional: true },
        { name: "accountNumber", kind: "text", optional: true },
        { name: "holder", kind: "text", hint: "hint.holder" },
      ] },
      { group: "sourceOfWealth", fields: [
        { name: "categories", kind: "choices", options: WEALTH },
        { name: "text", kind: "long", optional: true },
      ] },
      { group: "sourceOfFunds", fields: [
        { name: "category", kind: "choice", options: WEALTH },
        { name: "text", kind: "long", optional: true },
      ] },
      { list: "beneficialOwners", most: 10, optional: true, blank: { name: "", control: false }, fields: [
        { name: "name", kind: "text" },
        { name: "dateOfBirth", kind: "date" },
        { name: "nationality", kind: "country" },
        { name: "ownershipPct", kind: "number" },
        { name: "control", kind: "check" },
      ] },
    ],
  },
  {
    step: "investing",
    parts: [
      { group: "accountPurpose", fields: [
        { name: "purpose", kind: "choice", options: ["retirement", "wealthGrowth", "income", "education", "estatePlanning", "other"] },
        { name: "expectedActivity", kind: "choice", options: LEVELS },
      ] },
      { group: "suitability", fields: [
        { name: "objective", kind: "choice", options: ["preservation", "income", "balanced", "growth", "aggressiveGrowth"] },
        { name: "riskTolerance", kind: "number" },
        { name: "horizonYears", kind: "number" },
        { name: "liquidityNeed", kind: "choice", options: LEVELS },
        { name: "lossCapacityPct", kind: "number" },
        { name: "experience/stocks", kind: "choice", options: EXPERIENCE },
        { name: "experience/bonds", kind: "choice", options: EXPERIENCE },
        { name: "experience/funds", kind: "choice", options: EXPERIENCE },
        { name: "experience/alternatives", kind: "choice", options: EXPERIENCE },
        { name: "sustainability", kind: "choice", options: ["none", "some", "strong"] },
      ] },
      { group: "pep", fields: [
        { name: "status", kind: "choice", options: ["none", "self", "family", "associate"], hint: "hint.pep" },
        { name: "role", kind: "text", when: (draft) => (draft.pep?.status ?? "none") !== "none" },
        { name: "country", kind: "country", when: (draft) => (draft.pep?.status ?? "none") !== "none" },
        { name: "until", kind: "date", optional: true, when: (draft) => (draft.pep?.status ?? "none") !== "none" },
      ] },
    ],
  },
  { step: "sign", parts: [{ name: "consents", kind: "choices", options: ["terms", "privacy", "eDelivery", "aiUse"] }, { group: "signature", fields: [{ name: "name", kind: "text", hint: "hint.signature" }] }] },
];

/** @param {Field | Group | List} part @returns {string} the top-level field it is about */
export const fieldOf = (part) => ("group" in part ? part.group : "list" in part ? part.list : part.name);

/** @param {string} pointer @returns {number} index of the step where a field stands; the last one for what stands nowhere */
export function stepOf(pointer) {
  const top = pointer.split("/")[1] ?? "";
  const found = STEPS.findIndex(({ parts }) => parts.some((part) => fieldOf(part) === top));
  return found < 0 ? STEPS.length - 1 : found;
}
