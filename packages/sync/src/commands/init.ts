import { stat } from 'node:fs/promises';
import path from 'node:path';
import { findHeader, identifyFile, labelColumns, personColumnNames, readRecords } from '@kontor/tabular';
import { type ColumnField, columnFields, type ConfigFile } from '../config.ts';
import { openServer } from '../server.ts';
import { readInput, type Result } from '../sync.ts';
import { SyncError } from '../sync-error.ts';
import { ask, canAsk, type Terminal } from '../terminal.ts';
import { writeJson, writeOwnFile } from '../write-file.ts';

interface Options {
  readonly config: string;
  readonly url?: string | undefined;
  readonly tenant?: string | undefined;
}

/** The fields whose columns have known names. There, a division is `divisionId`. */
const known = columnFields.map(field => (field === 'division' ? 'divisionId' : field));

/** `kontor-sync init people.csv`: looks at the columns, asks for the rest, and writes the configuration. */
export async function initCommand(terminal: Terminal, file: string, options: Options): Promise<Result> {
  if (await exists(options.config))
    throw new SyncError(`${options.config} exists: change it, or remove it first`);
  const { columns, ignored, matchBy } = await proposeColumns(await readInput(terminal, file));
  const baseUrl =
    options.url ??
    (await answerOf(terminal, 'Address of Kontor, such as https://kontor.example.com/v1', '--url'));
  const { environment } = terminal;
  const variable = environment['KONTOR_API_KEY'];
  const apiKey =
    variable ?? (await answerOf(terminal, 'API key, which is not shown', 'KONTOR_API_KEY', true));
  const tenant = options.tenant ?? (await findTenant(baseUrl, apiKey));
  const keyFile = 'kontor-sync.key';
  const config: ConfigFile = {
    $schema: './node_modules/@kontor/sync/dist/kontor-sync.schema.json',
    baseUrl,
    ...(variable === undefined && { keyFile }),
    ...(tenant !== null && { tenant }),
    matchBy,
    columns,
    absent: 'report',
  };
  if (variable === undefined)
    await writeOwnFile(path.join(path.dirname(options.config), keyFile), `${apiKey}\n`);
  await writeJson(options.config, config);
  const lines = Object.entries(columns).map(([name, field]) => `  ${name} → ${field}`);
  const text = [
    `${options.config} is written. People are matched by ${matchBy}.`,
    ...lines,
    ...(ignored.length === 0 ? [] : [`Not read: ${ignored.join(', ')}`]),
    `Check the columns. Next: kontor-sync plan ${file}`,
  ].join('\n');
  return { text, json: { config: options.config, columns, ignored, matchBy, tenant }, exitCode: 0 };
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

async function answerOf(
  terminal: Terminal,
  question: string,
  option: string,
  isSecret = false,
): Promise<string> {
  const answer = canAsk(terminal) ? await ask(terminal, question, { isSecret }) : '';
  if (answer === '') throw new SyncError(`${option} is missing`);
  return answer;
}

/** The columns that have a known name, and the key of most of the first rows. */
async function proposeColumns(bytes: Uint8Array) {
  const { dialect, fault } = identifyFile(bytes);
  if (fault) throw new SyncError(`the file is not CSV: ${fault.code.replaceAll('_', ' ')}`);
  const rows: (readonly string[])[] = [];
  for await (const { records } of readRecords(bytes, dialect)) {
    rows.push(...records.map(({ cells }) => cells));
    if (rows.length > 100) break;
  }
  const names = personColumnNames(known);
  const header = findHeader(rows, names);
  if (header === null)
    throw new SyncError('no row has known names of columns: write kontor-sync.json by hand');
  const labels = labelColumns(rows[header]!);
  const matches = names.propose(labels);
  const hasDivisions = matches.some(match => match?.field === 'divisionId');
  const columns: Record<string, ColumnField> = {};
  for (const [column, match] of matches.entries()) {
    // The number of a division names none on its own.
    if (match === null || (match.field === 'divisionKey' && !hasDivisions)) continue;
    columns[labels[column]!] = match.field === 'divisionId' ? 'division' : match.field;
  }
  const ignored = labels.filter(name => name !== '' && columns[name] === undefined);
  const countOf = (field: string) => {
    const column = matches.findIndex(match => match?.field === field);
    return column < 0
      ? -1
      : rows.slice(header + 1).filter(cells => (cells[column] ?? '').trim() !== '').length;
  };
  const [numbers, emails] = [countOf('employeeNumber'), countOf('email')];
  if (Math.max(numbers, emails) < 0) throw new SyncError('no column has numbers or emails of people');
  return { columns, ignored, matchBy: emails > numbers ? ('email' as const) : ('employeeNumber' as const) };
}

/** The company of the key; null while it has no rows. @throws SyncError for a key of several companies */
async function findTenant(baseUrl: string, apiKey: string): Promise<string | null> {
  const { kontor } = openServer({ baseUrl, tenant: null }, apiKey);
  const pages = await Promise.all([kontor.divisions.list().page(), kontor.employees.list().page()]);
  const tenants = new Set(pages.flatMap(({ items }) => items.flatMap(({ tenant }) => tenant ?? [])));
  if (tenants.size > 1)
    throw new SyncError(
      `the key has several companies: choose one with --tenant ${[...tenants].join(' or ')}`,
    );
  return [...tenants][0] ?? null;
}
