/** Money, days and time as the page's language writes them. Amounts never pass through a float of dollars. */
import { computed, signal } from "./html.js";
import { humanised, locale, named, t } from "./i18n.js";

/** Now, for "3 minutes ago": ticks slowly, because a screen that counts seconds makes nobody calm. */
export const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 10_000);

const moneyFormats = computed(() => {
  const place = locale();
  /** @type {Map<string, Intl.NumberFormat>} */
  const byCurrency = new Map();
  return (/** @type {string} */ currency) => {
    let format = byCurrency.get(currency);
    if (!format) byCurrency.set(currency, (format = new Intl.NumberFormat(place, { style: "currency", currency })));
    return format;
  };
});

/** @param {string} amount exact decimal text @param {string} currency ISO code */
export function money(amount, currency) {
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  return moneyFormats.value(currency).format(/** @type {any} */ (amount)); // Decimal text is formatted exactly.
}

/** @param {number | null | undefined} cents whole US cents */
export function dollars(cents) {
  if (typeof cents !== "number") return "–";
  const digits = String(Math.abs(cents)).padStart(3, "0");
  return money(`${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`, "USD");
}

/** An amount without its small change, for what is only about right. @param {number} amount @param {string} currency ISO code */
export const about = (amount, currency) =>
  new Intl.NumberFormat(locale(), { style: "currency", currency, maximumFractionDigits: 0 }).format(amount);

/** The same, short enough for an axis: `$1.2M`. @param {number} amount @param {string} currency */
export const aboutShort = (amount, currency) =>
  new Intl.NumberFormat(locale(), { style: "currency", currency, notation: "compact", maximumFractionDigits: 1, minimumFractionDigits: 0 }).format(amount);

/** @param {number} value 5 for 5 % @param {number} [digits] */
export const percent = (value, digits = 2) =>
  new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: digits }).format(value / 100);

/** @param {string | undefined | null} day `2026-11-28`, which is no instant and has no time zone */
export function date(day) {
  if (!day) return "–";
  const shown = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(shown.getTime())) return day;
  return new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeZone: "UTC" }).format(shown);
}

/** @param {string | number | undefined | null} instant */
export function moment(instant) {
  if (!instant) return "–";
  const shown = new Date(instant);
  if (Number.isNaN(shown.getTime())) return String(instant);
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(shown);
}

/** Clock time with milliseconds, for logs. @param {number} ms */
export function clock(ms) {
  if (!ms) return "";
  const shown = new Date(ms);
  const time = shown.toLocaleTimeString("en-GB", { hour12: false });
  return `${time}.${String(shown.getMilliseconds()).padStart(3, "0")}`;
}

/** How long ago, in words; follows the clock. @param {string | undefined | null} instant */
export function ago(instant) {
  if (!instant) return "–";
  const seconds = Math.max(0, Math.round((now.value - Date.parse(instant)) / 1000));
  if (seconds < 45) return t("time.now");
  const words = new Intl.RelativeTimeFormat(locale(), { numeric: "always" });
  if (seconds < 3_300) return words.format(-Math.max(1, Math.round(seconds / 60)), "minute");
  if (seconds < 86_400) return words.format(-Math.max(1, Math.round(seconds / 3_600)), "hour");
  return words.format(-Math.round(seconds / 86_400), "day");
}

/**
 * Returns concierge text in the page's language: parameters are formatted here, as codes are made to be.
 * @param {{content?: any, metadata?: any}} message
 */
export function spoken(message) {
  const { code, params = {} } = message.metadata?.["com.aurum"] ?? {};
  if (!code) return message.content ?? "";
  return t(code, spokenParams(code, params), message.content);
}

/** @param {string} code @param {Record<string, any>} params */
function spokenParams(code, params) {
  if (code === "text.quote") {
    const { amount, currency, usd, date: day } = params;
    return { deposit: money(amount, currency), usd: money(usd.replaceAll(",", ""), "USD"), date: date(day) };
  }
  if (code === "text.suitability") {
    return { ...params, label: t(`profile.${params.profile}`, {}, params.label) };
  }
  return params;
}

/**
 * Words for a reason code. What the catalogue keeps under `reason.bank` is never said to a customer.
 * @param {string} code @param {"customer" | "bank"} audience
 */
export const reason = (code, audience) =>
  audience === "customer"
    ? t(`reason.${code}`, {}, t("reason.unknown"))
    : t(`reason.bank.${code}`, {}, t(`reason.${code}`, {}, humanised(code)));

/** A country by name. @param {string} code ISO 3166 */
export function country(code) {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(locale(), { type: "region" }).of(code) ?? code;
}

/** A scalar of the application in words: enumerations and countries by name, yes and no, days. @param {unknown} value @param {string} key */
export function scalar(value, key) {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value)) return date(value);
  if (typeof value === "string" && ENUMERATED.has(key)) return named("value", value);
  if (typeof value === "string" && COUNTRIES.has(key)) return country(value);
  return String(value);
}

const COUNTRIES = new Set(["country", "idIssuingCountry", "issuingCountry", "birthCountry", "nationalities", "taxResidences"]);

const ENUMERATED = new Set(
  (
    "channel preferredLanguage idDocumentType employmentStatus annualIncome categories category status purpose " +
    "expectedActivity objective liquidityNeed stocks bonds funds alternatives sustainability kind code"
  ).split(" "),
);
