import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parseKey } from '../../../../src/auth/api-keys.ts';
import { failingKey, keyRecovery } from '../../../../src/features/keys/notices/failing.ts';
import { noRecentActivity } from '../../../../src/features/keys/notices/no-recent-activity.ts';
import { noticeJob, noticeMail, notifyByMail } from '../../../../src/features/keys/notices/notice.ts';
import { runOnce } from '../../../jobs/support.ts';
import { sendOnce } from '../../../mail/support.ts';
import { testKey, type TestGrants } from '../../../support/data/test-data.ts';
import { activeUser } from '../../../support/data/users.ts';
import { type MailServer, startMailServer } from '../../../support/servers/mail-server.ts';
import { useFixture } from '../../../support/service/fixture.ts';

const fixture = useFixture();
let server: MailServer;
before(async () => {
  server = await startMailServer();
});
after(() => server?.close());

const publicUrl = 'https://kontor.example.com';
const job = noticeJob(failingKey, notifyByMail(failingKey));

async function failing(grants: TestGrants = 'all'): Promise<string> {
  const { sql, testData } = fixture;
  const { id } = parseKey(await testKey(sql, testData.organization, grants))!;
  await setFailures(id, '0000111111');
  return id;
}

async function setFailures(id: string, failures: string): Promise<void> {
  await fixture.sql`UPDATE api_key SET recent_failures = ${failures}::bit(10) WHERE id = ${id}`;
}

/** Runs the job and sends; the recipients of the mails about a key, by name. */
async function mailed(key: string): Promise<string[]> {
  const before = server.mails.length;
  await runOnce(fixture.sql, job);
  await sendOnce(fixture.sql, server, { kinds: [noticeMail(failingKey, publicUrl)] });
  return server.mails
    .slice(before)
    .filter(({ text }) => text.includes(key))
    .map(({ to }) => to.split('@')[0]!)
    .sort();
}

const reportedAt = async (id: string) =>
  (
    await fixture.sql<{ at: Date | null }[]>`SELECT failing_reported_at AS at FROM api_key WHERE id = ${id}`
  )[0]!.at;

const choose = (email: string, columns: { by_mail?: boolean; chosen?: string[]; declined?: string[] }) =>
  fixture.sql`
    INSERT INTO user_notification (organization_id, user_id, by_mail, chosen, declined)
    SELECT organization_id, id, ${columns.by_mail ?? true}, ${columns.chosen ?? []}::text[], ${columns.declined ?? []}::text[]
    FROM portal_user WHERE email = ${`${email}@example.com`}
    ON CONFLICT (organization_id, user_id) DO UPDATE
    SET by_mail = excluded.by_mail, chosen = excluded.chosen, declined = excluded.declined`;

describe('a mail about a failing key', () => {
  before(async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA, tenantB } = testData;
    const user = (name: string, more: object) =>
      activeUser(sql, organization, { email: `${name}@example.com`, ...more });
    await user('it-de', { permissions: ['IT'], language: 'de' });
    await user('it-en', { permissions: ['IT'], language: 'en' });
    await user('admin', { permissions: ['COMPANY_ADMIN'] });
    await user('hr-a', { permissions: ['HR'], hrTenants: [tenantA] });
    await user('hr-b', { permissions: ['HR'], hrTenants: [tenantB] });
  });

  test('goes at once to users of IT in their language, and once while it fails', async () => {
    const id = await failing();
    assert.deepEqual(await mailed(id), ['it-de', 'it-en']);
    const subjects = server.mails
      .map(({ to, headers }) => `${to.split('@')[0]} ${headers['subject']}`)
      .sort();
    assert.deepEqual(subjects, [
      'it-de Anfragen eines API-Schlüssels schlagen fehl',
      'it-en An API key is failing',
    ]);
    assert.deepEqual(await mailed(id), []);
    const actions = await fixture.sql<{ action: string }[]>`SELECT action FROM audit WHERE target_id = ${id}`;
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['key.create', 'key.failing'],
    );
    await setFailures(id, '0000000000');
  });

  test('goes also to those who have chosen it and may see the key, and not to those who have declined it', async () => {
    const { tenantA } = fixture.testData;
    await choose('hr-a', { chosen: ['failing_key'] });
    await choose('hr-b', { chosen: ['failing_key'] });
    await choose('admin', { chosen: ['failing_key'], by_mail: false });
    await choose('it-en', { declined: ['failing_key'] });
    const ofTenant = await failing({ tenants: [tenantA] });
    assert.deepEqual(await mailed(ofTenant), ['hr-a', 'it-de']);
    const wholeScope = await failing();
    assert.deepEqual(await mailed(wholeScope), ['it-de']);
    for (const id of [ofTenant, wholeScope]) await setFailures(id, '0000000000');
    await fixture.sql`DELETE FROM user_notification`;
  });

  test('goes to company admins where no user has IT', async () => {
    const { sql } = fixture;
    await sql`UPDATE portal_user SET deactivated_at = created_at WHERE email LIKE 'it-%'`;
    const id = await failing();
    assert.deepEqual(await mailed(id), ['admin']);
    await sql`UPDATE portal_user SET deactivated_at = NULL`;
    await setFailures(id, '0000000000');
  });

  test('leaves out a key that works again before it is sent', async () => {
    const id = await failing();
    await runOnce(fixture.sql, job);
    await setFailures(id, '0000000000');
    assert.deepEqual(await mailed(id), []);
    assert.deepEqual(await fixture.sql`SELECT FROM mail`, []);
  });

  test('comes again for a key that has worked for a day since', async () => {
    const id = await failing();
    assert.deepEqual(await mailed(id), ['it-de', 'it-en']);
    const dayBefore = () =>
      fixture.sql`UPDATE api_key SET failing_reported_at = ${new Date(Date.now() - 25 * 3_600_000)} WHERE id = ${id}`;
    await dayBefore();
    await runOnce(fixture.sql, keyRecovery);
    assert.notEqual(await reportedAt(id), null, 'it still fails');
    await setFailures(id, '0000000000');
    await runOnce(fixture.sql, keyRecovery);
    assert.equal(await reportedAt(id), null);
    await setFailures(id, '0000111111');
    assert.deepEqual(await mailed(id), ['it-de', 'it-en']);
    await setFailures(id, '0000000000');
    await runOnce(fixture.sql, keyRecovery);
    assert.notEqual(await reportedAt(id), null, 'a day is not over');
  });

  test('is not followed by one about missing activity in the same pause', async () => {
    const { sql } = fixture;
    const id = await failing();
    await sql`
      UPDATE api_key SET expected_interval = 3600, last_success_at = ${new Date(Date.now() - 3 * 3_600_000)} WHERE id = ${id}`;
    await mailed(id);
    const quietJob = noticeJob(noRecentActivity, notifyByMail(noRecentActivity));
    assert.deepEqual((await runOnce(sql, quietJob)).writes, []);
  });
});
