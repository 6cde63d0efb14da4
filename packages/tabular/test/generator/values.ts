// cspell:disable
import type { CellProblemCode } from '../../src/index.ts';
import { list } from '../support.ts';
import type { Random } from './random.ts';

/** A cell, and the result of its reader: a value, nothing, or a problem. */
export interface MadeCell {
  readonly written: string;
  readonly meant: string | boolean | null | { readonly problem: CellProblemCode };
}

export type Kind = 'text' | 'number' | 'yesNo' | 'country' | 'date' | 'amount' | 'postalCode';

/** The names of columns of each kind. */
export const columns: readonly (readonly [name: string, field: string, kind: Kind])[] = [
  ['Personalnummer', 'number', 'number'],
  ['Vorname', 'firstName', 'text'],
  ['Nachname', 'lastName', 'text'],
  ['Bemerkung', 'note', 'text'],
  ['Gesperrt ja/nein', 'blocked', 'yesNo'],
  ['Land', 'country', 'country'],
  ['Eintritt', 'entry', 'date'],
  ['Betrag', 'amount', 'amount'],
  ['PLZ', 'postalCode', 'postalCode'],
  ['Straße', 'street', 'text'],
];

const texts =
  list(`Jürgen | Käthe | Groß | O’Neill | 't Hooft | D'Arc | Dvořák | Łódź | Şahin | Ünal | André | Meyer-Lüdenscheidt
  | Weg 1, Hinterhaus | Weg 5; rechts | Team A/B | a "b" c | "zitiert" | 5" Rohr | -5 | @home | #1 | 1E5 | N/A | NULL | ja | 100 % | 12,5
  | € 5 | „Haus“ | §7 | Nr. 5 – links | Иван | 东京 | 😀 | x=y | C:\\pfad\\neu | <b>x</b> | {x} | 00701 | +49 351 1 | 1.234 | 3-4`);
const separateTexts = [
  'zwei\nZeilen',
  'zwei\r\nZeilen',
  'Ta\tb',
  'Ba|r',
  'ganz "viel"; und, mehr\nund "mehr"',
  'Ju\u0308rgen',
];

const damages: readonly (readonly [CellProblemCode, readonly string[]])[] = [
  ['rounded_number', list('4,9E+11 | 4.9E+11 | 4,91512E+12 | 5E+11')],
  ['hidden_value', list('#### | ##########')],
  [
    'formula_error',
    list('#NV | #N/A | #WERT! | #VALUE! | #BEZUG! | #REF! | #NAME? | #DIV/0! | #ÜBERLAUF! | Err:502'),
  ],
  ['formula', list('=A1 | =SUMME(A1:B2) | ="a"&"b"')],
  ['garbled_text', list('JÃ¼rgen | GroÃŸ | M\ufffdller | KÃ¤the | Mü&amp;Co | M?ller | MŸller')],
];

const countries =
  list(`Deutschland DE | DE DE | de DE | D DE | DEU DE | Germany DE | Österreich AT | A AT | AUT AT | Schweiz CH | Switzerland CH
  | Vereinigtes Königreich GB | UK GB | USA US | Türkei TR | Niederlande NL | Polen PL | Czech Republic CZ | SLO SI | Kosovo XK`);

const two = (number: number) => String(number).padStart(2, '0');

const longMonths = ['de', 'en'].map(
  language => new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }),
);

function makeDate(random: Random): MadeCell {
  const date = new Date(Date.UTC(random.integer(1930, 2029), random.integer(0, 11), random.integer(1, 31)));
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const longMonth = random.pick(longMonths).format(date);
  const meant = `${year}-${two(month)}-${two(day)}`;
  const forms: MadeCell[] = [
    { written: meant, meant },
    { written: `${day}.${month}.${year}`, meant },
    { written: `${two(day)}.${two(month)}.${year}`, meant },
    { written: `${day}. ${longMonth} ${year}`, meant },
    { written: `${meant} 00:00:00`, meant },
    { written: `${two(day)}.${two(month)}.${two(year % 100)}`, meant },
    {
      written: `${two(day)}/${two(month)}/${year}`,
      meant: day > 12 || day === month ? meant : { problem: 'ambiguous_date' },
    },
    { written: `${day + 31}.${month}.${year}`, meant: { problem: 'impossible_date' } },
    { written: String(40_000 + day), meant: { problem: 'not_date' } },
  ];
  return random.pick(forms);
}

const germanNumber = new Intl.NumberFormat('de-DE');
const englishNumber = new Intl.NumberFormat('en-GB');

function makeAmount(random: Random): MadeCell {
  const [whole, cents] = [random.integer(0, 2_000_000), two(random.integer(0, 99))];
  const german = germanNumber.format(whole);
  const english = englishNumber.format(whole);
  const meant = `${whole}.${cents}`;
  const forms: MadeCell[] = [
    { written: `${german},${cents}`, meant },
    { written: `${english}.${cents}`, meant },
    { written: `${whole},${cents}`, meant },
    { written: `${german},${cents} €`, meant },
    { written: String(whole), meant: String(whole) },
    { written: '1.234', meant: { problem: 'ambiguous_number' } },
    { written: 'viel', meant: { problem: 'not_number' } },
  ];
  return random.pick(forms);
}

function makePostalCode(random: Random): MadeCell {
  const code = `0${random.integer(1000, 9999)}`;
  const forms: MadeCell[] = [
    { written: code, meant: code },
    { written: `="${code}"`, meant: code },
    { written: `'${code}`, meant: code },
    { written: `D-${code}`, meant: code },
    { written: code.slice(1), meant: { problem: 'short_postal_code' } },
  ];
  return random.pick(forms);
}

function makeNumber(random: Random): MadeCell {
  const number = String(random.integer(1, 99_999)).padStart(5, '0');
  return random.pick([
    { written: number, meant: number },
    { written: `="${number}"`, meant: number },
    { written: `'${number}`, meant: number },
  ]);
}

function makeValue(kind: Kind, random: Random): MadeCell {
  if (kind === 'date') return makeDate(random);
  if (kind === 'amount') return makeAmount(random);
  if (kind === 'postalCode') return makePostalCode(random);
  if (kind === 'number') return makeNumber(random);
  if (kind === 'country') {
    const entry = random.pick(countries);
    return { written: entry.slice(0, -3), meant: entry.slice(-2) };
  }
  if (kind === 'yesNo')
    return random.pick([
      ...list('ja | Ja | JA | yes | true | WAHR | 1 | x | X').map(written => ({ written, meant: true })),
      ...list('nein | Nein | NO | false | Falsch | 0 | n').map(written => ({ written, meant: false })),
      { written: 'vielleicht', meant: { problem: 'not_boolean' } } as const,
    ]);
  const text = random.pick([...texts, ...separateTexts]);
  return { written: text, meant: text.normalize('NFC') };
}

/** Makes a cell: mostly a value, sometimes nothing, or what a spreadsheet left of a value. */
export function makeCell(kind: Kind, random: Random): MadeCell {
  const chance = random.integer(1, 20);
  if (chance === 1) return { written: '', meant: null };
  if (chance === 2) {
    const [problem, cells] = random.pick(damages);
    return { written: random.pick(cells), meant: { problem } };
  }
  const cell = makeValue(kind, random);
  const blank = random.pick(['', '', '', ' ', '\u00A0']);
  return { written: `${blank}${cell.written}${blank}`, meant: cell.meant };
}
