import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Kontor } from '@kontor/sdk';
import { createOrganization, createTenant } from '../../packages/server/src/features/organizations/store.ts';
import { emptyDatabase } from '../../packages/server/test/support/database/database.ts';
import { testKey } from '../../packages/server/test/support/data/test-data.ts';
import { type Fixture, useFixture } from '../../packages/server/test/support/service/fixture.ts';
import { blocksOf, forgottenBlocks, scriptOf } from '../guides.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFile(path.join(root, file), 'utf8');
const blocks = blocksOf(await read('docs/night-job.md'));
const sample = (name: string) => blocks.filter(block => block.sample === name).map(({ text }) => text);

const noPsql = spawnSync('psql', ['--version']).status !== 0 && 'there is no psql';
const fixture = useFixture(prepare);
const employees = "employeeNumber IN ('1001', '1002', '1003', '1004')";
const variables: Record<string, string> = {};
let folder: string;
let kontor: Kontor;

/** The result of a script of bash. */
interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script in the folder of the guide, with the installed command on PATH. */
async function run(script: string, more: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const options = { cwd: folder, env: { ...variables, ...more } };
  return promisify(execFile)('bash', ['-c', script], options).then(
    done => ({ exitCode: 0, ...done }),
    (error: { code: number; stdout: string; stderr: string }) => ({ ...error, exitCode: error.code }),
  );
}

/** The text with the address of the service, and the command where these tests have it. */
const here = (text: string) =>
  text
    .replaceAll('https://kontor.example.com', fixture.service.url)
    .replaceAll(/\/[\w/.-]+\/kontor-sync (?=run)/g, 'kontor-sync ');

/** Loads the key as the second step does. */
const withKey = (script: string) => `set -a; . ./environment; set +a\n${script}`;

/** Makes a company with a key, and the folder of the guide with its files. */
async function prepare({ sql, service }: Fixture): Promise<void> {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-night-'));
  const organization = await createOrganization(sql, 'Night');
  const tenant = await createTenant(sql, organization, 'Night GmbH');
  const apiKey = await testKey(sql, organization, { tenants: [tenant] }, { requests: 600, seconds: 60 });
  kontor = new Kontor({ apiKey, baseUrl: service.url });
  const program = path.join(root, 'packages/sync/bin/kontor-sync.js');
  const command = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`;
  await writeFile(path.join(folder, 'kontor-sync'), command, { mode: 0o755 });
  variables['HOME'] = folder;
  variables['PATH'] = `${folder}:${process.env['PATH']}`;
  for (const { file, text } of blocks)
    if (file !== null) await writeFile(path.join(folder, file), text.replace('kontor_…', apiKey));
}
after(() => rm(folder, { recursive: true, force: true }));

const cities = async () =>
  (await Array.fromAsync(kontor.employees.list({ filter: employees, sort: 'employeeNumber' }))).map(
    ({ city }) => city,
  );

describe('the guide of the night job', () => {
  test('has no block that is neither run nor compared, without a reason', () => {
    assert.deepEqual(forgottenBlocks(blocks), []);
    const samples = new Set(blocks.flatMap(({ sample }) => sample ?? []));
    assert.deepEqual([...samples].toSorted(), ['conflict', 'crontab', 'export', 'morning', 'output', 'psql']);
  });

  test('works to the first sync and the brake, and prints what it shows', async () => {
    const { exitCode, stdout, stderr } = await run(here(scriptOf(blocks)));
    assert.equal(exitCode, 0, stderr);
    for (const output of sample('output'))
      assert.ok(stdout.includes(output), `${output}\nis not in\n${stdout}`);
    assert.deepEqual(await cities(), ['Bonn', 'Köln', 'Bonn', 'Bonn']);
    for (const file of ['environment', 'kontor-sync.json', 'kontor-sync.sqlite', 'plan.json', 'report.json'])
      assert.equal((await stat(path.join(folder, file))).mode & 0o777, 0o600, file);
  });

  test('has a line for cron that prints nothing after a quiet night', async () => {
    assert.deepEqual(await runCron(), { exitCode: 0, stdout: '', stderr: '' });
    assert.equal((await stat(path.join(folder, 'night.txt'))).mode & 0o777, 0o600);
  });

  test('has a line for cron that reports a conflict without personal data, which the log shows as the guide does', async () => {
    const max = await kontor.employees.list({ filter: "employeeNumber = '1002'" }).first();
    await kontor.employees.update(max!.id, { city: 'Essen' });
    await run(`sed -i '/^1002;/s/Köln/Ulm/' people.csv`);
    assert.equal((await runCron()).stdout, 'kontor-sync: exit code 2, read night.txt\n');
    const [line] = sample('conflict');
    assert.ok((await readFile(path.join(folder, 'night.txt'), 'utf8')).includes(line!));
  });

  test('has a unit that takes such a night for a success, and mails its exit code', async () => {
    const unit = await read('deploy/kontor-sync.service');
    const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)![1]!;
    const { exitCode } = await run(withKey(here(setting('ExecStart'))));
    assert.equal(exitCode, Number(setting('SuccessExitStatus')));
    const mail = '#!/bin/sh\nprintf "%s|" "$@" > mail.txt\ncat >> mail.txt\n';
    await writeFile(path.join(folder, 'mail'), mail, { mode: 0o755 });
    // systemd removes the marks before a command, and one of two dollar signs.
    const report = setting('ExecStopPost')
      .replace(/^\W*(?=\/)/, '')
      .replaceAll('$$', '$');
    await run(report, { SERVICE_RESULT: 'success', EXIT_STATUS: '0' });
    await assert.rejects(readFile(path.join(folder, 'mail.txt')), { code: 'ENOENT' });
    await run(report, { SERVICE_RESULT: 'success', EXIT_STATUS: '2' });
    assert.equal(
      await readFile(path.join(folder, 'mail.txt'), 'utf8'),
      '-s|kontor-sync: success, exit code 2|root|Read: journalctl --unit kontor-sync\n',
    );
  });

  test('has a job of Kubernetes that completes after such a night, and says so in the last line of its log', async () => {
    const manifest = await read('deploy/kubernetes/kontor-sync.yaml');
    const [, indented] = /args:\n +- \|\n((?: {18}.*\n)+)/.exec(manifest)!;
    const script = here(indented!.replaceAll(/^ +/gm, '')).replace('/etc/kontor-sync/', '');
    const { exitCode, stdout } = await run(withKey(script));
    assert.deepEqual([exitCode, stdout.split('\n').at(-2)], [0, 'kontor-sync: needs attention']);
    assert.equal((await run(script)).exitCode, 1, 'a night without a key fails');
  });

  test('decides a conflict as it says', async () => {
    const { exitCode, stderr } = await run(withKey(`set -e\n${sample('morning').join('')}`));
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual(await cities(), ['Bonn', 'Essen', 'Bonn', 'Bonn']);
  });

  test(
    'brings people from a database by pipe and by export, and ends before it reads half an export',
    { skip: noPsql },
    async () => {
      const hr = await emptyDatabase();
      try {
        const url = new URL(hr.url);
        const database = {
          PGHOST: url.searchParams.get('host') ?? url.hostname,
          PGPORT: url.port,
          PGUSER: url.username,
          PGPASSWORD: decodeURIComponent(url.password),
          PGDATABASE: url.pathname.slice(1),
        };
        const fill = `psql -c 'CREATE TABLE people ("Personalnummer" text, "Vorname" text, "Nachname" text, "E-Mail" text, "Ort" text, "Abteilung" text)'
        psql -c "COPY people FROM STDIN (FORMAT csv, HEADER, DELIMITER ';')" < people.csv`;
        assert.equal((await run(`set -e\n${fill}`, database)).exitCode, 0);
        const piped = await run(withKey(`set -e -o pipefail\n${sample('psql').join('')}`), database);
        assert.match(piped.stdout, /^4 people in the file, 4 in Kontor\nNothing to do\n/, piped.stderr);
        const [, before] = /^ExecStartPre=(.*)$/m.exec(sample('export').join(''))!;
        const night = withKey(`set -e\n${before}\nkontor-sync run people.csv`);
        const exported = await run(night, database);
        assert.match(exported.stdout, /\nNothing to do\n/, exported.stderr);
        const away = await run(night, { ...database, PGDATABASE: 'nowhere' });
        assert.deepEqual([away.exitCode === 0, away.stdout], [false, '']);
      } finally {
        await hr.drop();
      }
    },
  );
});

/** Runs the command of the line as cron does: by sh, in the home folder or elsewhere, without the key. */
function runCron(): Promise<Ran> {
  const command = here(sample('crontab').join('')).trim().split(' ').slice(5).join(' ');
  return run(`cd / && exec sh -c "$COMMAND"`, { COMMAND: command });
}
