import { type ConfiguredFiles, openFiles } from '../../files/open.ts';
import { erasabilityOf, type Erasability, type Erased, erasePerson } from '../../privacy/erase.ts';
import { operator } from '../../write/writes.ts';
import { type CommandResult, databaseSettings, defineCommand, parseId } from '../command.ts';
import { organizationOf } from './employee.ts';

export const employeeErase = defineCommand({
  name: 'employee erase',
  summary: 'Erase the data of a person for good, unless an order or a retention keeps them',
  arguments: [{ name: '<id>', description: 'The employee', parse: parseId }],
  options: [{ flags: '--dry-run', description: 'Only say whether it is possible, and from when' }],
  settings: [...databaseSettings, 'filesUrl', 'fileTimeout'],
  async run(context, { arguments: [argument], options }) {
    const employeeId = argument as string;
    const { writes: db } = await context.openDatabase();
    const whose = { organizationId: await organizationOf(db, employeeId), employeeId };
    if (options.dryRun === true)
      return foretold(await erasabilityOf(db, whose, new Date().toISOString().slice(0, 10)), employeeId);
    const files = await openFiles(context.config, db);
    try {
      const erased = await erasePerson({ db, store: files.store }, whose, operator);
      return told(employeeId, erased, await swept(files));
    } finally {
      files.close();
    }
  },
});

/** Removes files of a store outside of the database now. Where that fails the service does so, within minutes. */
function swept(files: ConfiguredFiles): Promise<boolean> {
  return files.sweep().then(
    () => true,
    () => false,
  );
}

function foretold(
  { holds, from, erasedAt: _erasedAt, ...counts }: Erasability,
  employeeId: string,
): CommandResult {
  const possible = holds.length === 0;
  const goes = `${counts.orders} orders, ${counts.incidents} incidents and ${counts.files} files`;
  const head = possible
    ? `Employee ${employeeId} can be erased, with texts and files of ${goes}`
    : `Employee ${employeeId} cannot be erased now; ${from === null ? 'from when is not known yet' : `possible from ${from}`}`;
  return {
    json: { id: employeeId, possible, from, holds, ...counts },
    text: [head, ...holds.map(({ reason }) => `- ${reason}`)].join('\n'),
  };
}

function told(id: string, { orders, incidents, files }: Erased, removed: boolean): CommandResult {
  const text = [
    `Erased employee ${id}, texts of ${orders} orders and ${incidents} incidents, and ${files} files`,
    ...(removed ? [] : ['The file store does not answer: the service removes the files once it does']),
    'Backups still have the data: erase again whenever one of before is restored.',
  ];
  return { json: { id, orders, incidents, files, filesRemoved: removed }, text: text.join('\n') };
}
