import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { notificationSources } from '../../src/app/notifications.ts';
import { digestJob, digestMail } from '../../src/features/users/notifications/digest.ts';
import { daysAgo, runOnce } from '../jobs/support.ts';
import { storePlannedImport } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { backdateOrders, orderInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollSettings } from '../support/data/payroll-runs.ts';
import { activeUser } from '../support/data/users.ts';
import { useFixture } from '../support/service/fixture.ts';
import { startServiceProcess } from '../support/service/kontor.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../support/servers/mail-server.ts';
import { sendOnce } from './support.ts';

const fixture = useFixture();
let server: MailServer;
before(async () => {
  server = await startMailServer();
});
after(() => server?.close());

const publicUrl = 'https://kontor.example.com';

/** A time of the day that was so many minutes ago. */
function timeAgo(minutes: number) {
  const at = new Date(Date.now() - minutes * 60_000);
  return { hour: at.getUTCHours(), minute: at.getUTCMinutes(), zone: 'UTC' };
}

/** Runs the job as if its time were just now, sends, and answers the mails by the name in the address. */
async function digests(): Promise<Map<string, ReceivedMail>> {
  const before = server.mails.length;
  await runOnce(fixture.sql, digestJob(timeAgo(1)));
  await sendOnce(fixture.sql, server, { kinds: [digestMail(notificationSources, publicUrl)] });
  return new Map(server.mails.slice(before).map(mail => [mail.to.split('@')[0]!, mail]));
}

/** As if a day had gone by: all users had their last digest so many minutes ago. */
const lastDigest = (minutes: number) =>
  fixture.sql`
    INSERT INTO user_notification (organization_id, user_id, digest_at)
    SELECT organization_id, id, ${new Date(Date.now() - minutes * 60_000)} FROM portal_user
    ON CONFLICT (organization_id, user_id) DO UPDATE SET digest_at = excluded.digest_at`;

async function orderOf(tenantId: string, { minutes = 5, submittedAt = daysAgo(0) } = {}) {
  const { sql, testData } = fixture;
  const { organization: organizationId } = testData;
  const [employee] = await storeEmployees(sql, organizationId, [{ tenant: tenantId }]);
  const order = orderInput({ status: 'under_review', submittedAt, employeeId: employee!.id });
  const [stored] = await storeOrders(sql, { organizationId, tenantId }, [order]);
  await backdateOrders(sql, [stored!.id], minutes);
  orders.push(stored!.id);
}

const orders: string[] = [];

const lines = (mail: ReceivedMail | undefined) =>
  (mail?.text ?? '')
    .split('\n')
    .filter(line => line.startsWith('- '))
    .map(line => line.slice(2));

describe('the digest', () => {
  let hr: string;
  before(async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA, foreign } = testData;
    const user = async (name: string, more: object, of = organization) =>
      (await activeUser(sql, of, { email: `${name}@example.com`, ...more })).id;
    hr = await user('hr', { permissions: ['HR'], hrTenants: null, language: 'en' });
    await user('hr-a', { permissions: ['HR'], hrTenants: [tenantA], language: 'de' });
    await user('it', { permissions: ['IT'] });
    await user('foreign', { permissions: ['HR'], hrTenants: null }, foreign.organization);
    await sql`UPDATE portal_user SET created_at = ${new Date(daysAgo(3))}`;
  });

  test('counts new orders in the companies of each user, in their language, with links and no names', async () => {
    const { tenantA, tenantB } = fixture.testData;
    await orderOf(tenantA);
    await orderOf(tenantB);
    const mails = await digests();
    assert.deepEqual([...mails.keys()].sort(), ['hr', 'hr-a']);
    assert.equal(mails.get('hr')!.headers['subject'], 'New in Kontor');
    assert.equal(mails.get('hr-a')!.headers['subject'], 'Neues in Kontor');
    assert.deepEqual(lines(mails.get('hr')), ['2 new orders (waiting for a decision in total: 2): Show']);
    assert.deepEqual(lines(mails.get('hr-a')), ['1 neue Bestellung (insgesamt zu entscheiden: 1): Ansehen']);
    assert.match(mails.get('hr')!.text, /https:\/\/kontor\.example\.com\/portal\/orders\n/);
    for (const { raw } of mails.values()) assert.doesNotMatch(raw, /A-[0-9a-f]{12}|Muster/);
  });

  test('comes at most once a day, and only with something new', async () => {
    const { tenantA } = fixture.testData;
    await orderOf(tenantA, { minutes: 1 });
    assert.equal((await digests()).size, 0, 'a second one on the day');
    await lastDigest(24 * 60);
    await fixture.sql`UPDATE user_notification SET read_until = ${new Date()} WHERE user_id = ${hr}`;
    assert.deepEqual([...(await digests()).keys()], ['hr-a'], 'the other one has read it in the portal');
    await fixture.sql`UPDATE user_notification SET read_until = NULL`;
    await lastDigest(24 * 60);
    await backdateOrders(fixture.sql, orders, 2 * 24 * 60);
    assert.equal((await digests()).size, 0, 'nothing is new');
    assert.deepEqual(await fixture.sql`SELECT FROM mail`, []);
  });

  test('names orders that expire within three days', async () => {
    const { sql, testData } = fixture;
    await sql`UPDATE tenant SET decision_days = 14 WHERE id = ${testData.tenantB}`;
    await lastDigest(24 * 60);
    await orderOf(testData.tenantB, { minutes: 3 * 24 * 60, submittedAt: daysAgo(11.5) });
    assert.deepEqual(lines((await digests()).get('hr')), [
      '1 order expires within three days without a decision: Show',
    ]);
    await sql`UPDATE tenant SET decision_days = NULL`;
  });

  test('names the month of payroll that is due to users of payroll, and finished imports to those who began them', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA } = testData;
    await storePayrollSettings(sql, organization, tenantA, {
      firstPeriod: '2020-01',
      cutOffDay: new Date(Date.now() - 2 * 86_400_000).getUTCDate(),
    });
    const id = await storePlannedImport(sql, organization, tenantA);
    await sql`
      UPDATE employee_import SET status = 'failed', ended_at = ${new Date(Date.now() - 600_000)},
        created_by = ${JSON.stringify({ type: 'user', id: hr, name: 'x' })}::jsonb WHERE id = ${id}`;
    await lastDigest(3 * 24 * 60);
    await sql`UPDATE portal_user SET payroll_permissions = '{PAYROLL_RUN}' WHERE id = ${hr}`;
    const mails = await digests();
    const month = new Date(Date.now() - 2 * 86_400_000).toLocaleDateString('en-GB', {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    });
    const read = lines(mails.get('hr')).filter(line => !line.includes('order'));
    assert.deepEqual(read, [
      `Payroll for ${month} is due: Muster GmbH: Show`,
      'Your import has failed: Muster GmbH: Show',
    ]);
    assert.match(mails.get('hr')!.text, new RegExp(`/portal/payroll\\?company=${tenantA}&month=2`));
    assert.match(mails.get('hr')!.text, new RegExp(`/portal/imports\\?company=${tenantA}&import=${id}`));
    assert.ok(!mails.has('hr-a') || !/Muster/.test(mails.get('hr-a')!.text));
  });

  test('is decided when it is sent: not for a user who has declined, lost the permission or is inactive by then', async () => {
    const { sql, testData } = fixture;
    await lastDigest(24 * 60);
    await orderOf(testData.tenantA, { minutes: 2 });
    await runOnce(sql, digestJob(timeAgo(1)));
    await sql`UPDATE user_notification SET declined = '{new_orders,finished_import}' WHERE user_id = ${hr}`;
    await sql`UPDATE portal_user SET permissions = '{IT}' WHERE email = 'hr-a@example.com'`;
    const before = server.mails.length;
    await sendOnce(sql, server, { kinds: [digestMail(notificationSources, publicUrl)] });
    assert.equal(server.mails.length, before);
    assert.deepEqual(await sql`SELECT FROM mail`, []);
    await sql`UPDATE user_notification SET declined = '{}', by_mail = user_id <> ${hr}`;
    await sql`UPDATE portal_user SET permissions = '{HR}' WHERE email = 'hr-a@example.com'`;
    await lastDigest(24 * 60);
    await orderOf(testData.tenantA, { minutes: 2 });
    assert.deepEqual([...(await digests()).keys()], ['hr-a'], 'the other one gets no mails');
    await sql`UPDATE user_notification SET by_mail = true`;
  });

  test('comes from the time of the day on, in the time zone', async () => {
    const { sql } = fixture;
    await lastDigest(60);
    assert.deepEqual((await runOnce(sql, digestJob(timeAgo(90)))).writes, [], 'the last one was after it');
    assert.deepEqual((await runOnce(sql, digestJob(timeAgo(-5)))).writes, [], 'it is later today');
    const local = new Date().toLocaleTimeString('en-GB', {
      timeZone: 'Asia/Tokyo',
      hour: '2-digit',
      minute: '2-digit',
    });
    const [hour, minute] = local.split(':').map(Number) as [number, number];
    const { writes } = await runOnce(sql, digestJob({ hour, minute, zone: 'Asia/Tokyo' }));
    assert.ok(writes.reduce((sum, count) => sum + count, 0) >= 2);
    await sql`DELETE FROM mail`;
  });

  test('is sent once by two processes at once', { timeout: 60_000 }, async () => {
    const { sql, testData } = fixture;
    await lastDigest(24 * 60);
    await orderOf(testData.tenantA, { minutes: 2 });
    const before = server.mails.length;
    const time = timeAgo(1);
    const variables = {
      ...server.variables,
      DATABASE_URL: fixture.databaseUrl,
      KONTOR_JOB_INTERVAL: '1',
      KONTOR_DIGEST_TIME: `${String(time.hour).padStart(2, '0')}:${String(time.minute).padStart(2, '0')} UTC`,
    };
    const processes = await Promise.all([
      startServiceProcess({ variables }),
      startServiceProcess({ variables }),
    ]);
    await server.received(before + 2);
    while ((await sql`SELECT FROM mail LIMIT 1`).length > 0)
      await new Promise(resolve => setTimeout(resolve, 20));
    await Promise.all(processes.map(each => each.end('SIGTERM')));
    const recipients = server.mails.slice(before).map(({ to }) => to);
    assert.deepEqual(recipients.toSorted(), ['hr-a@example.com', 'hr@example.com']);
  });
});
