import { findHeader, labelColumns, personColumnNames } from '@kontor/tabular';
import { type ColumnField, columnFields } from '../config.ts';
import { readRecordsOf } from './source.ts';
import { SyncError } from '../sync-error.ts';

/** The fields whose columns have known names. There, a division is `divisionId`. */
const known = columnFields.map(field => (field === 'division' ? 'divisionId' : field));

// cspell:disable
/** Columns by which a person would leave rows out: people who left or come later, other companies, and older values. */
const notToday =
  /^(?:(?:mitarbeiter|beschäftigungs|employment|employee|worker|hr)?status|aktiv|active|austritt\p{L}*|vertragsende|end(?:datum|date)|(?:exit|termination|leaving)\p{L}*|(?:gültig|valid|effective)\p{L}*|begda|endda|(?:firma|unternehmen|gesellschaft|mandant|buchungskreis|company|legalentity|employer|arbeitgeber)(?:name|nummer|nr|id|code|number)?)$/u;
const houseNumber = /^(?:haus(?:nummer|nr)|house(?:number|no)|streetnumber)$/u;
// cspell:enable

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}]/gu, '');

/** The columns of a file that have a known name, and what a person should know of the others. */
export interface Proposal {
  readonly columns: Readonly<Record<string, ColumnField>>;
  readonly ignored: readonly string[];
  readonly matchBy: 'email' | 'employeeNumber';
  readonly hints: readonly string[];
}

/** Proposes the columns, and the key of most of the first rows. @throws SyncError for a file without known columns */
export async function proposeColumns(bytes: Uint8Array): Promise<Proposal> {
  const rows = (await readRecordsOf(bytes)).slice(0, 100).map(({ cells }) => cells);
  const names = personColumnNames(known);
  const header = findHeader(rows, names);
  if (header === null)
    throw new SyncError('the names of the columns are unknown: write kontor-sync.json by hand');
  const labels = labelColumns(rows[header]!);
  const matches = names.propose(labels);
  const hasDivisions = matches.some(match => match?.field === 'divisionId');
  const house = labels.find(label => houseNumber.test(plain(label)));
  const columns: Record<string, ColumnField> = {};
  const hints: string[] = [];
  for (const [column, match] of matches.entries()) {
    const label = labels[column]!;
    // The number of a division names none on its own.
    if (match === null || (match.field === 'divisionKey' && !hasDivisions)) continue;
    if (match.field === 'street' && house !== undefined)
      hints.push(`Export ${label} and ${house} in one column: a street has its house number in Kontor.`);
    else columns[label] = match.field === 'divisionId' ? 'division' : match.field;
  }
  const ignored = labels.filter(name => name !== '' && columns[name] === undefined);
  const others = ignored.filter(name => notToday.test(plain(name)));
  if (others.length > 0)
    hints.push(
      `${others.join(', ')}: no column selects rows. Export one row for each person who works in this company today.`,
    );
  const countOf = (field: string) => {
    const column = matches.findIndex(match => match?.field === field);
    return column < 0
      ? -1
      : rows.slice(header + 1).filter(cells => (cells[column] ?? '').trim() !== '').length;
  };
  const [numbers, emails] = [countOf('employeeNumber'), countOf('email')];
  if (Math.max(numbers, emails) < 0) throw new SyncError('add a column of employee numbers or emails');
  return { columns, ignored, hints, matchBy: emails > numbers ? 'email' : 'employeeNumber' };
}
