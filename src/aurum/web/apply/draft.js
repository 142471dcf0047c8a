/** The draft of an application: values by JSON pointer, and the record that is sent. Pure. */

/** Consents name the version of the text that was shown. */
export const CONSENT_VERSION = "2026-11";

/** @param {string} today `2026-11-30` @param {string} language of the page @returns {any} */
export const blankDraft = (today, language) => ({
  applicationId: "",
  channel: "web",
  preferredLanguage: language === "pt" ? "pt-BR" : language,
  nationalities: [""],
  taxResidences: [{ country: "" }],
  taxForm: { form: "W8BEN", signedDate: today },
  usPerson: false,
  netWorth: { amount: "", currency: "USD" },
  liquidNetWorth: { amount: "", currency: "USD" },
  initialDeposit: { amount: "", currency: "USD" },
  sourceOfWealth: { categories: [] },
  suitability: { experience: {} },
  consents: [],
  signature: { name: "" },
});

/** @param {any} value @param {string} pointer @returns {any} undefined where nothing is */
export const valueAt = (value, pointer) =>
  pointer
    .split("/")
    .slice(1)
    .reduce((inner, token) => inner?.[token], value);

/** Returns a copy with one value replaced; objects on the way are made. @param {any} value @param {string} pointer @param {unknown} next @returns {any} */
export function withValue(value, pointer, next) {
  const [token, ...rest] = pointer.split("/").slice(1);
  if (token === undefined) return next;
  const inner = withValue(value?.[token], rest.length > 0 ? `/${rest.join("/")}` : "", next);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === token ? inner : item));
  return { ...value, [token]: inner };
}

/**
 * Returns what is worth sending: no empty text, no empty group. Items of a list keep their places, because
 * the server names a wrong one by its index; a list of nothing is nothing.
 * @param {any} value @returns {any}
 */
function pruned(value) {
  if (Array.isArray(value)) {
    const items = value.map(pruned);
    return items.every((item) => item === undefined) ? undefined : items.map((item, index) => item ?? (typeof value[index] === "string" ? "" : {}));
  }
  if (value !== null && typeof value === "object") {
    const full = Object.entries(value).flatMap(([name, inner]) => {
      const kept = pruned(inner);
      return kept === undefined ? [] : [[name, kept]];
    });
    return full.length > 0 ? Object.fromEntries(full) : undefined;
  }
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  return value ?? undefined;
}

/** Groups that are nothing while they hold only these untouched values. @type {Record<string, [string, unknown][]>} */
const UNTOUCHED = { trustedContact: [["refused", false]], pep: [], fundingAccount: [] };

/** Who has one name only leaves the other empty, which is an answer; so is a list of nobody. @param {Record<string, any>} record @returns {Record<string, any>} */
function answered(record) {
  const { givenNames, familyName, otherNames = [], beneficialOwners = [] } = record;
  const names = givenNames || familyName ? { givenNames: givenNames ?? "", familyName: familyName ?? "" } : {};
  return { ...record, ...names, otherNames, beneficialOwners };
}

/**
 * The record as it is sent. The signature says when it was given.
 * @param {any} draft @param {string} now an instant
 */
export function recordOf(draft, now) {
  const record = answered(pruned(draft) ?? {});
  for (const [name, idle] of Object.entries(UNTOUCHED)) {
    const members = Object.entries(record[name] ?? {});
    if (members.every(([key, value]) => idle.some(([same, quiet]) => same === key && quiet === value))) delete record[name];
  }
  if (record.suitability) record.suitability.experience ??= {};
  if (record.signature?.name) record.signature.at = draft.signature.at ?? now;
  else delete record.signature;
  return record;
}

/** @param {any} draft @param {string} code @param {boolean} given @param {string} now @returns {any} */
export function withConsent(draft, code, given, now) {
  const others = (draft.consents ?? []).filter((/** @type {{code: string}} */ one) => one.code !== code);
  return { ...draft, consents: given ? [...others, { code, version: CONSENT_VERSION, acceptedAt: now }] : others };
}
