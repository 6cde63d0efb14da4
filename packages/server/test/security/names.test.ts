import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ApiName, apis, type Operation, type UserCreate } from '@kontor/contract';
import { LinkifyIt } from 'linkify-it';
import { createKey } from '../../src/cli/access/key.ts';
import { targetUrl } from '../support/database/target-url.ts';
import { expiryReminder } from '../../src/features/keys/notices/expiry.ts';
import { parseKey } from '../../src/auth/api-keys.ts';
import { noRecentActivity } from '../../src/features/keys/notices/no-recent-activity.ts';
import { noticeMail } from '../../src/features/keys/notices/notice.ts';
import { newLink } from '../../src/features/users/links.ts';
import { linkMails, mailLink } from '../../src/features/users/mails.ts';
import { updateLink } from '../../src/features/users/store.ts';
import { queueMail } from '../../src/mail/queue.ts';
import { callOf, operator, Writes } from '../../src/write/writes.ts';
import { kontorHere } from '../cli/in-process.ts';
import { sendOnce } from '../mail/support.ts';
import { outcome } from '../portal/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { useFixture } from '../support/service/fixture.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/servers/mail-server.ts';
import { testToken } from '../support/data/tokens.ts';
import { activeUser, signedInUser } from '../support/data/users.ts';
import { testPepper } from '../support/data/test-data.ts';

const clients = {} as Record<ApiName, ApiClient>;
let server: MailServer;
let user: string;
let key: string;
const fixture = useFixture(async ({ sql, service, testData, client }) => {
  const { organization } = testData;
  const permissions: UserCreate['permissions'] = ['COMPANY_ADMIN', 'IT'];
  const session = (await signedInUser(sql, organization, { permissions })).secret;
  clients.public = client;
  clients.platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
  clients.portal = apiClient(service.url, { api: 'portal', key: session });
  user = (await activeUser(sql, organization, { language: 'en' })).id;
  key = parseKey(testData.keys.all)!.id;
});
before(async () => {
  server = await startMailServer();
});
after(async () => {
  clients.platform?.close();
  clients.portal?.close();
  await server?.close();
});

const invisible = {
  'U+202E': '\u202e',
  'U+2028': '\u2028',
  'U+2029': '\u2029',
  'U+200F': '\u200f',
  'U+2066': '\u2066',
  'U+000A': '\n',
  'U+0007': '\u0007',
  'U+0085': '\u0085',
};

type Sent = (name: string) => { path: string; body: object };

const newUser = (name: string) => ({
  email: 'new@example.com',
  name,
  language: 'en',
  permissions: ['IT'],
});
const newKey = (name: string) => ({ name, wholeOrganization: true });

/** A request of each operation with a name in its body, valid but for that name. */
const operations: Readonly<Record<string, Sent>> = {
  createOrganization: name => ({ path: '/organizations', body: { name } }),
  createTenant: name => ({ path: `/organizations/${fixture.testData.organization}/tenants`, body: { name } }),
  updateTenant: name => ({
    path: `/organizations/${fixture.testData.organization}/tenants/${fixture.testData.tenantA}`,
    body: { name },
  }),
  renamePortalTenant: name => ({ path: `/tenants/${fixture.testData.tenantA}`, body: { name } }),
  createApiKey: name => ({
    path: `/organizations/${fixture.testData.organization}/api-keys`,
    body: newKey(name),
  }),
  replaceApiKey: name => ({
    path: `/organizations/${fixture.testData.organization}/api-keys/${key}/replacement`,
    body: { name },
  }),
  createUser: name => ({
    path: `/organizations/${fixture.testData.organization}/users`,
    body: newUser(name),
  }),
  updateUser: name => ({
    path: `/organizations/${fixture.testData.organization}/users/${user}`,
    body: { name },
  }),
  createPasskey: name => ({
    path: '/passkeys',
    body: { name, credentialId: 'AQID', clientDataJSON: 'e30', attestationObject: 'oA', transports: [] },
  }),
  renamePasskey: name => ({ path: `/passkeys/${'0'.repeat(24)}`, body: { name } }),
  createPortalApiKey: name => ({ path: '/api-keys', body: newKey(name) }),
  replacePortalApiKey: name => ({ path: `/api-keys/${key}/replacement`, body: { name } }),
  createPortalUser: name => ({ path: '/users', body: newUser(name) }),
  createPortalDivision: name => ({ path: '/divisions', body: { name, parentId: fixture.testData.sales } }),
  updatePortalDivision: name => ({
    path: `/divisions/${fixture.testData.sales}`,
    body: { name, expectedUpdatedAt: '2026-09-02T08:15:30.123Z' },
  }),
  updateOrganizationSettings: name => ({ path: '/organization', body: { name } }),
  updatePortalUser: name => ({ path: `/users/${user}`, body: { name } }),
};

/** The operations of an API with a name in the body. */
function namingOperations(api: ApiName): [id: string, operation: Operation][] {
  return Object.entries(apis[api].operations).filter(([, { body }]) => body && 'name' in body.properties);
}

describe('400 VALIDATION_ERROR: a name with a character that is not seen', () => {
  for (const api of ['platform', 'portal'] as const)
    for (const [id, { method }] of namingOperations(api))
      test(`${api} ${id}`, async () => {
        const requestOf =
          operations[id] ??
          assert.fail(`${id}: add a request to operations of packages/server/test/security/names.test.ts`);
        for (const [code, character] of Object.entries(invisible)) {
          const { path, body } = requestOf(`Muster${character}GmbH`);
          const raw = JSON.stringify(body);
          const headers = { 'content-type': 'application/json' };
          const answer = await clients[api].request(method, path, { raw, headers });
          assert.equal(outcome(answer), '400 VALIDATION_ERROR', code);
          assert.match(answer.body.error.message, /^name must not contain .* remove U\+[0-9A-F]{4}$/);
          assert.ok(answer.body.error.message.endsWith(code), answer.body.error.message);
        }
      });

  test('kontor: every command that takes a name', async () => {
    const { database } = fixture.sql;
    const variables = {
      DATABASE_URL: await targetUrl(database.target),
      KONTOR_KEY_PEPPER: testPepper.toString('utf8'),
    };
    const { organization, tenantA } = fixture.testData;
    const of = ['--organization', organization];
    const commands = [
      ['organization', 'create'],
      ['tenant', 'create', ...of],
      ['division', 'create', '--tenant', tenantA],
      ['key', 'create', ...of, '--all'],
      ['key', 'rotate', key],
      ['user', 'invite', ...of, '--email', 'cli@example.com', '--permission', 'IT'],
      ['platform-token', 'create', '--all', '--permission', 'organizations:read'],
    ];
    for (const command of commands) {
      const run = await kontorHere([...command, '--name', 'gpj.\u202eexe'], variables);
      assert.deepEqual([run.code, run.stdout], [1, ''], command.join(' '));
      assert.match(run.stderr, /name must not contain .* remove U\+202E/, command.join(' '));
    }
  });

  test('but /v1 takes the names of divisions as ever', async () => {
    const ids = namingOperations('public').map(([id]) => id);
    assert.deepEqual(ids, ['createDivision', 'updateDivision']);
    const tenant = fixture.testData.tenantA;
    const name = Object.values(invisible).join('a');
    const created = await fixture.client.post('/divisions', { name }, { tenant });
    assert.deepEqual([created.status, created.body.name], [201, name]);
    const path = `/divisions/${created.body.id}`;
    const updated = await fixture.client.patch(path, { name: `b${name}` }, { tenant });
    assert.deepEqual([updated.status, updated.body.name], [200, `b${name}`]);
  });
});

/** Finds what a mail program would make a link of: with any scheme or ending that is named here. */
const linkifier = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true })
  .tlds(['com', 'example', 'zip'], true)
  .add('tel:', { validate: (text, from) => /^\+?\d+/.exec(text.slice(from))?.[0].length ?? 0 });

const publicUrl = 'https://kontor.example.com';

/** The links in a text that do not lead to the service, as a program reads it that knows the dots of international domains (RFC 3490). */
function strayLinks(text: string): string[] {
  const read = text.normalize('NFKC').replaceAll('\u3002', '.');
  return (linkifier.match(read) ?? []).map(({ url }) => url).filter(url => !url.startsWith(publicUrl));
}

/** The text of HTML between its tags, which mail programs look for links in, too. */
function wordsOf(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const words = html.replaceAll(/<[^>]*>/g, '\n');
  return words.replaceAll(/&(#?\w+);/g, (_, name: string) => entities[name]!);
}

/** Names as a user may enter them, or stored before they were rejected, and how they are read in a mail. */
const hostile: Record<string, string> = {
  'https://evil.example/pay?a=b': 'https: / /evil. example/pay?a=b',
  'www.evil.com': 'www. evil. com',
  'booking.com': 'booking. com',
  'Petra Lang (petra@evil.example)': 'Petra Lang (petra @ evil. example)',
  'mailto:petra@evil.example': 'mailto: petra @ evil. example',
  'tel:+4989123456': 'tel: +4989123456',
  '//evil.example and http://127.0.0.1/': '/ /evil. example and http: / /127.0.0.1/',
  'evil\u3002com, evil\uff0ecom and evil\uff61zip': 'evil\u3002 com, evil\uff0e com and evil\uff61 zip',
  '1.evil.2.example': '1. evil. 2. example',
  '<a href="https://evil.example">Pay</a>': '<a href="https: / /evil. example">Pay</a>',
  'Petra\r\nBcc: eve@evil.example\r\n\r\nhttps://evil.example':
    'Petra Bcc: eve @ evil. example https: / /evil. example',
  'evil.\u202eexample.com\u2028www.evil.com': 'evil. example. com www. evil. com',
};

/** Queues a mail of each kind to the user, about the key. */
async function queueAll(): Promise<void> {
  const { sql, testData } = fixture;
  const keyEnd = new Date(Date.now() + 7 * 86_400_000);
  await sql`
    UPDATE api_key SET last_success_at = ${new Date(Date.now() - 3 * 3_600_000)}, expected_interval = 3600, expires_at = ${keyEnd}
    WHERE organization_id = ${testData.organization} AND id = ${key}`;
  await new Writes(sql).runWithoutClock(callOf(testData.organization, operator), write => {
    const link = newLink(testData.organization, testPepper, write.at);
    updateLink(write, user, link);
    mailLink(write, 'invitation', user, link);
    mailLink(write, 'password_reset', user, link);
    const to = { userId: user, expiresAt: keyEnd };
    queueMail(write, { ...to, kind: { name: 'key_no_recent_activity' }, details: { keys: [key] } });
    queueMail(write, { ...to, kind: { name: 'key_reminder' }, details: { keys: [key] } });
  });
}

/** Sends a mail of each kind, with this name of the user and of the key. */
async function mailsWith(name: string): Promise<readonly ReceivedMail[]> {
  const { sql, testData } = fixture;
  await sql`UPDATE portal_user SET name = ${name} WHERE organization_id = ${testData.organization} AND id = ${user}`;
  await sql`UPDATE api_key SET name = ${name} WHERE organization_id = ${testData.organization} AND id = ${key}`;
  await queueAll();
  const kinds = [
    ...linkMails({ pepper: testPepper, publicUrl }),
    noticeMail(noRecentActivity, publicUrl),
    noticeMail(expiryReminder, publicUrl),
  ];
  const from = server.mails.length;
  assert.equal((await sendOnce(sql, server, { kinds })).error, null);
  return server.mails.slice(from);
}

describe('a name in a mail is no link', () => {
  before(async () => {
    const { sql, testData } = fixture;
    const organizationId = testData.organization;
    const made = await createKey(sql, testPepper, { organizationId, name: 'K', quota: null, grants: 'all' });
    key = made.id;
  });

  for (const [name, readable] of Object.entries(hostile))
    test(JSON.stringify(name), async () => {
      assert.ok(strayLinks(name).length > 0, 'the name has no link to begin with');
      const mails = await mailsWith(name);
      assert.equal(mails.length, 4);
      for (const { headers, text, html } of mails) {
        const to = headers['to']!.replace(/<[^<>]*>$/, '');
        for (const each of [headers['subject']!, to, text, wordsOf(html)])
          assert.deepEqual(strayLinks(each), [], each);
        for (const [, address] of html.matchAll(/href="([^"]*)"/g)) assert.ok(address!.startsWith(publicUrl));
        assert.equal(headers['bcc'], undefined);
        assert.ok(text.startsWith(`Hello ${readable},\n\n`), text);
        assert.ok(wordsOf(html).includes(`Hello ${readable},`), html);
      }
      const reminder = mails.find(({ headers }) => headers['subject']!.includes('expires on'))!;
      assert.ok(reminder.headers['subject']!.startsWith(`The API key "${readable}" expires on`));
      assert.ok(reminder.text.includes(`\n- ${readable}: expires on`));
    });

  test('names without addresses stay as they are', async () => {
    for (const name of ['Dr. Petra Lang-Müller', 'Muster GmbH & Co. KG', 'Payroll 2.0, 24.12. 14:05 / 3:1']) {
      const [mail] = await mailsWith(name);
      assert.ok(mail!.text.startsWith(`Hello ${name},\n`), mail!.text);
    }
  });
});
