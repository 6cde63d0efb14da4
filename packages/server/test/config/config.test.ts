import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConfigError, drainSeconds, readConfig, type SettingName, settings } from '../../src/config.ts';

const names = Object.keys(settings) as SettingName[];

describe('configuration', () => {
  test('without options and variables every setting has its documented default', () => {
    assert.deepEqual(readConfig(names, {}, {}), {
      port: 8080,
      host: '127.0.0.1',
      managementPort: 8081,
      publicUrl: null,
      trustedProxies: null,
      forwardedHeader: 'x-forwarded-for',
      openIdIssuer: null,
      openIdClientId: null,
      openIdClientSecret: null,
      openIdClientSecretFile: null,
      openIdClientKeyFile: null,
      openIdClientAuthentication: null,
      openIdEmails: 'verified',
      openIdName: null,
      managementHost: '127.0.0.1',
      smtpHost: null,
      smtpPort: 587,
      smtpTls: 'starttls',
      smtpUser: null,
      smtpPassword: null,
      smtpPasswordFile: null,
      mailFrom: null,
      workers: 1,
      dataDirectory: '.kontor',
      databaseUrl: null,
      redisUrl: null,
      pepper: null,
      previousPepper: null,
      quota: { requests: 600, seconds: 60 },
      filesUrl: null,
      fileTimeout: 10,
      statementTimeout: 5,
      requestTimeout: 10,
      listsPerKey: null,
      poolSize: 10,
      jobInterval: 60,
      digestTime: { hour: 7, minute: 0, zone: 'Europe/Berlin' },
      drain: null,
      shutdownGrace: 10,
      otlpEndpoint: null,
      tracesSampler: 'parentbased_always_on',
      tracesSamplerArg: 1,
      logLevel: 'info',
    });
  });

  test('an option wins over a variable, and a variable over the default', () => {
    const variables = { PORT: '1', HOST: '::1' };
    const config = readConfig(names, { port: '2' }, variables);
    assert.equal(config.port, 2);
    assert.equal(config.host, '::1');
  });

  test('an empty variable counts as absent', () => {
    assert.equal(readConfig(names, {}, { PORT: '', DATABASE_URL: '' }).port, 8080);
  });

  test('has no setting that a command does not read, whatever its variable holds', () => {
    const variables = { PORT: '1', DATABASE_URL: 'postgres://host/db', KONTOR_POOL_SIZE: 'x' };
    assert.deepEqual(readConfig(['port'], {}, variables), { port: 1 });
  });

  test('every option has a variable; variables and options are unique', () => {
    const rows = Object.values(settings);
    const variables = rows.map(row => row.variable);
    const options = rows.flatMap(row => ('option' in row ? [row.option] : []));
    assert.equal(new Set(variables).size, rows.length);
    assert.equal(new Set(options).size, options.length);
    for (const variable of variables) assert.match(variable, /^[A-Z][A-Z_]*$/);
  });

  test('the drain is as configured, else 5 seconds, or none where only this machine can connect', () => {
    const drain = (variables: Record<string, string>) => drainSeconds(readConfig(names, {}, variables));
    for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) assert.equal(drain({ HOST }), 0, HOST);
    for (const HOST of ['0.0.0.0', '::', '192.0.2.1', 'kontor.example', '1.127.0.1'])
      assert.equal(drain({ HOST }), 5, HOST);
    assert.equal(drain({ HOST: '0.0.0.0', KONTOR_DRAIN: '0' }), 0);
    assert.equal(drain({ KONTOR_DRAIN: '30' }), 30);
  });

  test('the drain is 5 seconds on a loopback address as well where systemd passes the socket', () => {
    assert.equal(drainSeconds(readConfig(names, {}, {}), 3), 5);
    assert.equal(drainSeconds(readConfig(names, {}, { KONTOR_DRAIN: '0' }), 3), 0);
  });

  test('secrets have no option, since other users of the machine could read it there', () => {
    for (const name of ['pepper', 'previousPepper', 'smtpPassword', 'openIdClientSecret'] as const)
      assert.ok(!('option' in settings[name]));
  });

  test('who mails are from is an address, with or without a name', () => {
    const from = (text: string) => readConfig(names, {}, { KONTOR_MAIL_FROM: text }).mailFrom;
    assert.deepEqual(from('kontor@example.com'), { name: '', address: 'kontor@example.com' });
    for (const text of ['Kontor GmbH <kontor@example.com>', 'Kontor GmbH<kontor@example.com>'])
      assert.deepEqual(from(text), { name: 'Kontor GmbH', address: 'kontor@example.com' });
  });
});

const invalid: [SettingName, string[]][] = [
  ['port', ['-1', '65536', '80.5', '1e2', ' 80', 'x']],
  ['host', [' ']],
  ['managementPort', ['99999']],
  ['managementHost', [' ']],
  ['publicUrl', ['kontor.example.com', 'ftp://host']],
  ['trustedProxies', [' ', 'proxy', '10.0.0.0/33', '10.0.0.1,', '::1/129', '10.0.0.0/8/8', '10.0.0.0/-1']],
  ['forwardedHeader', [' ', 'x-real-ip', 'forwarded,x-forwarded-for']],
  ['openIdIssuer', ['login.example.com', 'ftp://host']],
  ['openIdClientId', [' ']],
  ['openIdClientSecret', [' ']],
  ['openIdClientSecretFile', [' ']],
  ['openIdClientKeyFile', [' ']],
  ['openIdClientAuthentication', ['basic', 'private_key_jwt', 'none']],
  ['openIdEmails', ['Trusted', 'true', 'unverified']],
  ['openIdName', [' ']],
  ['smtpHost', [' ']],
  ['smtpPort', ['0', '65536', 'smtp']],
  ['smtpTls', ['STARTTLS', 'ssl']],
  ['smtpUser', [' ']],
  ['smtpPassword', [' ']],
  ['smtpPasswordFile', [' ']],
  ['mailFrom', ['Kontor', 'Kontor <kontor>', '<a@b> c', 'a@b, c@d', 'A\n <a@b>']],
  ['workers', ['0', '65', 'many']],
  ['dataDirectory', [' ']],
  ['databaseUrl', ['localhost', 'mysql://host/db', 'http://host']],
  ['redisUrl', ['localhost:6379', 'http://host']],
  ['pepper', ['x'.repeat(31)]],
  ['previousPepper', ['x'.repeat(31)]],
  ['quota', ['600', '0/60', '600/0', '600/86401', '600/60/1', '-1/60', 'a/b']],
  ['filesUrl', ['bucket', 'http://host/bucket', 's3://']],
  ['fileTimeout', ['0', '3601', 'soon']],
  ['statementTimeout', ['0', '3601', 'soon']],
  ['requestTimeout', ['0', '3601', 'soon']],
  ['listsPerKey', ['0', '1001', 'many']],
  ['poolSize', ['0', '1001', 'many']],
  ['jobInterval', ['-1', '86401', 'daily']],
  ['digestTime', ['7:00 Europe/Berlin', '24:00 UTC', '07:00', '07:00 Europe/Nowhere']],
  ['drain', ['-1', '3601', '1.5']],
  ['shutdownGrace', ['-1', '3601']],
  ['otlpEndpoint', ['localhost:4318', 'ftp://host']],
  ['tracesSampler', ['half', 'ALWAYS_ON']],
  ['tracesSamplerArg', ['-0.1', '1.1', '10%']],
  ['logLevel', ['trace', 'INFO']],
];

describe('an invalid value is rejected with one line that names its variable or option', () => {
  for (const [name, values] of invalid)
    test(settings[name].variable, () => {
      for (const value of values) {
        const row = settings[name];
        const byVariable = () => readConfig(names, {}, { [row.variable]: value });
        assert.throws(byVariable, (error: unknown) =>
          isLine(error, `${row.variable} is invalid: expected `, value),
        );
        if (!('option' in row)) continue;
        const byOption = () => readConfig(names, { [name]: value }, {});
        assert.throws(byOption, (error: unknown) =>
          isLine(error, `--${row.option} is invalid: expected `, value),
        );
      }
    });

  test('the table of this test has every setting', () => {
    assert.deepEqual(
      invalid.map(([name]) => name),
      names,
    );
  });

  test('the value is not repeated: it may be a secret', () => {
    const read = () => readConfig(names, {}, { DATABASE_URL: 'mysql://user:geheim@host' });
    assert.throws(read, (error: Error) => !error.message.includes('geheim'));
  });
});

function isLine(error: unknown, beginning: string, value: string): boolean {
  assert.ok(error instanceof ConfigError, `accepted ${JSON.stringify(value)}`);
  assert.ok(error.message.startsWith(beginning), error.message);
  assert.ok(!error.message.includes('\n'));
  return true;
}
