import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { type Database, openDatabase } from '../../db/connect.ts';
import { type Dump, dump } from './dump.ts';
import { checkFiles, load } from './load.ts';
import { openPepper } from '../../features/keys/pepper.ts';
import { CommandError, defineCommand } from '../command.ts';
import { showStages } from '../progress.ts';

/** What the folder of a backup says of itself. */
interface Manifest extends Dump {
  readonly format: 1;
  readonly createdAt: string;
  readonly version: string;
}

const settings = ['databaseUrl', 'dataDirectory', 'pepper', 'logLevel'] as const;

/** Whoever has a server must not take a backup of the embedded database for one of it. @throws CommandError. */
function checkEmbedded({ databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  if (databaseUrl !== null)
    throw new CommandError(
      'DATABASE_URL is set, and this is for the embedded database: use the tools of PostgreSQL for a server, such as pg_dump (docs/backup.md)',
    );
}

const exists = (place: string) =>
  stat(place).then(
    () => true,
    () => false,
  );

export const backup = defineCommand({
  name: 'backup',
  summary:
    'Write a backup of the embedded database and its pepper into a new folder; the service may run meanwhile',
  arguments: [{ name: '<folder>', description: 'Where it goes; it must not be there yet' }],
  settings,
  async run(context, { arguments: [argument] }) {
    const { config, version } = context;
    checkEmbedded(config);
    const folder = path.resolve(argument as string);
    if (await exists(folder)) throw new CommandError(`${folder} is there already: name a new folder`);
    if (!(await exists(path.join(config.dataDirectory, 'postgres'))))
      throw new CommandError(`there is no embedded database in ${config.dataDirectory}`);
    // Only a whole backup has its name.
    const draft = `${folder}.partial`;
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const database = await openDatabase({
      dataDirectory: config.dataDirectory,
      owner: 'command',
      poolSize: 2,
    });
    const progress = showStages(context);
    try {
      const pepper = await openPepper(database.reads, {
        secret: config.pepper,
        dataDirectory: config.dataDirectory,
      });
      const dumped = await dump(database, draft, progress);
      if (config.pepper === null)
        await writeFile(path.join(draft, 'pepper'), pepper, { mode: 0o600, flush: true });
      const manifest: Manifest = { format: 1, createdAt: new Date().toISOString(), version, ...dumped };
      const text = JSON.stringify(manifest, null, 2);
      await writeFile(path.join(draft, 'backup.json'), `${text}\n`, { mode: 0o600, flush: true });
      await rename(draft, folder);
      await sync(path.dirname(folder));
      return told(folder, manifest, config.pepper === null);
    } finally {
      progress.close();
      await database.close();
    }
  },
});

/** A name in a folder lasts once the folder itself is on the disk. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function told(folder: string, { tables }: Manifest, withPepper: boolean) {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const secret = withPepper
    ? 'The pepper is in it: whoever has the backup can read everything, so keep it like a secret.'
    : 'The pepper is not in it: keep KONTOR_KEY_PEPPER as well, or all API keys are lost.';
  return {
    json: { folder, rows, pepper: withPepper },
    text: `Backed up ${rows} rows to ${folder}\n${secret}`,
  };
}

export const restore = defineCommand({
  name: 'restore',
  summary: 'Bring a backup into the embedded database of a new data folder, with its pepper',
  arguments: [{ name: '<folder>', description: 'The folder of the backup' }],
  settings,
  async run(context, { arguments: [argument] }) {
    const { config, signal } = context;
    checkEmbedded(config);
    const folder = path.resolve(argument as string);
    const manifest = await readManifest(folder);
    const kept = await readFile(path.join(folder, 'pepper')).catch(() => null);
    const file = path.join(config.dataDirectory, 'pepper');
    if (kept === null && config.pepper === null)
      throw new CommandError('the backup has no pepper: set KONTOR_KEY_PEPPER to the one of its API keys');
    if (await exists(file))
      throw new CommandError(`${file} is there already: restore into a new data folder`);
    const progress = showStages(context);
    let database: Database | undefined;
    try {
      await checkFiles(folder, manifest, progress);
      database = await openDatabase({ dataDirectory: config.dataDirectory, owner: 'command', poolSize: 2 });
      await load(database, folder, manifest, { signal, progress });
      if (kept !== null) await writeFile(file, kept, { mode: 0o600, flag: 'wx', flush: true });
      await openPepper(database.reads, { secret: config.pepper, dataDirectory: config.dataDirectory });
    } finally {
      progress.close();
      await database?.close();
    }
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      json: { rows, createdAt: manifest.createdAt },
      text: `Restored ${rows} rows of ${manifest.createdAt} into ${config.dataDirectory}`,
    };
  },
});

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, 'backup.json'), 'utf8').catch(() => null);
  if (text === null) throw new CommandError(`${folder} is no backup: it has no backup.json`);
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new CommandError(`${folder} is a backup of a newer version of Kontor`);
  return manifest;
}
