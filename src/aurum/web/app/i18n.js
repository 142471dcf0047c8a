/**
 * Words by code. Frames carry a code, its parameters and an English fallback; the catalogue of the
 * page's language has the sentence. A missing sentence falls back to English, then to the fallback.
 */
import en from "../i18n/en.js";
import { signal } from "./html.js";

/** @typedef {Record<string, string>} Catalogue */

export const LANGUAGES = /** @type {const} */ ({ en: "English", fr: "Français", es: "Español", pt: "Português" });
const KEY = "aurum.language";

/** Locale for numbers and dates: pt is read as Brazilian, as the bank's Portuguese speakers mostly are. */
const LOCALES = { en: "en-US", fr: "fr-FR", es: "es-ES", pt: "pt-BR" };
/** @typedef {keyof typeof LANGUAGES} Language */

/** @type {Map<string, Catalogue>} */
const loaded = new Map([["en", en]]);

export const language = signal(/** @type {Language} */ ("en"));
export const locale = () => LOCALES[language.value];

/** @param {string} wanted @returns {Promise<void>} */
export async function speak(wanted) {
  const next = /** @type {Language} */ (wanted in LANGUAGES ? wanted : "en");
  if (!loaded.has(next)) loaded.set(next, (await import(`../i18n/${next}.js`)).default);
  localStorage.setItem(KEY, next);
  document.documentElement.lang = next;
  language.value = next;
}

/** Speaks the stored language, else the browser's first one that is here. */
export const speakPreferred = () => {
  const own = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
  return speak(localStorage.getItem(KEY) ?? own ?? "en");
};

/** @param {string} code @returns {boolean} */
export const has = (code) => loaded.get(language.value)?.[code] !== undefined || en[code] !== undefined;

/**
 * Returns the sentence for a code with `{name}` replaced; `fallback` (else the code) when nobody has one.
 * @param {string} code @param {Record<string, unknown>} [params] @param {string} [fallback]
 */
export function t(code, params = {}, fallback = code) {
  const sentence = loaded.get(language.value)?.[code] ?? en[code];
  if (sentence === undefined) return fallback;
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/**
 * The sentence for a number of things: `code.one`, `code.many` (a million in French, Spanish, Portuguese) or
 * `code.other`, as the language counts. The number is written as the language writes it.
 * @param {string} code @param {number} count @param {Record<string, unknown>} [params]
 */
export function plural(code, count, params = {}) {
  const category = new Intl.PluralRules(locale()).select(count);
  const key = has(`${code}.${category}`) ? `${code}.${category}` : `${code}.other`;
  return t(key, { ...params, count: new Intl.NumberFormat(locale()).format(count) });
}

/** Returns words for a key of a family, else the key itself made readable. @param {string} family @param {string} key */
export const named = (family, key) => t(`${family}.${key}`, {}, humanised(key));

/** @param {string} key `idExpiryDate`, `onboarding_route` @returns {string} `Id expiry date`, `Onboarding route` */
export function humanised(key) {
  const words = key.replace(/_/g, " ").replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
