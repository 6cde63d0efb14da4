import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findDebianBinaries, ensureServer } from '../../tools/debian-postgres.ts';
import { blocksOf } from '../../tools/guides.ts';
import { connect } from '../../packages/server/src/db/connect.ts';
import { raw } from '../../packages/server/src/db/sql.ts';
import { kontorHere } from '../../packages/server/test/cli/in-process.ts';

const run = promisify(execFile);
const guide = fileURLToPath(new URL('../../docs/backup.md', import.meta.url));
const bin = findDebianBinaries();

/** The server's database of this name. */
function databaseOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

test(
  'a backup of a server, taken and restored by the guide, has the rows and works',
  { skip: !bin && 'there is no server' },
  async () => {
    const [block] = blocksOf(await readFile(guide, 'utf8')).filter(({ sample }) => sample === 'server');
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-server-backup-'));
    const server = await ensureServer(undefined, bin!);
    try {
      const [old, fresh] = [databaseOf(server.url, 'old'), databaseOf(server.url, 'fresh')];
      const administrator = connect({ url: server.url }, { poolSize: 1 });
      for (const name of ['old', 'fresh']) await administrator.writes.run(raw(`CREATE DATABASE ${name}`));
      await administrator.close();
      const kontor = async (database: string, ...args: string[]) => {
        const { code, stdout, stderr } = await kontorHere(args, {
          DATABASE_URL: database,
          KONTOR_DATA_DIR: folder,
        });
        assert.equal(code, 0, stderr);
        return stdout;
      };
      await kontor(old, 'organization', 'create', '--name', 'Muster AG');
      const env = { PATH: `${bin}:${process.env['PATH']}`, DATABASE_URL: old, NEW_DATABASE_URL: fresh };
      await run('bash', ['-euo', 'pipefail', '-c', block!.text], { cwd: folder, env });
      assert.match(await kontor(fresh, 'organization', 'list'), /Muster AG/);
      assert.equal(await kontor(fresh, 'migrate'), 'Up to date\n');
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  },
);
