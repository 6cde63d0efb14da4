import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { Config } from '../../config.ts';
import { type Dump, dump } from './dump.ts';
import { checkFiles, load } from './load.ts';
import { makeDraftFolder, writeWhole } from '../../lib/draft-file.ts';
import { findPepperedKeys, givenPeppers, previousPepperFile } from '../../features/keys/pepper.ts';
import { configuredPepper, pepperSettings } from '../access/key.ts';
import { argument, CommandError, defineCommand } from '../program/command.ts';
import { exists } from '../program/files.ts';
import { showProgress } from '../program/progress.ts';

/** The file `backup.json` of a backup. */
interface Manifest extends Dump {
  readonly format: 1;
  /** The fingerprints of the peppers that its keys need; absent in backups of earlier releases. */
  readonly peppers?: readonly string[];
  readonly createdAt: string;
  readonly version: string;
}

const settings = ['databaseUrl', 'dataDirectory', ...pepperSettings, 'logLevel'] as const;

/** Rejects a configured server: a backup of the embedded database would be taken for one of it. @throws CommandError */
function checkEmbedded({ databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  if (databaseUrl !== null)
    throw new CommandError(
      'DATABASE_URL is set, and this is for the embedded database: use the tools of PostgreSQL for a server, such as pg_dump (docs/backup.md)',
    );
}

export const backup = defineCommand({
  summary:
    'Write a backup of the embedded database and its pepper into a new folder; the service can keep running',
  example: 'backup backups/2026-11-24',
  input: { place: argument('<folder>', 'The target folder; it must not exist') },
  settings,
  rejectedSettings: ['databaseUrl'],
  async run(context, { place }) {
    const { config, version } = context;
    checkEmbedded(config);
    const folder = path.resolve(place);
    if (await exists(folder)) throw new CommandError(`${folder} exists already: name a new folder`);
    const database = await context.openWithoutMigration({ mustExist: true });
    // Only a whole backup has its name.
    await using draft = await makeDraftFolder(folder);
    using progress = showProgress(context);
    const pepper = await configuredPepper(database.writes, config);
    const dumped = await dump(database, draft.file, progress);
    if (config.pepper === null) {
      await writeWhole(path.join(draft.file, 'pepper'), pepper);
      if (pepper.previous) await writeWhole(path.join(draft.file, previousPepperFile), pepper.previous);
    }
    const peppers = [...new Set((await findPepperedKeys(database.writes)).map(key => key.pepper))];
    const manifest: Manifest = {
      format: 1,
      createdAt: new Date().toISOString(),
      version,
      peppers,
      ...dumped,
    };
    const text = JSON.stringify(manifest, null, 2);
    await writeWhole(path.join(draft.file, 'backup.json'), `${text}\n`);
    await draft.publish();
    return backupResult(folder, manifest, config.pepper === null, peppers.length);
  },
});

const rowsOf = ({ tables }: Manifest) => tables.reduce((sum, table) => sum + table.rows, 0);

function backupResult(folder: string, manifest: Manifest, withPepper: boolean, peppers: number) {
  const rows = rowsOf(manifest);
  const secret = withPepper
    ? 'It contains the pepper, so it gives access to all data: keep it secret.'
    : `The pepper is not in it: keep KONTOR_KEY_PEPPER${peppers > 1 ? ' and KONTOR_KEY_PEPPER_PREVIOUS' : ''} as well, or all API keys are lost.`;
  return {
    json: { folder, rows, pepper: withPepper },
    text: `Backed up ${rows} rows to ${folder}\n${secret}`,
  };
}

export const restore = defineCommand({
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
    const keptPrevious = await readFile(path.join(folder, previousPepperFile)).catch(() => null);
    const file = path.join(config.dataDirectory, 'pepper');
    if (kept === null && config.pepper === null)
      throw new CommandError('the backup has no pepper: set KONTOR_KEY_PEPPER to the one of its API keys');
    if (await exists(file)) throw new CommandError(`${file} exists already: restore into a new data folder`);
    using progress = showProgress(context);
    await checkFiles(folder, manifest, progress);
    const database = await context.openWithoutMigration({ mustExist: false });
    await load(database, folder, manifest, { signal, progress });
    if (kept !== null) await writeWhole(file, kept);
    if (keptPrevious !== null)
      await writeWhole(path.join(config.dataDirectory, previousPepperFile), keptPrevious);
    const given = givenPeppers(await configuredPepper(database.writes, config));
    const missingPeppers = (manifest.peppers ?? []).filter(fingerprint => !given.has(fingerprint));
    const rows = rowsOf(manifest);
    const restored = `Restored ${rows} rows of ${manifest.createdAt} into ${config.dataDirectory}`;
    return {
      json: { rows, createdAt: manifest.createdAt, missingPeppers },
      text: missingPeppers.length === 0 ? restored : `${restored}\n${missingText(missingPeppers)}`,
    };
  },
});

function missingText(fingerprints: readonly string[]): string {
  return `Some API keys need a pepper that is not given: set KONTOR_KEY_PEPPER_PREVIOUS to the one with the fingerprint ${fingerprints.join(' or ')}`;
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, 'backup.json'), 'utf8').catch(() => null);
  if (text === null) throw new CommandError(`${folder} is not a backup: it has no backup.json`);
  const damaged = new CommandError(`backup.json of ${folder} is damaged: use another backup`);
  const manifest = parseJson(text);
  if (typeof manifest !== 'object' || manifest === null || !('format' in manifest)) throw damaged;
  if (manifest.format !== 1) throw new CommandError(`${folder} is a backup of a newer version of Kontor`);
  if (!isManifest.Check(manifest)) throw damaged;
  return manifest;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `fileOf` makes the name of a table part of a path. */
const isManifest = Compile(
  Type.Object({
    format: Type.Literal(1),
    createdAt: Type.String({ pattern: '^[0-9TZ:.-]+$' }),
    version: Type.String(),
    peppers: Type.Optional(Type.Array(Type.String())),
    migrations: Type.Array(Type.String()),
    tables: Type.Array(
      Type.Object({
        name: Type.String({ pattern: '^[a-z0-9_]+$' }),
        columns: Type.Array(Type.String(), { minItems: 1 }),
        rows: Type.Integer(),
        sha256: Type.String(),
      }),
    ),
  }),
);
