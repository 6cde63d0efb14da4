import { join } from 'node:path';
import { payrollFormats } from '@kontor/contract';
import { oneOf } from '../../config.ts';
import { renderCopy } from '../../features/payroll/files/copies.ts';
import { recordDownload } from '../../features/payroll/files/downloads.ts';
import { renderRecipe } from '../../features/payroll/files/recipe.ts';
import { checkReversed } from '../../features/payroll/reversals.ts';
import { findOrganizationOfTenant } from '../organization/store.ts';
import {
  CommandError,
  defineDatabaseCommand,
  fileSettings,
  flag,
  option,
  requiredOption,
} from '../program/command.ts';
import { checkCanConfirm, yesOption } from '../program/confirm.ts';
import { parseId, parsePeriod, tenantOption } from '../program/values.ts';
import { writeWhole } from '../../lib/draft-file.ts';
import { operator } from '../../write/writes.ts';
import { checkIsNew } from '../program/files.ts';
import { computeRun, formatsOption, runArgument } from './run.ts';
import { findRunKey } from './work.ts';

export const payrollReverse = defineDatabaseCommand({
  summary:
    'Book released amounts anew that had a wrong personnel, adviser or client number, wage type or cost centre',
  example:
    'payroll reverse --tenant 64b7e3f0a1c2d3e4f5a6b7c8 --period 2026-11 --format datev_lodas --run 64b7e3f0a1c2d3e4f5a6b7c9',
  input: {
    tenant: tenantOption,
    period: requiredOption('--period <period>', 'The month of the files, YYYY-MM', parsePeriod),
    formats: formatsOption,
    runId: option('--run <id>', 'All amounts of this released run', parseId),
    employeeId: option('--employee <id>', 'The amounts of this employee, with --from and --to', parseId),
    firstMonth: option('--from <month>', 'The first month of the employee, YYYY-MM', parsePeriod),
    lastMonth: option('--to <month>', 'The last month of the employee, YYYY-MM', parsePeriod),
    release: flag('--release', 'Release the draft, unless its report contains errors'),
    yes: yesOption,
  },
  settings: fileSettings,
  check({ runId, employeeId, firstMonth, lastMonth }) {
    const isOfRun = [employeeId, firstMonth, lastMonth].every(part => part === undefined);
    if (runId === undefined ? employeeId === undefined : !isOfRun)
      throw new CommandError('give either --run, or --employee with --from and --to');
  },
  async run(context, input) {
    const { tenant, period, formats, release, yes } = input;
    const { runId = null, employeeId = null, firstMonth = null, lastMonth = null } = input;
    const wanted = { period, formats, runId, employeeId, firstMonth, lastMonth };
    if (release) checkCanConfirm(context, yes, 'a release');
    const organizationId = await findOrganizationOfTenant(context.db, tenant);
    const place = { organizationId, tenantId: tenant };
    const reverses = await checkReversed(context.db, place, wanted);
    return await computeRun(context, { ...place, request: { period, formats, reverses }, release, yes });
  },
});

export const payrollCopy = defineDatabaseCommand({
  summary: 'Write copies of the files of a released run, in the same or another format',
  example: 'payroll copy 64b7e3f0a1c2d3e4f5a6b7c8 --format datev_lodas',
  input: {
    id: runArgument,
    format: requiredOption('--format <format>', `One of ${payrollFormats.join(', ')}`, oneOf(payrollFormats)),
    folder: option('--folder <folder>', 'Where to (default: the present folder)', text => text),
  },
  async run({ db }, { id, format, folder = '.' }) {
    const key = await findRunKey(db, id);
    const files: string[] = [];
    for (let number = 1; ; number++) {
      const copy = await renderCopy(db, key, { format, number });
      if (copy === null) break;
      const file = join(folder, copy.fileName);
      await checkIsNew(file);
      await writeWhole(file, copy.bytes);
      await recordDownload(db, key, operator.actor);
      files.push(file);
    }
    const text =
      files.length === 0 ? 'The run has no amounts' : files.map(file => `Wrote ${file}`).join('\n');
    return { json: { files }, text };
  },
});

export const payrollRecipe = defineDatabaseCommand({
  summary: 'Print what the payroll program must have before it imports the files of a released run',
  example: 'payroll recipe 64b7e3f0a1c2d3e4f5a6b7c8 --format datev_lodas --language de',
  input: {
    id: runArgument,
    format: requiredOption('--format <format>', `One of ${payrollFormats.join(', ')}`, oneOf(payrollFormats)),
    language: option('--language <language>', 'en or de (default: en)', oneOf(['en', 'de'] as const)),
  },
  async run({ db }, { id, format, language = 'en' }) {
    const { bytes } = await renderRecipe(db, await findRunKey(db, id), { format, language });
    const text = bytes
      .toString()
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n')
      .trimEnd();
    return { json: { text }, text };
  },
});
