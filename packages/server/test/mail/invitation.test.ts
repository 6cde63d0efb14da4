import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { User, UserCreate } from '@kontor/contract';
import { targetUrl } from '../support/database/target-url.ts';
import { linkMails } from '../../src/features/users/mails.ts';
import { kontorHere } from '../cli/in-process.ts';
import { outcome } from '../portal/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { useFixture } from '../support/service/fixture.ts';
import { type MailServer, secretIn, startMailServer } from '../support/servers/mail-server.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { testLinking } from '../support/data/users.ts';
import { testPepper } from '../support/data/test-data.ts';
import { endPauses, sendOnce } from './support.ts';

let server: MailServer;
let service: TestService;
let platform: ApiClient;
let portal: ApiClient;
let users: string;
// Its mails are sent when a test starts the sender.
const fixture = useFixture(async ({ sql, testData }) => {
  service = await startService(sql, { mail: server.settings });
  users = `/organizations/${testData.organization}/users`;
  const key = await testToken(sql, { organizations: [testData.organization] });
  platform = apiClient(service.managementUrl, { api: 'platform', key });
  portal = apiClient(service.url, { api: 'portal' });
});
before(async () => {
  server = await startMailServer();
});
after(async () => {
  platform?.close();
  portal?.close();
  await service?.stop();
  await server?.close();
});

const kinds = linkMails({ pepper: testPepper, publicUrl: testLinking.publicUrl });
let made = 0;
const person = (more: Partial<UserCreate> = {}): UserCreate => ({
  email: `invited${++made}@example.com`,
  name: 'Petra Lang',
  language: 'de',
  permissions: ['IT'],
  ...more,
});
const accept = (secret: string) =>
  portal.post('/invitation/acceptance', { secret, password: 'correct horse battery staple' });

/** Sends what waits, and answers what the server was given. */
async function sent() {
  const at = server.mails.length;
  await endPauses(fixture.sql, fixture.testData.organization);
  assert.equal((await sendOnce(fixture.sql, server, { kinds })).error, null);
  return server.mails.slice(at);
}

describe('where a mail server is set', () => {
  test('a new user gets the link by mail, which no other user is shown, and which no row holds', async () => {
    const { status, body } = await platform.post(users, person());
    assert.deepEqual([status, body.link], [201, null]);
    const stored = JSON.stringify(await fixture.sql`SELECT to_jsonb(m) AS row FROM mail m`);
    const [mail, ...more] = await sent();
    assert.deepEqual([mail!.to, more], [body.email, []]);
    assert.equal(mail!.headers['subject'], 'Ihr Zugang zu Kontor');
    const link = /https:\/\/kontor\.example\.com\/portal\/invitation#\S+/.exec(mail!.text)![0];
    assert.ok(mail!.html.includes(`href="${link}"`));
    assert.match(mail!.text, /Der Link kann einmal verwendet werden und ist 3 Tage lang gültig\./);
    const secret = secretIn(mail!);
    assert.ok(!stored.includes(secret.split('_')[3]!), 'the secret is stored');
    assert.equal(outcome(await accept(secret)), '200');
    assert.equal(outcome(await accept(secret)), '422 INVALID_LINK');
  });

  test('in English to its speakers', async () => {
    await platform.post(users, person({ language: 'en' }));
    const [mail] = await sent();
    assert.equal(mail!.headers['subject'], 'Your access to Kontor');
    assert.match(mail!.text, /^Hello Petra Lang,\n[^]*The link can be used once and is valid for 3 days\./);
  });

  test('who is invited again before the first mail went out gets the second one only', async () => {
    const { body } = await platform.post(users, person());
    const again = await platform.request('POST', `${users}/${body.id}/invitation`);
    assert.deepEqual([again.status, again.body.link], [200, null]);
    const [mail, ...more] = await sent();
    assert.deepEqual(more, []);
    assert.equal(outcome(await accept(secretIn(mail!))), '200');
  });

  test('an unconfirmed attempt is followed by the same message with the same link', async () => {
    await platform.post(users, person());
    const seen: string[] = [];
    server.decide.message = raw => {
      seen.push(raw);
      if (seen.length === 1) throw Object.assign(new Error('later'), { responseCode: 451 });
    };
    assert.deepEqual(await sent(), []);
    const [mail] = await sent();
    server.decide.message = () => {};
    const named = (raw: string) => /^Message-ID: (\S+)/m.exec(raw)![1];
    assert.equal(named(seen[0]!), named(seen[1]!));
    assert.equal(outcome(await accept(secretIn(mail!))), '200');
  });

  test('kontor user invite has it mailed by the service, and prints it where that is asked for', async () => {
    const variables = {
      ...server.variables,
      DATABASE_URL: await targetUrl(fixture.sql.database.target),
      KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
      KONTOR_LOG_LEVEL: 'silent',
    };
    const { email, name } = person();
    const of = ['--organization', fixture.testData.organization, '--email', email];
    const invited = await kontorHere(
      ['user', 'invite', ...of, '--name', name, '--permission', 'IT'],
      variables,
    );
    assert.match(invited.stdout, /^Invited \S+ \([0-9a-f]{24}\)\. The running service mails them a link/);
    const [mail] = await sent();
    assert.equal(mail!.to, email);
    const printed = await kontorHere(['user', 'invite', ...of, '--print-link', '--json'], variables);
    const { link, status } = JSON.parse(printed.stdout) as User & { link: string };
    assert.match(link, /^https:\/\/kontor\.example\.com\/portal\/invitation#kontorl_/);
    assert.equal(status, 'invited');
    assert.deepEqual(await sent(), []);
    assert.equal(outcome(await accept(link.split('#')[1]!)), '200');
  });
});
