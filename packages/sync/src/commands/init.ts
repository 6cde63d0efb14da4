import { existsSync } from 'node:fs';
import path from 'node:path';
import { ApiError } from '@kontor/sdk';
import { proposeColumns } from '../source/columns.ts';
import type { ConfigFile, Connection } from '../config.ts';
import { openServer, tryCreate } from '../server.ts';
import { readInput, type Result } from '../sync.ts';
import { SyncError } from '../sync-error.ts';
import { ask, canAsk, type Terminal } from '../terminal.ts';
import { writeJson, writeOwnFile } from '../write-file.ts';

interface Options {
  readonly config: string;
  readonly url?: string | undefined;
  readonly tenant?: string | undefined;
}

/** `kontor-sync init people.csv`: looks at the columns, asks for the rest, and writes the configuration. */
export async function initCommand(terminal: Terminal, file: string, options: Options): Promise<Result> {
  if (existsSync(options.config))
    throw new SyncError(`${options.config} exists: change it, or remove it first`);
  const { columns, ignored, hints, matchBy } = await proposeColumns(await readInput(terminal, file));
  const baseUrl =
    options.url ??
    (await answerOf(terminal, 'Address of Kontor, such as https://kontor.example.com/v1', '--url'));
  const variable = terminal.environment['KONTOR_API_KEY'];
  const apiKey =
    variable ?? (await answerOf(terminal, 'API key, which is not shown', 'KONTOR_API_KEY', true));
  const { tenant, access } =
    options.tenant === undefined
      ? await findScope(baseUrl, apiKey)
      : { tenant: options.tenant, access: 'company' };
  // Another configuration in this folder has a key of its own.
  const keyFile = `${path.parse(options.config).name}.key`;
  const config: ConfigFile = {
    $schema: './node_modules/@kontor/sync/dist/kontor-sync.schema.json',
    baseUrl,
    ...(variable === undefined && { keyFile }),
    ...(tenant !== null && { tenant }),
    ...(access === 'divisions' && { access }),
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
    ...hints,
    `Check the columns. Next: kontor-sync plan ${file}`,
  ].join('\n');
  return { text, json: { config: options.config, columns, ignored, hints, matchBy, tenant }, exitCode: 0 };
}

async function answerOf(
  terminal: Terminal,
  question: string,
  option: string,
  isSecret = false,
): Promise<string> {
  const answer = canAsk(terminal) ? await ask(terminal, question, { isSecret }) : '';
  if (answer === '') throw new SyncError(`${option} is missing: set it, or run init on a terminal`);
  return answer;
}

/** The scope of the key, by the dry run of a new person. @throws SyncError for a key of several companies */
async function findScope(baseUrl: string, apiKey: string): Promise<Pick<Connection, 'tenant' | 'access'>> {
  const { kontor } = openServer({ baseUrl, tenant: null }, apiKey);
  try {
    const { tenant, divisionId } = await tryCreate(kontor);
    return { tenant, access: divisionId === null ? 'company' : 'divisions' };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code !== 'EMPLOYEE_PLACEMENT_AMBIGUOUS' && code !== 'TENANT_CONTEXT_AMBIGUOUS') throw error;
    if (code === 'EMPLOYEE_PLACEMENT_AMBIGUOUS')
      return { tenant: (await kontor.divisions.list().first())?.tenant ?? null, access: 'divisions' };
    throw new SyncError(
      'the key has several companies: choose one with --tenant. The portal shows the identifiers under Companies',
    );
  }
}
