import { oneOf, integer } from '../../config.ts';
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { importHeaderRowsMaximum, payrollFormats, payrollStatuses } from '@kontor/contract';
import { identifyFile } from '@kontor/tabular';
import { isUnavailable } from '../../db/failure.ts';
import { createDivision } from '../../features/divisions/store.ts';
import {
  type DivisionWriter,
  type ImportRequest,
  importEmployees,
} from '../../features/employees/import/import.ts';
import { importOrders } from '../../features/orders/import/import.ts';
import { divisionsAmong } from '../../features/organizations/store.ts';
import { formats } from '../../features/payroll/formats/formats.ts';
import { insertPayrollDocument } from '../../features/payroll-documents/store.ts';
import { openFiles } from '../../files/open.ts';
import { describeFault } from '../../imports/command-file.ts';
import type { Rejected } from '../../imports/import.ts';
import { checkName } from '../../lib/names.ts';
import { findOrganizationOfTenant, findTarget } from '../organization/store.ts';
import {
  argument,
  attentionCode,
  type CommandContext,
  CommandError,
  type CommandResult,
  defineDatabaseCommand,
  fileSettings,
  flag,
  option,
  optionalArgument,
  repeatedOption,
  requiredOption,
} from '../program/command.ts';
import { ask, canAsk } from '../program/confirm.ts';
import { readFileSize, readWhole } from '../program/files.ts';
import { count } from '../program/output.ts';
import { watchFile, type WatchedFile } from '../program/progress.ts';
import { organizationOption, parseId, parsePeriod, tenantOption } from '../program/values.ts';

export const importEmployeesCommand = defineDatabaseCommand({
  summary: 'Import the employees of a CSV file, all valid rows together or none',
  example: 'import employees employees.csv --tenant 64b7e3f0a1c2d3e4f5a6b7c8',
  input: {
    file: argument('<file>', 'CSV with a row of column names, in any usual encoding; - for stdin'),
    tenant: option('--tenant <id>', 'The tenant that they belong to', parseId),
    organization: {
      ...organizationOption,
      description: 'Instead of a tenant: the organization that they belong to, in no tenant and no division',
    },
    divisionColumn: option(
      '--division-column <column>',
      'The column that names the root division of each; missing divisions are created',
    ),
    map: repeatedOption(
      '--map <column=field...>',
      'A column that fills a field of another name',
      parseMapping,
    ),
    ignore: repeatedOption('--ignore <column...>', 'A column to leave out'),
    headerRow: option(
      '--header-row <number>',
      'The row with the column names, without blank rows (default: found by the names)',
      integer(1, importHeaderRowsMaximum),
    ),
    changeEmails: flag(
      '--change-emails',
      'Give employees with a number of the file its email, without asking about each',
    ),
  },
  async check({ file, tenant, organization, map }) {
    if ((tenant === undefined) === (organization === undefined))
      throw new CommandError('name either a tenant with --tenant, or an organization with --organization');
    if (new Map(map).size < map.length) throw new CommandError('--map names a column twice');
    await checkFile(file);
  },
  async run(context, input) {
    const { file, tenant, organization, divisionColumn = null, map, ignore, headerRow = null } = input;
    const target = await findTarget(context.db, { tenant, organization });
    const columns = { headerRow, divisionColumn, map: new Map(map), ignore };
    return await watchImport(context, file, async source => {
      const confirmEmails = emailConfirmation(context, source, input);
      const outcome = await importEmployees(context.db, {
        target,
        file: namedFile(file, 'csv'),
        ...source,
        columns,
        divisions: divisionWriter,
        ...(confirmEmails && { confirmEmails }),
        signal: context.signal,
      });
      const { imported, divisions, emails, leftOut, notices, ...rejected } = outcome;
      const text = `Imported ${count(imported, 'employee')}, created ${count(divisions, 'division')}`;
      const damaged = leftOut === 0 ? [] : [`Left out ${count(leftOut, 'damaged value')}`];
      const changed = emails === 0 ? [] : [`Changed ${count(emails, 'email')}`];
      return importResult({ imported, divisions, emails, leftOut }, rejected, [
        text,
        ...changed,
        ...damaged,
        ...notices,
      ]);
    });
  },
});

/** Undefined where nobody can be asked: then rows with a new email are rejected, with advice. */
function emailConfirmation(
  context: CommandContext,
  { hide }: Pick<WatchedFile, 'hide'>,
  { file, changeEmails }: { readonly file: string; readonly changeEmails: boolean },
): ImportRequest['confirmEmails'] {
  if (changeEmails) return async changes => changes.map(() => true);
  if (file === '-' || !canAsk(context)) return undefined;
  return changes => {
    hide();
    const questions = changes.map(({ line, firstName, lastName, employeeNumber, before, email }) => {
      const name = [firstName, lastName].filter(Boolean).join(' ');
      return `Line ${line}: ${name} (${employeeNumber}) has the email ${before}. Change it to ${email}?`;
    });
    return ask(context, questions);
  };
}

function parseMapping(text: string): [string, string] {
  const at = text.lastIndexOf('=');
  if (at < 1 || at === text.length - 1) throw new CommandError('expected column=field');
  return [text.slice(0, at), text.slice(at + 1)];
}

const divisionWriter: DivisionWriter = {
  checkName: name => checkName('the name of a division', name),
  create: (write, session, tenantId, name) =>
    createDivision(write, session, { tenantId, parentId: null, name }),
};

export const importOrdersCommand = defineDatabaseCommand({
  summary: 'Import orders of employees of a tenant, all valid rows together or none',
  example: 'import orders orders.jsonl --tenant 64b7e3f0a1c2d3e4f5a6b7c8',
  input: {
    file: argument(
      '<file>',
      'JSONL in UTF-8: an order a line, its employee by employeeId, employeeNumber or email; - for stdin',
    ),
    tenant: { ...tenantOption, description: 'The tenant of the employees' },
  },
  check: ({ file }) => checkFile(file),
  async run(context, { file, tenant: tenantId }) {
    const target = { organizationId: await findOrganizationOfTenant(context.db, tenantId), tenantId };
    return await watchImport(context, file, async source => {
      const outcome = await importOrders(context.db, {
        target,
        file: namedFile(file, 'jsonl'),
        ...source,
        signal: context.signal,
      });
      const { imported, awaitsRule, ...rejected } = outcome;
      const lines = [`Imported ${count(imported, 'order')}`];
      if (awaitsRule) lines.push('The service decides on those under review by the rule of the tenant');
      return importResult({ imported }, rejected, lines);
    });
  },
});

/** @throws CommandError unless the file exists or is stdin */
async function checkFile(file: string): Promise<void> {
  if (file !== '-') await readFileSize(file);
}

/** The file that rejected rows are named after: those of stdin are written to the working folder. */
function namedFile(file: string, extension: string): string {
  return file === '-' ? `stdin.${extension}` : file;
}

/** Runs an import with a bar of its progress. @throws CommandError with advice when the database was lost. */
async function watchImport(
  context: CommandContext,
  file: string,
  run: (source: WatchedFile) => Promise<CommandResult>,
): Promise<CommandResult> {
  using source = await watchFile(file, context);
  try {
    return await run(source);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new CommandError(
      'the connection to the database was lost during the import; run it again: rows that were stored are rejected as duplicates',
      { cause: error },
    );
  }
}

function importResult(
  counts: Readonly<Record<string, number>>,
  { rejected, rejectedFile }: Rejected,
  lines: readonly string[],
): CommandResult {
  const rejection = rejectedFile === null ? [] : [`Rejected ${count(rejected, 'row')}: see ${rejectedFile}`];
  return {
    json: { ...counts, rejected, rejectedFile },
    text: [...lines, ...rejection].join('\n'),
    exitCode: rejected > 0 ? attentionCode : 0,
  };
}

/** Max rows that a payroll document may name. */
const maxRows = 999_999_999_999;

/** Max MiB of a payroll file. */
const maxMiB = 256;

export const importPayrollDocument = defineDatabaseCommand({
  summary: 'Publish the outcome of a payroll export: its file, or that there is none',
  example:
    'import payroll-document payroll.csv --tenant 64b7e3f0a1c2d3e4f5a6b7c8 --period 2026-11 --format csv',
  input: {
    file: optionalArgument('[file]', 'The generated file; left out when none was produced'),
    tenant: { ...tenantOption, description: 'The tenant that it is for' },
    period: requiredOption('--period <period>', 'Payroll period, YYYY-MM', parsePeriod),
    format: requiredOption('--format <format>', `One of ${payrollFormats.join(', ')}`, oneOf(payrollFormats)),
    divisionId: option('--division <id>', 'The division that it is for; all by default', parseId),
    status: option(
      '--status <status>',
      `One of ${payrollStatuses.join(', ')} (default available, which needs a file; failed has none)`,
      oneOf(payrollStatuses),
    ),
    rowCount: option('--row-count <number>', 'Rows in the file (default 0)', integer(0, maxRows)),
    skippedCount: option('--skipped-count <number>', 'Rows left out (default 0)', integer(0, maxRows)),
  },
  settings: fileSettings,
  async check({ file, status = 'available' }) {
    if (file === undefined && status === 'available')
      throw new CommandError('an available document needs its file');
    if (file !== undefined && status === 'failed')
      throw new CommandError('a failed export has no file: omit it');
    if (file !== undefined) await readFileSize(file);
  },
  async run({ db, config }, { file: path, divisionId = null, status = 'available', ...input }) {
    const file = path === undefined ? null : await readWhole(path, maxMiB);
    const fault = file && identifyFile(file.bytes).fault;
    if (fault?.code === 'other_format') throw new CommandError(`${path}: ${describeFault(fault)}`);
    if (file && input.format === 'csv' && !isUtf8(file.bytes))
      throw new CommandError(`${path} is not UTF-8, as downloads of CSV declare; save it as CSV UTF-8`);
    const { rowCount = 0, skippedCount = 0, ...wanted } = input;
    const organizationId = await findOrganizationOfTenant(db, wanted.tenant);
    if (divisionId !== null)
      if ((await divisionsAmong(db, organizationId, [divisionId])).get(divisionId) !== wanted.tenant)
        throw new CommandError(`there is no division ${divisionId} in the tenant`);
    using files = await openFiles(config, db);
    const document = {
      ...wanted,
      divisionId,
      status,
      rowCount,
      skippedCount,
      fileName: file && file.fileName,
      mediaType: file && formats[wanted.format].mediaType,
      size: file && file.bytes.length,
      sha256: file && createHash('sha256').update(file.bytes).digest('hex'),
    };
    const parts = { db, store: files.store };
    const { id } = await insertPayrollDocument(parts, organizationId, document, file && file.bytes);
    return { json: { id }, text: `Published payroll export document ${id}` };
  },
});
