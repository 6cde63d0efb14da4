import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { loadCommands } from '../../src/cli/commands.ts';
import { runCommand } from '../../src/cli/program/run.ts';
import { settings } from '../../src/config.ts';
import { emptyDatabase, type TestDatabase } from '../support/database/database.ts';
import { kontorHere } from './in-process.ts';
import { kontor, start } from './kontor.ts';

/** The value of every variable of this test, which no output may contain. */
const secret = 'tcp://geheim:8080';

const commands = await loadCommands();
let testing: TestDatabase;
let variables: Record<string, string>;
before(async () => {
  testing = await emptyDatabase();
  variables = { DATABASE_URL: testing.url, KONTOR_KEY_PEPPER: 'x'.repeat(32) };
});
after(() => testing.drop());

describe('a variable that is nearly one of Kontor', () => {
  const message = 'there is no variable KONTOR_TRUSTED_PROXYS: did you mean KONTOR_TRUSTED_PROXIES?';
  /** The message of an error. It is in a line of the log of a command that logs JSON. */
  const messageOf = (stderr: string, isLog: boolean) =>
    isLog ? (JSON.parse(stderr) as { msg: string }).msg : /^error: (.*)\n$/.exec(stderr)?.[1];

  for (const command of commands)
    test(`ends the start of ${command.name}`, async () => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const code = await runCommand(command, {
        variables: { ...variables, KONTOR_TRUSTED_PROXYS: secret },
        settings: {},
        input: {},
        stdin: process.stdin,
        stdout: stdout as unknown as NodeJS.WriteStream,
        stderr: stderr as unknown as NodeJS.WriteStream,
        signal: new AbortController().signal,
        json: false,
        version: '0.0.0',
      });
      assert.equal(code, 1);
      assert.equal(messageOf(String(stderr.read()), command.logsJson === true), message);
      assert.equal(stdout.read(), null);
    });

  test('ends the process of serve with exit code 1', async () => {
    const run = await kontor(['serve'], { ...variables, KONTOR_TRUSTED_PROXYS: secret });
    assert.deepEqual([run.code, run.stdout, messageOf(run.stderr, true)], [1, '', message]);
  });

  for (const [written, meant] of [
    ['KONTOR_WORKER', 'KONTOR_WORKERS'],
    ['KONTOR_TRUSTED_PROXY', 'KONTOR_TRUSTED_PROXIES'],
    ['KONTOR_SMTP_PASWORD', 'KONTOR_SMTP_PASSWORD'],
    ['KONTOR_quota', 'KONTOR_QUOTA'],
    ['KONTOR_OPEN_ID_ISSUER', 'KONTOR_OPENID_ISSUER'],
    ['KONTOR_LOGLEVEL', 'KONTOR_LOG_LEVEL'],
  ])
    test(`${written} is taken for ${meant}`, async () => {
      const { code, stderr } = await kontorHere(['migrate'], { ...variables, [written!]: secret });
      assert.equal(code, 1);
      assert.equal(stderr, `error: there is no variable ${written}: did you mean ${meant}?\n`);
    });

  test('counts as absent when it is empty, like any variable', async () => {
    const run = await kontorHere(['migrate'], { ...variables, KONTOR_TRUSTED_PROXYS: '' });
    assert.deepEqual([run.code, run.stderr.includes('KONTOR_')], [0, false]);
  });
});

/** The variables that Kubernetes sets for a service with the name kontor. */
const harmless = [
  'KONTOR_PORT',
  'KONTOR_PORT_8080_TCP',
  'KONTOR_PORT_8080_TCP_ADDR',
  'KONTOR_PORT_8080_TCP_PORT',
  'KONTOR_PORT_8080_TCP_PROTO',
  'KONTOR_SERVICE_HOST',
  'KONTOR_SERVICE_PORT',
  'KONTOR_SERVICE_PORT_HTTP',
];
const harmlessVariables = Object.fromEntries(harmless.map(name => [name, secret]));

describe('any other unknown variable that begins with KONTOR_', () => {
  const warning = `Kontor has no setting ${harmless.join(', ')}; docs/configuration.md lists all variables`;

  test('gives a warning of one line, and the command runs', async () => {
    await kontorHere(['migrate'], variables);
    const run = await kontorHere(['migrate', '--json'], { ...variables, ...harmlessVariables });
    assert.deepEqual([run.code, run.stderr], [0, `warning: ${warning}\n`]);
    assert.deepEqual(JSON.parse(run.stdout), { applied: [] });
  });

  test('cannot write control characters to the terminal', async () => {
    const { stderr } = await kontorHere(['migrate'], { ...variables, 'KONTOR_\u001b[2J\n_X_': 'x' });
    assert.match(stderr, /^warning: Kontor has no setting KONTOR_\?\?2J\?_X_; [^\n]*\n$/);
  });

  for (const workers of ['1', '2'])
    test(`gives one line in the JSON log of serve with KONTOR_WORKERS=${workers}`, async () => {
      const own = { PORT: '0', MANAGEMENT_PORT: '0', KONTOR_WORKERS: workers };
      const service = start(['serve', '--json'], { ...variables, ...own, ...harmlessVariables });
      await service.line(/^\{/);
      service.process.kill('SIGTERM');
      const { code, stdout, stderr } = await service.ended;
      assert.equal(code, 0, stderr);
      assert.ok(!`${stdout}${stderr}`.includes('geheim'));
      const lines = stderr.trim().split('\n');
      const logged = lines.map(line => JSON.parse(line) as { level: string; msg: string });
      assert.deepEqual(
        logged.filter(({ msg }) => msg.includes('no setting')).map(({ level, msg }) => [level, msg]),
        [['warn', warning]],
      );
    });
});

test('a known variable that the command does not read gives no warning, nor does one of the client', async () => {
  const ofClient = ['KONTOR_API_KEY', 'KONTOR_BASE_URL', 'KONTOR_TENANT_ID'];
  const names = [...Object.values(settings).map(({ variable }) => variable), ...ofClient];
  const known = names.map(name => [name, secret] as const);
  const run = await kontorHere(['completion', 'bash'], Object.fromEntries(known));
  assert.deepEqual([run.code, run.stderr], [0, '']);
});
