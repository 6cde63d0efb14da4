import { steps } from './client.ts';

/** The outcomes that are good. */
const goodOutcomes = ['works', 'no finding'];

/** The result of a client, a check or a quick start. */
export interface Result {
  readonly name: string;
  /** `works` or `no finding`; else what is wrong. */
  readonly outcome: string;
}

export interface Row extends Result {
  readonly version: string;
  readonly advice: string;
}

/** Whether nothing is wrong. */
export function isGood({ outcome }: Result): boolean {
  return goodOutcomes.includes(outcome);
}

/** What a session printed, in words: whether each step was done. */
export function outcomeOf(printed: string): string {
  const lines = new Set(printed.split('\n'));
  const missing = steps.filter(step => !lines.has(`ok ${step}`));
  return missing.length === 0 ? 'works' : `does not: ${missing.join(', ')}`;
}

/** The table in Markdown, as prettier leaves it alone. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ name, version, outcome, advice }) => [name, version, outcome, advice]);
  return [['Generator', 'Version', 'Outcome', 'What to know'], ['---', '---', '---', '---'], ...cells]
    .map(row => `| ${row.join(' | ')} |`)
    .join('\n');
}

// Between these, prettier leaves the table as it is written here.
const start = '<!-- prettier-ignore-start -->\n';
const end = '<!-- prettier-ignore-end -->';

/** A page with another table between its marks. */
export function withTable(text: string, rows: readonly Row[]): string {
  const from = text.indexOf(start) + start.length;
  return `${text.slice(0, from)}${tableOf(rows)}\n${text.slice(text.indexOf(end))}`;
}
