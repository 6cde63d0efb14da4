import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { removeFolder, temporaryFolder } from '../../../embedded-postgres/test/visitors.ts';
import { kontorHere } from './in-process.ts';

const timeout = 120_000;

/** Made by `kontor backup` of 0.2.0: an organization with a tenant, a division, two employees and an API key. */
const released = fileURLToPath(import.meta.resolve('./backup-0.2.0.tar.gz'));

let folder: string;
before(async () => {
  folder = await temporaryFolder();
  // The program of an attack runs as the user of PostgreSQL.
  await chmod(folder, 0o777);
  execFileSync('tar', ['-xzf', released, '-C', folder]);
});
after(() => removeFolder(folder));

const place = (name: string) => path.join(folder, name);
const restore = (backup: string, data: string) =>
  kontorHere(['restore', place(backup), '--json'], { KONTOR_DATA_DIR: place(data) });

test('a backup of 0.2.0 is restored with its rows and its pepper', { timeout }, async () => {
  const variables = { KONTOR_DATA_DIR: place('restored') };
  const restored = await restore('backup-0.2.0', 'restored');
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(JSON.parse(restored.stdout).rows, 20);
  const { organizations } = JSON.parse(
    (await kontorHere(['organization', 'list', '--json'], variables)).stdout,
  );
  const [{ id, name, tenants, employees, keys }] = organizations;
  assert.deepEqual([name, tenants, employees, keys], ['Muster AG', 1, 2, 1]);
  const listed = ['employee', 'list', '--organization', id, '--json'];
  const { items } = JSON.parse((await kontorHere(listed, variables)).stdout);
  assert.deepEqual(items.map(({ lastName }: { lastName: string }) => lastName).toSorted(), [
    'Müller',
    'a\\b',
  ]);
  // With another pepper, a new key would be rejected.
  const created = await kontorHere(
    ['key', 'create', '--organization', id, '--name', 'New', '--all'],
    variables,
  );
  assert.equal(created.code, 0, created.stderr);
  assert.equal((await stat(path.join(place('restored'), 'pepper'))).mode & 0o777, 0o600);
});

interface Manifest {
  createdAt: string;
  migrations: string[];
  tables: { name: string; columns: string[]; rows: number; sha256: string }[];
}

describe('nothing of backup.json becomes SQL, a path or a command', () => {
  const witness = () => place('witness');
  const program = () => `COPY (SELECT 1) TO PROGRAM 'touch ${witness()}'`;
  const setting = (manifest: Manifest) => manifest.tables.find(({ name }) => name === 'setting')!;
  const changes: Record<string, (manifest: Manifest) => void> = {
    'a column that ends the statement': manifest =>
      setting(manifest).columns.splice(0, 1, `name) FROM STDIN; ${program()}; --`),
    'a column with a quote': manifest =>
      setting(manifest).columns.splice(0, 1, `name") FROM STDIN; ${program()}; --`),
    'a column of another table': manifest => setting(manifest).columns.push('folded_name'),
    'a table that ends the statement': manifest => (setting(manifest).name = `setting; ${program()}; --`),
    'a table of the system': manifest => (setting(manifest).name = 'pg_class'),
    'a table outside of the folder': manifest => (setting(manifest).name = '../setting'),
    'the table of migrations': manifest => (setting(manifest).name = 'migration'),
    'a migration outside of the folder': manifest => manifest.migrations.push('../../evil'),
    'a migration with SQL': manifest => manifest.migrations.push(`0016'; ${program()}; --`),
    'no columns': manifest => (setting(manifest).columns = []),
    'a time that moves the cursor of the terminal': manifest => (manifest.createdAt = '\\u001b[2J'),
    'rows that are no number': manifest => Object.assign(setting(manifest), { rows: '1' }),
    'no tables': manifest => Object.assign(manifest, { tables: null }),
  };
  for (const [name, change] of Object.entries(changes))
    test(name, { timeout }, async () => {
      const backup = `backup-${Object.keys(changes).indexOf(name)}`;
      await cp(place('backup-0.2.0'), place(backup), { recursive: true });
      const file = path.join(place(backup), 'backup.json');
      const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
      const { name: given } = setting(manifest);
      change(manifest);
      await writeFile(file, JSON.stringify(manifest));
      const renamed = manifest.tables?.find(
        table => !existsSync(path.join(place(backup), `${table.name}.copy.gz`)),
      );
      if (renamed !== undefined && !renamed.name.includes('/'))
        await cp(
          path.join(place(backup), `${given}.copy.gz`),
          path.join(place(backup), `${renamed.name}.copy.gz`),
        ).catch(() => {});
      // One data folder for all: a rejected restore leaves it without organizations.
      const { code, stderr } = await restore(backup, 'rejected');
      assert.equal(code, 1);
      assert.match(stderr, /^error: .*(backup\.json.* is damaged|is of a newer version)[^\n]*\n$/);
      assert.doesNotMatch(stderr, /syntax error/);
      assert.equal(existsSync(witness()), false);
    });
});
