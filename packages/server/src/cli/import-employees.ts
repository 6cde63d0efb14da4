import { isUnavailable } from '../db/failure.ts';
import type { Queryable } from '../db/session.ts';
import {
  type DivisionWriter,
  importEmployees,
  type ImportOutcome,
  type ImportRequest,
} from '../features/employees/import/import.ts';
import { checkName } from '../lib/names.ts';
import { createDivision } from '../features/divisions/store.ts';
import { organizationExists, organizationOfTenant } from '../features/organizations/store.ts';
import { CommandError, databaseSettings, defineCommand, parseId } from './command.ts';
import { watchFile } from './progress.ts';

/** Exit code of an import that left rows out. */
const rejectedCode = 2;

export const importEmployeesCommand = defineCommand({
  name: 'import employees',
  summary: 'Import the employees of a CSV file, all valid rows together or none',
  arguments: [
    { name: '<file>', description: 'CSV in UTF-8, separated by commas, with a line of column names' },
  ],
  options: [
    { flags: '--tenant <id>', description: 'The tenant that they belong to', parse: parseId },
    {
      flags: '--organization <id>',
      description: 'Instead of a tenant: the organization that they belong to, in no tenant and no division',
      parse: parseId,
    },
    {
      flags: '--division-column <column>',
      description: 'The column that names the root division of each; missing divisions are created',
    },
    {
      flags: '--map <column=field...>',
      description: 'A column that fills a field of another name',
      parse: parseMapping,
    },
    { flags: '--ignore <column...>', description: 'A column to leave out' },
  ],
  settings: databaseSettings,
  async run(context, { arguments: [file], options }) {
    const { writes: db } = await context.openDatabase();
    const target = await targetOf(db, options);
    const source = await watchFile(file as string, context);
    try {
      const outcome = await importEmployees(db, {
        target,
        file: file as string,
        chunks: source.chunks,
        columns: {
          divisionColumn: (options.divisionColumn as string | undefined) ?? null,
          map: mapping((options.map as [string, string][] | undefined) ?? []),
          ignore: (options.ignore as string[] | undefined) ?? [],
        },
        divisions: divisionWriter,
        signal: context.signal,
        onStep: source.onStep,
      });
      return result(outcome);
    } catch (error) {
      throw isUnavailable(error) ? lost(error) : error;
    } finally {
      source.close();
    }
  },
});

/** The place that the options name. */
async function targetOf(
  db: Queryable,
  { tenant, organization }: Readonly<Record<string, unknown>>,
): Promise<ImportRequest['target']> {
  if ((tenant === undefined) === (organization === undefined))
    throw new CommandError('name either a tenant with --tenant, or an organization with --organization');
  if (tenant === undefined) {
    if (!(await organizationExists(db, organization as string)))
      throw new CommandError(`there is no organization ${organization as string}`);
    return { organizationId: organization as string, tenantId: null };
  }
  const organizationId = await organizationOfTenant(db, tenant as string);
  if (organizationId === null) throw new CommandError(`there is no tenant ${tenant as string}`);
  return { organizationId, tenantId: tenant as string };
}

function parseMapping(text: string): [string, string] {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) throw new CommandError('expected column=field');
  return [text.slice(0, at), text.slice(at + 1)];
}

function mapping(pairs: readonly [string, string][]): ReadonlyMap<string, string> {
  const map = new Map(pairs);
  if (map.size < pairs.length) throw new CommandError('--map names a column twice');
  return map;
}

const divisionWriter: DivisionWriter = {
  checkName: name => checkName('the name of a division', name),
  create: (turn, session, tenantId, name) =>
    createDivision(turn, session, { tenantId, parentId: null, name }),
};

function result({ imported, rejected, divisions, rejectedFile }: ImportOutcome) {
  const lines = [`Imported ${count(imported, 'employee')}, created ${count(divisions, 'division')}`];
  if (rejectedFile !== null) lines.push(`Rejected ${count(rejected, 'row')}: see ${rejectedFile}`);
  return {
    json: { imported, rejected, divisions, rejectedFile },
    text: lines.join('\n'),
    exitCode: rejected > 0 ? rejectedCode : 0,
  };
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

function lost(error: unknown): CommandError {
  return new CommandError(
    'the connection to the database was lost and the import broken off; run it again: should the rows be in, they are rejected as duplicates',
    { cause: error },
  );
}
