import path from 'node:path';
import { openFiles } from '../../files/open.ts';
import { exportPerson, type PersonExport } from '../../privacy/export.ts';
import { operator } from '../../write/writes.ts';
import {
  type CommandContext,
  CommandError,
  type CommandResult,
  databaseSettings,
  defineCommand,
  parseId,
} from '../command.ts';
import { type Progress, showProgress } from '../progress.ts';
import { isThere, writeWhole } from '../whole-file.ts';
import { organizationOf } from './employee.ts';

/** The exit code when a file of the person is not there or not as it was stored. */
const damagedCode = 2;

export const employeeExport = defineCommand({
  name: 'employee export',
  summary: 'Write all that is stored about a person into a ZIP, with a page that says what it is',
  arguments: [{ name: '<id>', description: 'The employee', parse: parseId }],
  options: [{ flags: '--file <file>', description: 'Where it goes (default employee-<id>.zip)' }],
  settings: [...databaseSettings, 'filesUrl', 'fileTimeout'],
  async run(context, { arguments: [argument], options }) {
    const employeeId = argument as string;
    const file = path.resolve((options.file as string | undefined) ?? `employee-${employeeId}.zip`);
    if (await isThere(file)) throw new CommandError(`${file} is there already: name another one with --file`);
    const { writes: db } = await context.openDatabase();
    const organizationId = await organizationOf(db, employeeId);
    const files = await openFiles(context.config, db);
    let progress: Progress | undefined;
    try {
      const advance = (bytes: number) => progress?.advance(bytes);
      const how = { author: operator, now: new Date(), advance, unhurried: true };
      const whose = { organizationId, employeeId };
      const made = await exportPerson({ reads: db, writes: db, files }, whose, how);
      progress = watch(context, made);
      await writeWhole(file, made.zip);
      return told(made, file);
    } finally {
      progress?.close();
      files.close();
    }
  },
});

function watch(context: CommandContext, { fileBytes }: PersonExport): Progress {
  return showProgress(context, { step: 'Exporting', total: fileBytes, unit: 'MB' });
}

function told({ rows, files }: PersonExport, file: string): CommandResult {
  const damaged = files.filter(({ problem }) => problem !== null);
  const counts = {
    orders: rows.orders.length,
    incidents: rows.incidents.length,
    files: files.length,
    auditEntries: rows.audit.length,
  };
  const problems = damaged.map(({ id, problem }) => `file ${id}: ${problem}`);
  const advice = 'It has personal data: hand it over safely, and delete it then.';
  return {
    json: { file, ...counts, damaged: damaged.map(({ id, problem }) => ({ id, problem })) },
    text: [
      `Exported to ${file}: ${counts.orders} orders, ${counts.incidents} incidents, ${counts.files} files`,
      ...problems,
      advice,
    ].join('\n'),
    exitCode: damaged.length > 0 ? damagedCode : 0,
  };
}
