import alpha3Codes from './alpha3.json' with { type: 'json' };
import { plainName } from '../plain-name.ts';
import { emptyCell, problemIn, type Reading, valueRead } from './reading.ts';
import { readText } from './text.ts';

// cspell:disable
/** Distinguishing signs of vehicles (Vienna Convention) that are no ISO code of another country, and codes of sport and of the EU. */
const signs = `A AT, B BE, BRD DE, D DE, DEN DK, E ES, EL GR, EST EE, F FR, FIN FI, FL LI, GBZ GI, GER DE, GRE GR, H HU, I IT, IRL IE,
  KSA SA, L LU, M MT, N NO, NED NL, NMK MK, P PT, POR PT, RKS XK, RUS RU, S SE, SLO SI, SRB RS, SUI CH, CRO HR, UK GB, V VA`;

/** Names beside those of `Intl.DisplayNames`. Two countries of one name make it ambiguous. */
const aliases = `Bundesrepublik Deutschland DE, Federal Republic of Germany DE, Republik Österreich AT, Republic of Austria AT,
  Schweizerische Eidgenossenschaft CH, Swiss Confederation CH, Fürstentum Liechtenstein LI, Großherzogtum Luxemburg LU, Holland NL,
  The Netherlands NL, Großbritannien GB, Great Britain GB, England GB, Schottland GB, Scotland GB, Wales GB, Nordirland GB,
  Northern Ireland GB, USA US, US US, Vereinigte Staaten von Amerika US, United States of America US, Tschechische Republik CZ,
  Czech Republic CZ, Slowakische Republik SK, Slovak Republic SK, Republik Irland IE, Republic of Ireland IE, Turkey TR, Mazedonien MK,
  Macedonia MK, Moldawien MD, Moldau MD, Republic of Moldova MD, Weißrussland BY, Belorussland BY, Russische Föderation RU,
  Russian Federation RU, Republik Korea KR, Republic of Korea KR, Korea KR, Korea KP, Elfenbeinküste CI, Ivory Coast CI, Kap Verde CV,
  Cabo Verde CV, Birma MM, Burma MM, Myanmar MM, Swasiland SZ, Swaziland SZ, Vatikan VA, Vatikanstaat VA, Holy See VA, Palästina PS,
  Palestine PS, Hongkong HK, Hong Kong HK, Macau MO, Macao MO, Volksrepublik China CN, People’s Republic of China CN, VR China CN,
  Vereinigte Arabische Emirate AE, UAE AE, VAE AE, Kongo CG, Kongo CD, Congo CG, Congo CD, Demokratische Republik Kongo CD,
  Democratic Republic of the Congo CD, DR Kongo CD, DR Congo CD, Republik Kongo CG, Republic of the Congo CG, Osttimor TL,
  East Timor TL, Sankt Martin MF, Sankt Martin SX, Saint Martin MF, Saint Martin SX, Islamische Republik Iran IR, Syrian Arab Republic SY,
  Viet Nam VN, Brunei BN, Bosnien BA, Bosnia BA, Bosnien-Herzegowina BA, Republik Polen PL, Republik Kosovo XK, Republic of Kosovo XK`;
// cspell:enable

const splitList = (list: string) =>
  list.split(/,\s*/).map(entry => [entry.slice(0, -3), entry.slice(-2)] as const);

/** ISO 3166-1, and XK, which the EU uses for Kosovo. */
const codes = new Map(Object.entries({ ...alpha3Codes, XK: 'XKX' }));

/** Codes of countries by code, sign and name. */
const countries = new Map<string, Set<string>>();

for (const [alpha2, alpha3] of codes) for (const code of [alpha2, alpha3]) addName(code, alpha2);
for (const [sign, code] of splitList(signs)) addName(sign, code);
for (const [alias, code] of splitList(aliases)) addName(alias, code);
for (const language of ['de', 'en'])
  for (const style of ['long', 'short'] as const) {
    const names = new Intl.DisplayNames(language, { type: 'region', style });
    for (const code of codes.keys()) addName(names.of(code)!, code);
  }

function addName(name: string, code: string): void {
  for (const key of [keyOf(name), keyOf(name.normalize('NFD').replaceAll(/\p{M}/gu, ''))])
    countries.set(key, (countries.get(key) ?? new Set()).add(code));
}

/** `Bosnia & Herzegovina` and `Bosnia and Herzegovina` have one key. */
function keyOf(name: string): string {
  return plainName(name.replaceAll(/\s(?:and|und)\s/gi, ' '));
}

/**
 * Reads a country: ISO 3166-1 (`DE`, `DEU`), the sign of vehicles (`D`), or its name in German or English. Returns the code of two letters.
 * `Deutschland (DE)` and `DE - Deutschland` must name one country.
 */
export function readCountry(cell: string): Reading<string> {
  const { value: text, problem } = readText(cell);
  if (problem) return { value: null, problem };
  if (text === null) return emptyCell;
  const found = text.length > 100 ? undefined : (countries.get(keyOf(text)) ?? commonCountry(text));
  if (found === undefined) return problemIn(text, 'not_country');
  const [code] = found;
  return code === undefined || found.size > 1 ? problemIn(text, 'ambiguous_country') : valueRead(code);
}

/** The countries that both parts of a text name. */
function commonCountry(text: string): Set<string> | undefined {
  const [, first, second] =
    /^([^([]+)[([](.+)[)\]]$/.exec(text) ?? /^(\p{L}{1,3})\s*[\s:–-]\s*(.+)$/u.exec(text) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const [one, other] = [countries.get(keyOf(first)), countries.get(keyOf(second))];
  return one && other && new Set([...one].filter(code => other.has(code)));
}
