import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Notifications, UserCreate } from '@kontor/contract';
import { newId } from '../../src/db/ids.ts';
import { daysAgo } from '../jobs/support.ts';
import { storePlannedImport } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { backdateOrders, orderInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollSettings } from '../support/data/payroll-runs.ts';
import { testKey } from '../support/data/test-data.ts';
import { parseKey } from '../../src/auth/api-keys.ts';
import { type SignedInUser, signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

/** Keys are usual for IT where a user has this permission. */
const fixture = usePortal(async () => {
  await userWith(['IT']);
});

type Kind = Notifications['items'][number]['kind'];
const all: UserCreate['permissions'] = ['IT', 'HR', 'COMPANY_ADMIN', 'PAYROLL_RUN', 'PAYROLL_RELEASE'];

async function userWith(
  permissions: UserCreate['permissions'],
  hrTenants?: UserCreate['hrTenants'],
): Promise<SignedInUser> {
  const { sql, testData } = fixture;
  const more = { permissions, ...(hrTenants !== undefined && { hrTenants }) };
  const user = await signedInUser(sql, testData.organization, more);
  await sql`UPDATE portal_user SET created_at = ${new Date(daysAgo(30))}, password_hash = 'x' WHERE id = ${user.user.id}`;
  return user;
}

const bell = async ({ secret }: SignedInUser): Promise<Notifications> =>
  (await fixture.portal.get('/summary', { key: secret })).body.notifications;
/** The kinds of the items, with the number of them or of what they count. */
const counts = ({ items }: Notifications) =>
  Object.fromEntries(items.map(({ kind, count }) => [kind, count])) as Partial<Record<Kind, number>>;
const read = ({ secret }: SignedInUser, until: string, query = {}) =>
  fixture.portal.post('/notifications/reading', { until }, { key: secret, query });
const settings = async ({ secret }: SignedInUser) =>
  (await fixture.portal.get('/notification-settings', { key: secret })).body;
const change = ({ secret }: SignedInUser, body: object) =>
  fixture.portal.patch('/notification-settings', body, { key: secret });

/** Stores an order under review, of a few minutes ago. */
async function orderOf(tenantId: string, minutes = 2): Promise<void> {
  const { sql, testData } = fixture;
  const target = { organizationId: testData.organization, tenantId };
  const [employee] = await storeEmployees(sql, testData.organization, [{ tenant: tenantId }]);
  const input = orderInput({
    status: 'under_review',
    submittedAt: daysAgo(0),
    employeeId: employee!.id,
  });
  const [order] = await storeOrders(sql, target, [input]);
  await backdateOrders(sql, [order!.id], minutes);
}

async function failingKey(grants: Parameters<typeof testKey>[2]): Promise<string> {
  const { sql, testData } = fixture;
  const { id } = parseKey(await testKey(sql, testData.organization, grants))!;
  const at = new Date(Date.now() - 60_000);
  await sql`UPDATE api_key SET recent_failures = B'0000111111', failing_reported_at = ${at} WHERE id = ${id}`;
  return id;
}

async function storeEndedImport(tenant: string, userId: string): Promise<string> {
  const { sql, testData } = fixture;
  const id = await storePlannedImport(sql, testData.organization, tenant);
  const by = JSON.stringify({ type: 'user', id: userId, name: 'x' });
  await sql`
    UPDATE employee_import SET status = 'applied', ended_at = ${new Date(Date.now() - 60_000)}, created_by = ${by}::jsonb
    WHERE id = ${id}`;
  return id;
}

describe('getPortalSummary 200: notifications', () => {
  before(async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA, tenantB } = testData;
    await orderOf(tenantA);
    await orderOf(tenantB);
    for (const tenant of [tenantA, tenantB])
      await storePayrollSettings(sql, organization, tenant, { firstPeriod: '2020-01', cutOffDay: null });
    await failingKey({ tenants: [tenantA] });
    await failingKey('all');
  });

  test('are within scope and permissions of the user', async () => {
    const { tenantA } = fixture.testData;
    const countsFor = async (...given: Parameters<typeof userWith>) =>
      counts(await bell(await userWith(...given)));
    assert.deepEqual(await countsFor(['HR'], null), { new_orders: 2 });
    assert.deepEqual(await countsFor(['HR'], [tenantA]), { new_orders: 1 });
    assert.deepEqual(await countsFor(['COMPANY_ADMIN']), {}, 'IT looks after the keys');
    const it = await bell(await userWith(['IT']));
    assert.deepEqual(
      it.items.map(({ kind }) => kind),
      ['failing_key', 'failing_key'],
    );
    const payroll = await bell(await userWith(['HR', 'PAYROLL_RUN'], [tenantA]));
    assert.deepEqual(counts(payroll), { new_orders: 1, payroll_due: 1 });
    const [due] = payroll.items.filter(({ kind }) => kind === 'payroll_due');
    assert.deepEqual(
      [due!.tenant, due!.name, due!.month],
      [tenantA, 'Muster GmbH', new Date().toISOString().slice(0, 7)],
    );
  });

  test('have finished imports of the user alone, and of companies of the user', async () => {
    const { tenantA, tenantB } = fixture.testData;
    const user = await userWith(['HR'], [tenantA]);
    const id = await storeEndedImport(tenantA, user.user.id);
    await storeEndedImport(tenantB, user.user.id);
    await storeEndedImport(tenantA, newId());
    const { items } = await bell(user);
    assert.deepEqual(
      items.filter(({ kind }) => kind === 'finished_import').map(item => [item.id, item.name, item.isFailed]),
      [[id, 'Muster GmbH', false]],
    );
  });

  test('are one item where there are many of a kind', async () => {
    const { tenantA } = fixture.testData;
    const user = await userWith(['HR'], [tenantA]);
    for (let n = 0; n < 6; n++) await storeEndedImport(tenantA, user.user.id);
    const items = (await bell(user)).items.filter(({ kind }) => kind === 'finished_import');
    assert.deepEqual(
      items.map(({ id, name, count, unread }) => [id, name, count, unread]),
      [[null, null, 6, 6]],
    );
  });

  test('readNotifications 200: all until an instant are read, and later ones are not', async () => {
    const { tenantA } = fixture.testData;
    const user = await userWith(['HR'], [tenantA]);
    const before = await bell(user);
    assert.equal(before.unread, 1);
    assert.equal(outcome(await read(user, before.until, { dryRun: true })), '200');
    assert.equal((await bell(user)).unread, 1);
    assert.equal((await read(user, before.until)).body.until, before.until);
    assert.deepEqual(counts(await bell(user)), counts(before));
    assert.equal((await bell(user)).unread, 0);
    assert.equal(outcome(await read(user, daysAgo(20))), '200');
    assert.equal((await bell(user)).unread, 0, 'the instant never moves back');
    const { body } = await read(user, daysAgo(-20));
    assert.ok(Date.parse(body.until) <= Date.now(), 'nor into the future');
  });

  test('leave out what other transactions could still store with an earlier instant', async () => {
    const { tenantA } = fixture.testData;
    const user = await userWith(['HR'], [tenantA]);
    const { items, until } = await bell(user);
    await orderOf(tenantA, 0);
    assert.deepEqual(counts(await bell(user)), counts({ items, until, unread: 0 }));
  });
});

describe('updateNotificationSettings', () => {
  test('200: the usual kinds follow from the permissions; a chosen kind stays chosen, and a declined one declined', async () => {
    const { sql, testData } = fixture;
    const user = await userWith(['HR'], null);
    const usual = await settings(user);
    assert.deepEqual(usual, {
      mailsAreSent: false,
      byMail: true,
      offered: ['new_orders', 'expiring_orders', 'finished_import', 'failing_key'],
      chosen: ['new_orders', 'expiring_orders', 'finished_import'],
    });
    const chosen = ['expiring_orders', 'failing_key'];
    const changed = await change(user, { chosen, byMail: false });
    assert.deepEqual(changed.body, { ...usual, chosen, byMail: false });
    assert.deepEqual(await settings(user), changed.body);
    assert.equal(
      (await bell(user)).items.some(({ kind }) => kind === 'new_orders'),
      false,
    );
    await sql`UPDATE portal_user SET payroll_permissions = '{PAYROLL_RUN}' WHERE id = ${user.user.id}`;
    assert.deepEqual((await settings(user)).chosen, ['expiring_orders', 'payroll_due', 'failing_key']);
    const entries = await sql<{ fields: string[] }[]>`
      SELECT fields FROM audit WHERE organization_id = ${testData.organization} AND target_id = ${user.user.id}
        AND action = 'user.set_notifications'`;
    assert.deepEqual(
      entries.map(({ fields }) => fields),
      [['byMail', 'chosen']],
    );
  });

  test('200: a change that changes nothing is not audited', async () => {
    const user = await userWith(all, null);
    const { chosen } = await settings(user);
    assert.equal(outcome(await change(user, { chosen: chosen.toReversed() })), '200');
    const entries = await fixture.sql`
      SELECT FROM audit WHERE target_id = ${user.user.id} AND action = 'user.set_notifications'`;
    assert.equal(entries.length, 0);
  });

  test('422 VALIDATION_ERROR: a kind needs the permission that shows what it is about', async () => {
    const user = await userWith(['IT']);
    assert.equal(outcome(await change(user, { chosen: ['new_orders'] })), '422 VALIDATION_ERROR');
  });

  test('the choices go with the user', async () => {
    const { sql, portal } = fixture;
    const admin = await userWith(['COMPANY_ADMIN']);
    const user = await userWith(['HR'], null);
    await change(user, { byMail: false });
    const { status } = await portal.request('DELETE', `/users/${user.user.id}`, { key: admin.secret });
    assert.equal(status, 200);
    assert.deepEqual(await sql`SELECT FROM user_notification WHERE user_id = ${user.user.id}`, []);
  });
});
