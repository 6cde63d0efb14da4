import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { payrollFormats, type PayrollExportDocument, payrollStatuses } from '@kontor/contract';
import { divisionsAmong, organizationOfTenant } from '../features/organizations/store.ts';
import { insertPayrollDocument } from '../features/payroll-documents/store.ts';
import { cleanFileName } from '../files/file-name.ts';
import { openFiles } from '../files/open.ts';
import { CommandError, databaseSettings, defineCommand, parseId } from './command.ts';

/** Most bytes of a payroll file. */
const sizeMaximum = 256 * 1024 * 1024;

type Format = PayrollExportDocument['format'];
type Status = PayrollExportDocument['status'];

const mediaTypes: Readonly<Record<Format, string>> = {
  csv: 'text/csv',
  datev_lodas: 'text/plain',
  datev_lug: 'text/plain',
};

export const importPayrollDocument = defineCommand({
  name: 'import payroll-document',
  summary: 'Publish the outcome of a payroll export: its file, or that there is none',
  arguments: [{ name: '[file]', description: 'The generated file; left out when none was produced' }],
  options: [
    { flags: '--tenant <id>', description: 'The tenant that it is for', required: true, parse: parseId },
    {
      flags: '--period <period>',
      description: 'Payroll period, YYYY-MM',
      required: true,
      parse: parsePeriod,
    },
    {
      flags: '--format <format>',
      description: `One of ${payrollFormats.join(', ')}`,
      required: true,
      parse: oneOf(payrollFormats),
    },
    { flags: '--division <id>', description: 'The division that it is for; else all', parse: parseId },
    {
      flags: '--status <status>',
      description: `One of ${payrollStatuses.join(', ')} (default available, which takes a file; failed takes none)`,
      parse: oneOf(payrollStatuses),
    },
    { flags: '--row-count <number>', description: 'Rows in the file (default 0)', parse: parseCount },
    { flags: '--skipped-count <number>', description: 'Rows left out (default 0)', parse: parseCount },
  ],
  settings: [...databaseSettings, 'filesUrl', 'fileTimeout'],
  async run(context, { arguments: [argument], options }) {
    const tenant = options.tenant as string;
    const divisionId = (options.division as string | undefined) ?? null;
    const status = (options.status as Status | undefined) ?? 'available';
    const format = options.format as Format;
    const file = await readPayrollFile(argument as string | undefined, status);
    const { writes: db } = await context.openDatabase();
    const organizationId = await organizationOfTenant(db, tenant);
    if (organizationId === null) throw new CommandError(`there is no tenant ${tenant}`);
    if (divisionId !== null)
      if ((await divisionsAmong(db, organizationId, [divisionId])).get(divisionId) !== tenant)
        throw new CommandError(`there is no division ${divisionId} in the tenant`);
    const { store, close } = await openFiles(context.config, db);
    try {
      const data = {
        tenant,
        divisionId,
        period: options.period as string,
        format,
        status,
        fileName: file && file.name,
        mediaType: file && mediaTypes[format],
        size: file && file.bytes.length,
        sha256: file && createHash('sha256').update(file.bytes).digest('hex'),
        rowCount: (options.rowCount as number | undefined) ?? 0,
        skippedCount: (options.skippedCount as number | undefined) ?? 0,
      };
      const { id } = await insertPayrollDocument({ db, store }, organizationId, data, file && file.bytes);
      return { json: { id }, text: `Published payroll export document ${id}` };
    } finally {
      close();
    }
  },
});

async function readPayrollFile(
  file: string | undefined,
  status: Status,
): Promise<{ name: string; bytes: Buffer } | null> {
  if (file === undefined) {
    if (status === 'available') throw new CommandError('an available document needs its file');
    return null;
  }
  if (status === 'failed') throw new CommandError('a failed export has no file: leave it out');
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new CommandError(`there is no file ${file}`);
  if (found.size > sizeMaximum) throw new CommandError(`${file} is larger than 256 MiB`);
  return { name: cleanFileName(path.basename(file)), bytes: await readFile(file) };
}

function parsePeriod(text: string): string {
  if (!/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(text)) throw new CommandError('expected a month, YYYY-MM');
  return text;
}

function parseCount(text: string): number {
  if (!/^[0-9]{1,12}$/.test(text)) throw new CommandError('expected a whole number');
  return Number(text);
}

function oneOf(values: readonly string[]): (text: string) => string {
  return text => {
    if (!values.includes(text)) throw new CommandError(`expected one of ${values.join(', ')}`);
    return text;
  };
}
