import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { parseKey } from '../../../../src/auth/api-keys.ts';
import {
  noRecentActivity,
  noRecentActivityJob,
  Uptime,
} from '../../../../src/features/keys/notices/no-recent-activity.ts';
import { noticeMail, notifyByMail } from '../../../../src/features/keys/notices/notice.ts';
import { runOnce } from '../../../jobs/support.ts';
import { sendOnce } from '../../../mail/support.ts';
import { useFixture } from '../../../support/service/fixture.ts';
import { type MailServer, startMailServer } from '../../../support/servers/mail-server.ts';
import { startService } from '../../../support/service/service.ts';
import { activeUser, invitedUser } from '../../../support/data/users.ts';
import { testKey } from '../../../support/data/test-data.ts';

const fixture = useFixture();
let server: MailServer;
before(async () => {
  server = await startMailServer();
});
after(() => server?.close());

const publicUrl = 'https://kontor.example.com';
/** Of a process that has run for an hour. */
let now = 0;
const uptime = new Uptime(Infinity, () => now);
uptime.record();
now = 3_600_000;
const job = noRecentActivityJob(new Registry(), notifyByMail(noRecentActivity), uptime);
const send = () => sendOnce(fixture.sql, server, { kinds: [noticeMail(noRecentActivity, publicUrl)] });

/** A key of which nothing was heard for three hours, where it should be every hour. */
async function quietKey(): Promise<string> {
  const { sql, testData } = fixture;
  const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
  await heardOf(id, 3);
  return id;
}

async function heardOf(id: string, hoursAgo: number): Promise<void> {
  await fixture.sql`
    UPDATE api_key SET last_success_at = ${new Date(Date.now() - hoursAgo * 3_600_000)}, expected_interval = 3600
    WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
}

describe('a mail about keys without recent activity', () => {
  before(async () => {
    const { sql, testData } = fixture;
    const user = async (email: string, more: object) =>
      (await activeUser(sql, testData.organization, { email, ...more })).id;
    await user('it-de@example.com', { permissions: ['IT'], language: 'de' });
    await user('it-en@example.com', { permissions: ['IT', 'HR'], hrTenants: null, language: 'en' });
    await user('hr@example.com', { permissions: ['HR'], hrTenants: null });
    await invitedUser(sql, testData.organization, { email: 'invited@example.com', permissions: ['IT'] });
    const gone = await user('gone@example.com', { permissions: ['IT'] });
    await sql`
      UPDATE portal_user SET deactivated_at = ${new Date()} WHERE organization_id = ${testData.organization} AND id = ${gone}`;
  });

  test('goes once to each user of IT who can sign in, in their language, about all keys together', async () => {
    const keys = [await quietKey(), await quietKey()];
    await runOnce(fixture.sql, job);
    await runOnce(fixture.sql, job);
    assert.equal((await send()).error, null);
    const mails = await server.received(2);
    assert.deepEqual(mails.map(({ to }) => to).sort(), ['it-de@example.com', 'it-en@example.com']);
    for (const { to, headers, text } of mails) {
      const german = to === 'it-de@example.com';
      assert.equal(
        headers['subject'],
        german ? 'Keine Aktivität von 2 API-Schlüsseln' : '2 API keys have no recent activity',
      );
      for (const id of keys) assert.ok(text.includes(`${publicUrl}/portal/settings/api-keys/${id}`), text);
      // Also of a key that has never succeeded, and is watched since then.
      assert.match(
        text,
        german ? /Keine Aktivität, kein Erfolg seit/ : /No recent activity, no success since/,
      );
    }
    await send();
    assert.equal(server.mails.length, 2);
    for (const id of keys) await heardOf(id, 0);
  });

  test('names the health state: a failing key is called so, and one that is being replaced is left out', async () => {
    const { sql, testData } = fixture;
    const [failing, replaced] = [await quietKey(), await quietKey()];
    await sql`
      UPDATE api_key SET recent_failures = B'0000111111' WHERE organization_id = ${testData.organization} AND id = ${failing}`;
    await sql`
      UPDATE api_key SET replaced_by = ${await quietKey()} WHERE organization_id = ${testData.organization} AND id = ${replaced}`;
    const before = server.mails.length;
    await runOnce(sql, job);
    await send();
    const mails = (await server.received(before + 2)).slice(before);
    const [german, english] = ['it-de', 'it-en'].map(
      name => mails.find(({ to }) => to === `${name}@example.com`)!.text,
    );
    assert.match(german!, /Anfragen schlagen fehl, kein Erfolg seit/);
    assert.match(english!, /Failing, no success since/);
    for (const text of [german!, english!]) assert.ok(text.includes(failing) && !text.includes(replaced));
    await sql`UPDATE api_key SET status = 'inactive' WHERE organization_id = ${testData.organization} AND id = ${failing}`;
    await sql`UPDATE api_key SET expected_interval = NULL, watched_from = NULL, last_success_at = NULL`;
  });

  test('leaves out what was heard of meanwhile, and is not sent without any', async () => {
    const [first, second] = [await quietKey(), await quietKey()];
    await runOnce(fixture.sql, job);
    await heardOf(first, 0);
    const before = server.mails.length;
    await send();
    const [mail] = (await server.received(before + 2)).slice(before);
    assert.ok(!mail!.text.includes(first) && mail!.text.includes(second));
    await heardOf(second, 3);
    await heardOf(first, 3);
    await fixture.sql`
      UPDATE api_key SET no_recent_activity_reported_at = NULL WHERE organization_id = ${fixture.testData.organization} AND id = ${first}`;
    await runOnce(fixture.sql, job);
    await heardOf(first, 0);
    const then = server.mails.length;
    await send();
    assert.equal(server.mails.length, then);
    assert.deepEqual(await fixture.sql`SELECT FROM mail`, []);
    await heardOf(second, 0);
  });

  test('goes to the company administrators where no IT user can sign in, also to users who sign in at an issuer only', async () => {
    const { sql, testData } = fixture;
    const organization = testData.organization;
    const { id } = await invitedUser(sql, organization, {
      email: 'admin@example.com',
      permissions: ['COMPANY_ADMIN'],
    });
    await sql`UPDATE portal_user SET identity_key = 'x' WHERE organization_id = ${organization} AND id = ${id}`;
    await sql`
      UPDATE portal_user SET deactivated_at = created_at WHERE organization_id = ${organization} AND email LIKE 'it-%'`;
    const key = await quietKey();
    await runOnce(sql, job);
    const before = server.mails.length;
    await send();
    const mails = (await server.received(before + 1)).slice(before);
    assert.deepEqual(
      mails.map(({ to }) => to),
      ['admin@example.com'],
    );
    await heardOf(key, 0);
    await sql`DELETE FROM portal_user WHERE organization_id = ${organization} AND id = ${id}`;
    await sql`UPDATE portal_user SET deactivated_at = NULL WHERE organization_id = ${organization} AND email LIKE 'it-%'`;
  });

  test('is sent by the service itself', { timeout: 60_000 }, async () => {
    const id = await quietKey();
    await fixture.sql`
      UPDATE api_key SET expected_interval = 1 WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
    const before = server.mails.length;
    const service = await startService(fixture.sql, { jobInterval: 1, mail: server.settings });
    const metric = async () => {
      const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
      return /^kontor_keys_without_recent_activity (\d+)$/m.exec(text)?.[1];
    };
    try {
      await server.received(before + 2);
      assert.equal(await metric(), '1');
    } finally {
      await service.stop();
    }
    assert.equal(server.mails.length, before + 2);
  });
});
