import { type AuditEntry, auditEntryFields } from '@kontor/contract';
import { checkList, type ListParameters } from '../../query/check.ts';
import { pageOfRows, slicesOfRows } from '../../query/rows.ts';
import type { Pool } from '../../db/connect.ts';
import type { Fragment } from '../../db/sql.ts';
import { auditFile, type AuditFormat } from '../../features/audit/export.ts';
import { auditList, auditRows } from '../../features/audit/entries.ts';
import { CommandError, type CommandOption, databaseSettings, defineCommand } from '../command.ts';
import { foundText, type Page, wholeNumber } from '../pages.ts';
import { isThere, writeWhole } from '../whole-file.ts';
import { minute, table } from '../table.ts';
import { placeOf, placeOptions } from './place.ts';

const filterOption: CommandOption = {
  flags: '--filter <filter>',
  description: 'An expression as the API takes it, e.g. "outcome = refused"',
};

const reader =
  (db: Pool) =>
  <Row extends object>(statement: Fragment): Promise<Row[]> =>
    db.rows<Row>(statement);

export const auditListCommand = defineCommand({
  name: 'audit list',
  summary: 'List who did what, the latest first, with the filter and sort of the API',
  options: [
    ...placeOptions,
    filterOption,
    {
      flags: '--sort <field>',
      description: 'One field, with - before it for descending (default -createdAt)',
    },
    { flags: '--page <number>', description: 'Which page (default 1)', parse: wholeNumber(1_000_000) },
    { flags: '--page-size <number>', description: 'Rows of a page (default 20)', parse: wholeNumber(1000) },
  ],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizationId = await placeOf(db, options);
    const { filter, sort = '-createdAt', page, pageSize = 20 } = options as ListParameters;
    const given = Object.entries({ filter, sort, page, pageSize }).filter(([, value]) => value !== undefined);
    const list = checkList(Object.fromEntries(given), auditEntryFields);
    const body = JSON.parse(
      await pageOfRows(auditList, auditRows(organizationId), list, reader(db)),
    ) as Page<AuditEntry>;
    const found = foundText(body, body.totalElements === 1 ? 'entry' : 'entries');
    const text = body.items.length === 0 ? found : `${table(columns, body.items.map(rowOf))}\n${found}`;
    return { json: { ...body }, text };
  },
});

const columns = ['at', 'who', 'action', 'target', 'fields', 'outcome', 'count', 'address'];

function rowOf(entry: AuditEntry): (string | number)[] {
  const { createdAt, actorName, action, targetId, fields, outcome, reason, count, address } = entry;
  const ended = reason === null ? outcome : `${outcome}: ${reason}`;
  return [minute(createdAt), actorName, action, targetId, fields.join(' '), ended, count, address ?? ''];
}

export const auditExportCommand = defineCommand({
  name: 'audit export',
  summary: 'Write entries of the audit into a file, as many as there are',
  options: [
    ...placeOptions,
    filterOption,
    { flags: '--format <format>', description: 'jsonl or csv (default jsonl)', parse: parseFormat },
    { flags: '--file <file>', description: 'Where it goes (default audit-<organization>.<format>)' },
  ],
  settings: databaseSettings,
  async run(context, { options }) {
    const { writes: db } = await context.openDatabase();
    const organizationId = await placeOf(db, options);
    const format = (options.format as AuditFormat | undefined) ?? 'jsonl';
    const file = (options.file as string | undefined) ?? `audit-${organizationId || 'platform'}.${format}`;
    if (await isThere(file)) throw new CommandError(`${file} is there already: name another one with --file`);
    let entries = 0;
    const { filter } = options as ListParameters;
    const list = checkList(filter === undefined ? {} : { filter }, auditEntryFields);
    const slices = counted(slicesOfRows(auditList, auditRows(organizationId), list, reader(db)));
    await writeWhole(file, await auditFile(slices, format));
    return { json: { file, entries }, text: `Exported ${entries} entries to ${file}` };

    async function* counted(source: AsyncGenerator<AuditEntry[]>): AsyncGenerator<AuditEntry[]> {
      for await (const slice of source) {
        entries += slice.length;
        yield slice;
      }
    }
  },
});

function parseFormat(text: string): AuditFormat {
  if (text !== 'jsonl' && text !== 'csv') throw new CommandError('expected jsonl or csv');
  return text;
}
