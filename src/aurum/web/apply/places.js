/** Countries and currencies to choose from, named by the browser in the page's language. */
import { locale } from "../app/i18n.js";

const COUNTRIES = (
  "AD AE AF AG AI AL AM AO AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CC CD CF CG CH CI CK CL CM " +
  "CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK " +
  "HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG " +
  "MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO " +
  "RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG " +
  "VI VN VU WF WS YE YT ZA ZM ZW"
).split(" ");

export const CURRENCIES = "USD EUR GBP CHF JPY CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN SGD HKD CNY INR ZAR KRW TRY ILS THB".split(" ");

/** @type {Map<string, [string, string][]>} */
const sorted = new Map();

/** Codes with names, in the order of the page's language. @returns {[string, string][]} */
export function countries() {
  const place = locale();
  let list = sorted.get(place);
  if (!list) {
    const names = new Intl.DisplayNames(place, { type: "region" });
    const order = new Intl.Collator(place);
    list = COUNTRIES.map((code) => /** @type {[string, string]} */ ([code, names.of(code) ?? code])).sort((a, b) => order.compare(a[1], b[1]));
    sorted.set(place, list);
  }
  return list;
}
