import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { blocksOf } from '../../../../tools/guides.ts';
import { readConfig, type SettingName, settings } from '../../src/config.ts';
import { mailSettings } from '../../src/app/mail-settings.ts';
import { kontorHere } from '../cli/in-process.ts';
import { start } from '../cli/kontor.ts';
import { type MailServer, rejection, startMailServer } from '../support/servers/mail-server.ts';

let server: MailServer;
let folder: string;
before(async () => {
  server = await startMailServer();
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-mail-'));
});
after(async () => {
  await server?.close();
  await rm(folder, { recursive: true });
});

const mailTest = (variables: Record<string, string>) =>
  kontorHere(['mail', 'test', 'anna@example.com'], variables);

describe('kontor mail test', () => {
  test('sends a message and names the server that accepted it', async () => {
    const { code, stdout } = await mailTest({ ...server.variables });
    assert.equal(code, 0);
    assert.match(stdout, /^127\.0\.0\.1 accepted a message for anna@example\.com/);
    const mail = server.mails.at(-1)!;
    assert.deepEqual([mail.to, mail.headers['from']], ['anna@example.com', 'Kontor <kontor@example.com>']);
    assert.match(mail.text, /^Hello,\n/);
  });

  test('reports in one line what the server answered', async () => {
    server.decide.recipient = () => {
      throw rejection(550, '5.7.1 relaying denied');
    };
    const { code, stderr } = await mailTest({ ...server.variables });
    server.decide.recipient = () => {};
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'error: the mail server did not accept the message (RCPT TO): 550 5.7.1 relaying denied\n',
    );
  });

  for (const [what, variables, words] of [
    ['no mail server', { KONTOR_SMTP_HOST: '' }, /no mail server is set: set KONTOR_SMTP_HOST/],
    ['nobody as the sender', { KONTOR_MAIL_FROM: '' }, /also set KONTOR_MAIL_FROM, the sender of mails/],
    [
      'a sender that is no address',
      { KONTOR_MAIL_FROM: 'Kontor' },
      /KONTOR_MAIL_FROM is invalid: expected an address/,
    ],
    [
      'no public address',
      { KONTOR_PUBLIC_URL: '' },
      /also set KONTOR_PUBLIC_URL, the address for links in mails/,
    ],
    ['an unknown manner of TLS', { KONTOR_SMTP_TLS: 'ssl' }, /expected one of starttls, implicit, none/],
    [
      'a user without a password',
      { KONTOR_SMTP_USER: 'kontor' },
      /set KONTOR_SMTP_PASSWORD or KONTOR_SMTP_PASSWORD_FILE/,
    ],
    ['a password without a user', { KONTOR_SMTP_PASSWORD: 'x' }, /also set KONTOR_SMTP_USER/],
    [
      'two passwords',
      { KONTOR_SMTP_USER: 'kontor', KONTOR_SMTP_PASSWORD: 'x', KONTOR_SMTP_PASSWORD_FILE: '/x' },
      /are both set: leave one out/,
    ],
    [
      'a file that is not there',
      { KONTOR_SMTP_USER: 'kontor', KONTOR_SMTP_PASSWORD_FILE: '/nowhere/x' },
      /KONTOR_SMTP_PASSWORD_FILE cannot be read \(ENOENT\)/,
    ],
  ] as const)
    test(`is rejected with ${what}`, async () => {
      const { code, stderr } = await mailTest({ ...server.variables, ...variables });
      assert.equal(code, 1);
      assert.match(stderr, words);
    });
});

test('the settings of the guide are ones that it takes', async () => {
  const guide = new URL('../../../../docs/running.md', import.meta.url);
  const block = blocksOf(await readFile(guide, 'utf8')).find(({ sample }) => sample === 'mail')!;
  const lines = block.text.trim().split('\n');
  const variables = Object.fromEntries(lines.map(line => line.split(/=(.*)/, 2) as [string, string]));
  const file = path.join(folder, 'of-the-guide');
  await writeFile(file, 'secret\n');
  const names = Object.keys(settings) as SettingName[];
  const config = readConfig(names, {}, { ...variables, KONTOR_SMTP_PASSWORD_FILE: file });
  assert.deepEqual(await mailSettings(config), {
    host: 'mail.example.com',
    port: 587,
    tls: 'starttls',
    login: { user: 'kontor', password: 'secret' },
    from: { name: 'Kontor', address: 'kontor@example.com' },
    publicUrl: 'https://kontor.example.com',
  });
});

const noOpenssl =
  spawnSync('openssl', ['version']).status === 0 ? false : 'there is no openssl to make a certificate';

describe('encryption', { skip: noOpenssl }, () => {
  let encrypting: MailServer;
  let ca: string;
  const logins: string[] = [];
  before(async () => {
    ca = path.join(folder, 'certificate.pem');
    const key = path.join(folder, 'key.pem');
    const subject = ['-subj', '/CN=mail.test', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', key, '-out', ca];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
      { stdio: 'ignore' },
    );
    encrypting = await startMailServer({
      key: await readFile(key),
      cert: await readFile(ca),
      authOptional: false,
      onAuth({ username, password }, session, done) {
        logins.push(`${username}:${password} ${session.secure ? 'encrypted' : 'open'}`);
        if (password === 'right') done(null, { user: username });
        else done(new Error('no'));
      },
    });
  });
  after(() => encrypting?.close());

  const login = async (more: Record<string, string> = {}) => {
    const file = path.join(folder, 'password');
    await writeFile(file, 'right\n');
    const variables = { ...encrypting.variables, KONTOR_SMTP_TLS: 'starttls', KONTOR_SMTP_USER: 'kontor' };
    return start(['mail', 'test', 'anna@example.com'], {
      ...variables,
      KONTOR_SMTP_PASSWORD_FILE: file,
      ...more,
    }).ended;
  };

  test('STARTTLS with a certificate that is trusted, then the login with the password of a file', async () => {
    const { code, stderr } = await login({ NODE_EXTRA_CA_CERTS: ca });
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(logins.splice(0), ['kontor:right encrypted']);
  });

  test('an untrusted certificate: nothing is sent, no password either', async () => {
    const { code, stderr } = await login();
    assert.deepEqual([code, logins], [1, []]);
    assert.match(stderr, /could not be reached, or did not encrypt as it should.*self-signed/);
  });

  test('a server that does not encrypt although it must: nothing is sent', async () => {
    const { code, stderr } = await mailTest({ ...server.variables, KONTOR_SMTP_TLS: 'starttls' });
    assert.equal(code, 1);
    assert.match(stderr, /could not be reached, or did not encrypt as it should/);
  });

  test('a wrong password is reported', async () => {
    const file = path.join(folder, 'wrong');
    await writeFile(file, 'wrong');
    const { code, stderr } = await login({ NODE_EXTRA_CA_CERTS: ca, KONTOR_SMTP_PASSWORD_FILE: file });
    assert.equal(code, 1);
    assert.match(stderr, /did not accept user and password \(AUTH PLAIN\): 535/);
  });
});
