import path from 'node:path';
import { closeOrganization, openOrganization } from '../../features/organizations/closing.ts';
import { deleteOrganization } from '../../features/organizations/deletion.ts';
import { openFiles } from '../../files/open.ts';
import { makeDraftFolder } from '../../lib/draft-file.ts';
import {
  argument,
  CommandError,
  type CommandResult,
  type DatabaseContext,
  defineDatabaseCommand,
  fileSettings,
  flag,
  option,
  requiredOption,
} from '../program/command.ts';
import { confirm, yesOption } from '../program/confirm.ts';
import { exists } from '../program/files.ts';
import { count } from '../program/output.ts';
import { showProgress } from '../program/progress.ts';
import { parseDuration, parseId } from '../program/values.ts';
import { exportOrganization, verifyExport } from './export.ts';
import { findOrganization, type ListedOrganization } from './store.ts';

const idArgument = argument('<id>', 'The organization', parseId);

export const organizationExport = defineDatabaseCommand({
  summary: 'Export all rows and files of an organization into a new folder, with the SHA-256 of each file',
  example: 'organization export 64b7e3f0a1c2d3e4f5a6b7c8 --to exports/muster',
  input: { id: idArgument, to: requiredOption('--to <folder>', 'The target folder; it must not exist') },
  settings: fileSettings,
  async check({ to }) {
    const folder = path.resolve(to);
    if (await exists(folder)) throw new CommandError(`${folder} exists already: name a new folder`);
    return folder;
  },
  async run(context, { id }, folder) {
    const { db, config, version } = context;
    const { name } = await findOrganization(db, id);
    using files = await openFiles(config, db);
    await using draft = await makeDraftFolder(folder);
    using progress = showProgress(context);
    const manifest = await exportOrganization({ db, files, progress, version }, { id, name }, draft.file);
    await draft.publish();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const { clock } = manifest;
    return {
      json: { folder, rows, files: manifest.files.length, clock },
      text: [
        `Exported ${count(rows, 'row')} and ${count(manifest.files.length, 'file')} of ${name} to ${folder}`,
        'It has personal data: encrypt it, and hand it over safely.',
      ].join('\n'),
    };
  },
});

/** Milliseconds. Within the shortest period each process writes what it has buffered about the organization. */
const grace = { default: 30 * 86_400_000, min: 3_600_000 };

function parseGrace(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds < grace.min) throw new CommandError('expected at least 1h');
  return milliseconds;
}

export const organizationDelete = defineDatabaseCommand({
  summary: 'Close an organization for a grace period, and delete it after that with --now',
  example: 'organization delete 64b7e3f0a1c2d3e4f5a6b7c8 --export exports/muster --grace 30d',
  input: {
    id: idArgument,
    export: option(
      '--export <folder>',
      'Its export, which is verified first and must be of its latest change',
    ),
    withoutExport: flag('--without-export', 'Its data are not needed, or kept elsewhere'),
    grace: option(
      '--grace <time>',
      'How long it can be restored: 7d, 24h; at least 1h; absent: 30d',
      parseGrace,
    ),
    now: flag('--now', 'Delete all rows and files of a closed organization after its grace period'),
    yes: yesOption,
  },
  settings: fileSettings,
  check({ export: folder, withoutExport, grace: period, now }) {
    const choices = [folder !== undefined, withoutExport, now].filter(Boolean).length;
    if (choices !== 1) throw new CommandError('name one of --export <folder>, --without-export and --now');
    if (now && period !== undefined) throw new CommandError('--grace is for closing, not for --now');
  },
  async run(context, input): Promise<CommandResult> {
    const organization = await findOrganization(context.db, input.id);
    return input.now ? deleteNow(context, organization, input) : close(context, organization, input);
  },
});

interface CloseInput {
  readonly export: string | undefined;
  readonly grace: number | undefined;
  readonly yes: boolean;
}

async function close(
  context: DatabaseContext,
  { id, name, employees, closedAt: closedBefore }: ListedOrganization,
  { export: folder, grace: period = grace.default, yes }: CloseInput,
): Promise<CommandResult> {
  const { db } = context;
  if (closedBefore !== null)
    throw new CommandError(`organization ${id} is closed already: restore it, or delete it with --now`);
  const exported = folder === undefined ? null : await checkExport(context, path.resolve(folder), id);
  await confirm(context, yes, {
    action: 'closing an organization',
    question: `Close ${name} with ${count(employees, 'employee')}${exported ? '' : ', WITHOUT AN EXPORT'}? Its keys and users lose access at once.`,
    name,
  });
  const { closedAt, deletableFrom } = await closeOrganization(db, id, {
    grace: period,
    exportedClock: exported && new Date(exported.clock),
  });
  const until = deletableFrom.toISOString();
  return {
    json: { id, closedAt: closedAt.toISOString(), deletableFrom: until },
    text: [
      `Closed ${name}. It can be restored until its deletion: kontor organization restore ${id}`,
      `From ${until} on: kontor organization delete ${id} --now`,
    ].join('\n'),
  };
}

async function checkExport(context: DatabaseContext, folder: string, id: string) {
  using progress = showProgress(context);
  return await verifyExport(folder, id, progress);
}

async function deleteNow(
  context: DatabaseContext<(typeof fileSettings)[number]>,
  { id, name, employees }: ListedOrganization,
  { yes }: { yes: boolean },
): Promise<CommandResult> {
  const { db, config } = context;
  await confirm(context, yes, {
    action: 'the deletion of an organization',
    question: `Delete ${name} with ${count(employees, 'employee')}, all other rows and all files? Only a backup has them then.`,
    name,
  });
  using files = await openFiles(config, db);
  using progress = showProgress(context);
  const { rows, files: fileCount } = await deleteOrganization(
    {
      db,
      database: await context.openDatabase(),
      files: files.store,
      begin: total => progress.begin(`Deleting ${name}`, total),
      advance: progress.advance,
    },
    id,
  );
  const sum = Object.values(rows).reduce((total, n) => total + n, 0);
  return {
    json: { id, rows, files: fileCount },
    text: `Deleted ${name}: ${count(sum, 'row')} and ${count(fileCount, 'file')} outside of the database`,
  };
}

export const organizationRestore = defineDatabaseCommand({
  summary: 'Open a closed organization again, with all that it had',
  example: 'organization restore 64b7e3f0a1c2d3e4f5a6b7c8',
  input: { id: idArgument },
  async run({ db }, { id }) {
    const { name } = await findOrganization(db, id);
    await openOrganization(db, id);
    return {
      json: { id },
      text: `${name} is open again: keys, users, jobs and mails work as before the closing`,
    };
  },
});
