import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { prepareEnvironment } from '../../tools/clients/python-environment.ts';
import { settings } from '../../packages/server/src/config.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFile(path.join(root, file), 'utf8');

describe('the files of deploy/', () => {
  test('set no variable that Kontor does not know', async () => {
    const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
    const theirs = [
      'NODE_ENV',
      // Variable of kontor-sync.
      'KONTOR_API_KEY',
      'PGPASSWORD',
      'ON_ERROR_STOP',
      'POSTGRES_USER',
      'POSTGRES_DB',
      'POSTGRES_PASSWORD',
    ];
    const texts = [await read('docs/running.md')];
    for await (const file of glob('deploy/**/*.*', { cwd: root })) texts.push(await read(file));
    const sets = texts.flatMap(text => [
      ...text.matchAll(/(?:^|ENV | |=)((?:[A-Z]+_)*[A-Z]+)(?:=|: |, value: )(?=\S)/gm),
    ]);
    const names = sets.map(match => match[1]!).filter(name => /_|^(HOST|PORT)$/.test(name));
    assert.ok(names.length > 8, String(names));
    assert.deepEqual(
      names.filter(name => !known.has(name) && !theirs.includes(name)),
      [],
    );
  });

  test('have a compose file that trusts the gateway of its network, which a proxy on the machine comes from', async () => {
    const text = await read('deploy/compose.yaml');
    const [, trusted] = /KONTOR_TRUSTED_PROXIES: (\S+)/.exec(text)!;
    const [, gateway] = /gateway: (\S+)/.exec(text)!;
    assert.equal(trusted, gateway);
  });

  const noSystemd = spawnSync('systemd-analyze', ['--version']).status !== 0 && 'there is no systemd-analyze';
  test('have units that systemd finds no fault with', { skip: noSystemd }, async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-unit-'));
    const names = await Array.fromAsync(glob('*.{service,socket,timer}', { cwd: path.join(root, 'deploy') }));
    assert.equal(names.length, 4);
    // The commands are not installed there, which is all that may be missing.
    for (const name of names) {
      const unit = (await read(`deploy/${name}`)).replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true');
      await writeFile(path.join(folder, name), unit);
    }
    const files = names.map(name => path.join(folder, name));
    const { stderr } = await run('systemd-analyze', ['verify', ...files]);
    assert.doesNotMatch(stderr, /kontor[\w-]*\.(service|socket|timer)/);
    await rm(folder, { recursive: true });
  });

  for (const name of ['kontor.service', 'kontor-sync.service'])
    test(`have ${name} with an exposure of at most 2`, { skip: noSystemd }, async () => {
      const unit = path.join(root, 'deploy', name);
      await run('systemd-analyze', ['security', '--offline=true', '--threshold=20', unit]);
    });

  const noPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3';
  test('have manifests that keep the schemas of Kubernetes, old and new', { skip: noPython }, async () => {
    const environment = await prepareEnvironment('kubernetes', ['kubernetes-validate==1.37.0']);
    const files = await Array.fromAsync(glob('deploy/kubernetes/*.yaml', { cwd: root }));
    assert.equal(files.length, 4);
    for (const version of ['1.30', '1.37']) {
      const args = ['--strict', '-k', version, ...files.map(file => path.join(root, file))];
      await run(path.join(environment, 'bin/kubernetes-validate'), args);
    }
  });

  const noCompose =
    spawnSync('docker-compose', ['version']).error !== undefined && 'there is no docker-compose';
  test(
    'have a compose file that docker-compose takes once the secrets are set',
    { skip: noCompose },
    async () => {
      const sample = await read('deploy/compose.env.sample');
      const secrets = Array.from(sample.matchAll(/^(\w+)=/gm), match => match[1]!);
      const configure = (set: readonly string[]) =>
        run('docker-compose', ['-f', path.join(root, 'deploy/compose.yaml'), 'config'], {
          env: { PATH: process.env['PATH'], ...Object.fromEntries(set.map(name => [name, 'x'])) },
        });
      const { stdout } = await configure(secrets);
      assert.match(stdout, /DATABASE_URL: postgres:\/\/kontor@postgres\/kontor\n[^]*PGPASSWORD: x\n/);
      // The ports of the service and the management port are published to this machine only.
      assert.equal(stdout.match(/^ +- 127\.0\.0\.1:\d+-\d+:808[01]\/tcp$/gm)?.length, 2);
      for (const secret of secrets) await assert.rejects(configure([secret]), /Missing mandatory value/);
    },
  );
});
