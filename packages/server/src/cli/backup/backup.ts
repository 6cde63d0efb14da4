import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { type Database, openDatabase } from '../../db/connect.ts';
import { type Dump, dump } from './dump.ts';
import { checkFiles, load } from './load.ts';
import { openPepper } from '../../features/keys/pepper.ts';
import { argument, CommandError, defineCommand, type CommandDefinition } from '../program/command.ts';
import { exists } from '../program/files.ts';
import { showProgress } from '../program/progress.ts';

/** The file `backup.json` of a backup. */
interface Manifest extends Dump {
  readonly format: 1;
  readonly createdAt: string;
  readonly version: string;
}

const settings = ['databaseUrl', 'dataDirectory', 'pepper', 'logLevel'] as const;

/** Rejects a configured server: a backup of the embedded database would be taken for one of it. @throws CommandError */
function checkEmbedded({ databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  if (databaseUrl !== null)
    throw new CommandError(
      'DATABASE_URL is set, and this is for the embedded database: use the tools of PostgreSQL for a server, such as pg_dump (docs/backup.md)',
    );
}

/** Opens the embedded database, and the pepper that belongs to it. */
const openEmbedded = ({ dataDirectory }: Pick<Config, 'dataDirectory'>) =>
  openDatabase({ dataDirectory, owner: 'command', poolSize: 2 });
const openItsPepper = ({ reads }: Database, { pepper: secret, dataDirectory }: PepperConfig) =>
  openPepper(reads, { secret, dataDirectory });
type PepperConfig = Pick<Config, 'pepper' | 'dataDirectory'>;

const backup = defineCommand({
  name: 'backup',
  summary:
    'Write a backup of the embedded database and its pepper into a new folder; the service can run meanwhile',
  example: 'backup backups/2026-11-24',
  input: { place: argument('<folder>', 'The target folder; it must not exist') },
  settings,
  rejectedSettings: ['databaseUrl'],
  async run(context, { place }) {
    const { config, version } = context;
    checkEmbedded(config);
    const folder = path.resolve(place);
    if (await exists(folder)) throw new CommandError(`${folder} exists already: name a new folder`);
    if (!(await exists(path.join(config.dataDirectory, 'postgres'))))
      throw new CommandError(`there is no embedded database in ${config.dataDirectory}`);
    // Only a whole backup has its name.
    const draft = `${folder}.partial`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const database = await openEmbedded(config);
    try {
      using progress = showProgress(context);
      const pepper = await openItsPepper(database, config);
      const dumped = await dump(database, draft, progress);
      if (config.pepper === null)
        await writeFile(path.join(draft, 'pepper'), pepper, { mode: 0o600, flush: true });
      const manifest: Manifest = { format: 1, createdAt: new Date().toISOString(), version, ...dumped };
      const text = JSON.stringify(manifest, null, 2);
      await writeFile(path.join(draft, 'backup.json'), `${text}\n`, { mode: 0o600, flush: true });
      await rename(draft, folder);
      await sync(path.dirname(folder));
      return backupResult(folder, manifest, config.pepper === null);
    } finally {
      await database.close();
    }
  },
});

/** Writes a folder to the disk: only then the names in it last. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const rowsOf = ({ tables }: Manifest) => tables.reduce((sum, table) => sum + table.rows, 0);

function backupResult(folder: string, manifest: Manifest, withPepper: boolean) {
  const rows = rowsOf(manifest);
  const secret = withPepper
    ? 'It contains the pepper, so it gives access to all data: keep it secret.'
    : 'The pepper is not in it: keep KONTOR_KEY_PEPPER as well, or all API keys are lost.';
  return {
    json: { folder, rows, pepper: withPepper },
    text: `Backed up ${rows} rows to ${folder}\n${secret}`,
  };
}

const restore = defineCommand({
  name: 'restore',
  summary: 'Restore a backup with its pepper into a new data folder',
  example: 'restore backups/2026-11-24 --data-dir data',
  input: { place: argument('<folder>', 'The folder of the backup') },
  settings,
  rejectedSettings: ['databaseUrl'],
  async run(context, { place }) {
    const { config, signal } = context;
    checkEmbedded(config);
    const folder = path.resolve(place);
    const manifest = await readManifest(folder);
    const kept = await readFile(path.join(folder, 'pepper')).catch(() => null);
    const file = path.join(config.dataDirectory, 'pepper');
    if (kept === null && config.pepper === null)
      throw new CommandError('the backup has no pepper: set KONTOR_KEY_PEPPER to the one of its API keys');
    if (await exists(file)) throw new CommandError(`${file} exists already: restore into a new data folder`);
    using progress = showProgress(context);
    await checkFiles(folder, manifest, progress);
    const database = await openEmbedded(config);
    try {
      await load(database, folder, manifest, { signal, progress });
      if (kept !== null) await writeFile(file, kept, { mode: 0o600, flag: 'wx', flush: true });
      await openItsPepper(database, config);
    } finally {
      await database.close();
    }
    const rows = rowsOf(manifest);
    return {
      json: { rows, createdAt: manifest.createdAt },
      text: `Restored ${rows} rows of ${manifest.createdAt} into ${config.dataDirectory}`,
    };
  },
});

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, 'backup.json'), 'utf8').catch(() => null);
  if (text === null) throw new CommandError(`${folder} is not a backup: it has no backup.json`);
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new CommandError(`${folder} is a backup of a newer version of Kontor`);
  return manifest;
}

export const commands: readonly CommandDefinition[] = [backup, restore];
