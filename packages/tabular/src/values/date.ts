import { plainName } from '../plain-name.ts';
import { type CellProblemCode, emptyCell, problemIn, type Reading, valueRead } from './reading.ts';
import { readText } from './text.ts';

// cspell:disable
const months = `januar jaenner january jan, februar feber february feb, maerz march mar maer mrz, april apr, mai may, juni june jun,
  juli july jul, august aug, september sept sep, oktober october okt oct, november nov, dezember december dez dec`;
const weekdays = `sonntag sunday so sun, montag monday mo mon, dienstag tuesday di tue tues, mittwoch wednesday mi wed,
  donnerstag thursday do thu thur thurs, freitag friday fr fri, samstag sonnabend saturday sa sat`;
// cspell:enable

/** The number of each word, counted from 0. */
const numberWords = (list: string) =>
  new Map(list.split(/,\s+/).flatMap((words, index) => words.split(' ').map(word => [word, index] as const)));

const monthNumbers = numberWords(months);
const weekdayNumbers = numberWords(weekdays);

/** A date as it is written. */
interface WrittenDate {
  readonly year: string;
  readonly month: number;
  readonly day: number;
}

/** The dates that a text can mean: none, one, or two where day and month could change places. */
type Pattern = readonly [RegExp, (groups: Readonly<Record<string, string>>) => WrittenDate[]];

const written = ({ year = '', month = '', day = '' }: Readonly<Record<string, string>>): WrittenDate => ({
  year,
  month: Number(month),
  day: Number(day),
});

const withMonthName = (groups: Readonly<Record<string, string>>): WrittenDate[] => {
  const month = monthNumbers.get(plainName(groups['name']!));
  return month === undefined ? [] : [written({ ...groups, month: String(month + 1) })];
};

const patterns: readonly Pattern[] = [
  // 2026-11-01, 2026/11/01, 2026.11.01
  [/^(?<year>\d{4})(?<sign>[-/.])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})$/, groups => [written(groups)]],
  // 1.11.2026, 01. 11. 26, 01 11 26
  [
    /^(?<day>\d{1,2})(?:\.\s?|\s)(?<month>\d{1,2})(?:\.\s?|\s)(?<year>\d{4}|\d{2})$/,
    groups => [written(groups)],
  ],
  // 31/12/2026, 12/31/26, 31-12-2026: English and American order
  [
    /^(?<day>\d{1,2})(?<sign>[-/])(?<month>\d{1,2})\k<sign>(?<year>\d{4}|\d{2})$/,
    groups => [written(groups), written({ ...groups, day: groups['month']!, month: groups['day']! })],
  ],
  // 20261101 (SAP)
  [/^(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)$/, groups => [written(groups)]],
  // 01112026 (DATEV)
  [/^(?<day>\d\d)(?<month>\d\d)(?<year>(?:19|20)\d\d)$/, groups => [written(groups)]],
  // 1. November 2026, 1-Nov-26
  [/^(?<day>\d{1,2})[.\s-]{1,3}(?<name>\p{L}{3,9})[.\s,-]{1,3}(?<year>\d{4}|\d{2})$/u, withMonthName],
  // November 1, 2026
  [/^(?<name>\p{L}{3,9})\.?\s(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s(?<year>\d{4}|\d{2})$/u, withMonthName],
];

/**
 * Reads a date in German or English, and returns it as `YYYY-MM-DD`. The years are 1900 to 2199. A year of two digits is 2000 to 2029 or 1930 to
 * 1999, as in Excel and LibreOffice. `01/11/2026` is ambiguous; so is `01-11-2026`. A day of the week must fit. A time must be midnight: Excel
 * and databases append it to dates. The serial numbers of Excel are not dates.
 */
export function readDate(cell: string): Reading<string> {
  const { value: text, problem } = readText(cell);
  if (problem) return { value: null, problem };
  if (text === null) return emptyCell;
  const { date, weekday } = splitWeekday(withoutMidnight(text));
  const candidates = text.length > 50 ? [] : parseDate(date);
  if (candidates.length === 0) return problemIn(text, 'not_date');
  const possible = new Set(candidates.flatMap(candidate => isoDate(candidate) ?? []));
  const fitting = [...possible].filter(
    iso => weekday === undefined || new Date(`${iso}T00:00:00Z`).getUTCDay() === weekday,
  );
  const [first] = fitting;
  const code: CellProblemCode = fitting.length === 0 ? 'impossible_date' : 'ambiguous_date';
  return first !== undefined && fitting.length === 1 ? valueRead(first) : problemIn(text, code);
}

function withoutMidnight(text: string): string {
  return text.replace(/(?<=\d)(?:T|,?\s)0{1,2}:00(?::00(?:[.,]0{1,9})?)?(?:Z|\+00:?00)?$/, '');
}

function splitWeekday(text: string): { date: string; weekday: number | undefined } {
  const [, word = '', rest = ''] = /^(\p{L}{2,10})[.,]{0,2}\s(.+)$/u.exec(text) ?? [];
  const weekday = weekdayNumbers.get(plainName(word));
  return weekday === undefined ? { date: text, weekday } : { date: rest.trimStart(), weekday };
}

function parseDate(text: string): WrittenDate[] {
  for (const [pattern, datesOf] of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups) return datesOf(groups);
  }
  return [];
}

/** The date as `YYYY-MM-DD`, or null if the calendar does not have it. */
function isoDate({ year, month, day }: WrittenDate): string | null {
  const fullYear = year.length === 2 ? (Number(year) < 30 ? 2000 : 1900) + Number(year) : Number(year);
  if (fullYear < 1900 || fullYear > 2199) return null;
  const date = new Date(Date.UTC(fullYear, month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}
