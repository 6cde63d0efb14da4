import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import type { Order, OrderDetails } from '@kontor/contract';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { type FileStore, FileStoreError } from '../../src/files/file-store.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { startService } from '../support/service/service.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

let petra: { id: string; key: string };
let jonas: { id: string; key: string };
const fixture = usePortal(async ({ sql, testData }) => {
  const person = async (name: string) => {
    const allowed = { name, permissions: ['HR' as const], hrTenants: [testData.tenantA] };
    const { user, secret: key } = await signedInUser(sql, testData.organization, allowed);
    return { id: user.id, key };
  };
  [petra, jonas] = [await person('Petra Lang'), await person('Jonas Meier')];
});

async function underReview(employee: { blocked?: boolean } = {}, more: object = {}): Promise<Order> {
  const { sql, testData } = fixture;
  const { organization: organizationId, tenantA: tenantId } = testData;
  const [person] = await storeEmployees(sql, organizationId, [{ tenant: tenantId, ...employee }]);
  const input = orderInput({ employeeId: person!.id, ...more });
  const [order] = await storeOrders(sql, { organizationId, tenantId }, [input]);
  return order!;
}

const decide = (id: string, { key }: { key: string }, decision: 'approved' | 'rejected' = 'approved') =>
  fixture.portal.post(`/orders/${id}/decision`, { decision, comment: 'Budget geprüft' }, { key });
const details = async (id: string, { key }: { key: string }) =>
  (await fixture.portal.get<OrderDetails>(`/orders/${id}`, { key })).body;

describe('a decision in the portal', () => {
  test('has the user as its source, and the name of the user is shown', async () => {
    const { id } = await underReview();
    const { hrHistory, status } = (await decide(id, petra)).body as Order;
    assert.equal(status, 'approved');
    assert.deepEqual([hrHistory!.source, hrHistory!.decisionBy], ['user', petra.id]);
    const { order, employee, decidedBy } = await details(id, jonas);
    assert.deepEqual([order.hrHistory, employee!.id, decidedBy], [hrHistory, order.employeeId, 'Petra Lang']);
  });

  test('is audited under the name of the user', async () => {
    const { id } = await underReview();
    await decide(id, petra);
    const [entry] = await fixture.sql`
      SELECT action, actor_type, actor_name FROM audit WHERE target_id = ${id} AND action = 'order.decide'`;
    assert.deepEqual({ ...entry }, { action: 'order.decide', actor_type: 'user', actor_name: 'Petra Lang' });
  });

  test('is the newest change of the history, which has all changes of the order and no other', async () => {
    const [{ id }, other] = [await underReview(), await underReview()];
    await decide(other.id, petra);
    await decide(id, jonas, 'rejected');
    const { history } = await details(id, petra);
    const [decided] = history;
    assert.deepEqual([decided!.action, decided!.actorName], ['order.decide', 'Jonas Meier']);
    const entries = await fixture.sql`SELECT id FROM audit WHERE target_id = ${id} ORDER BY at DESC`;
    assert.deepEqual(
      history.map(change => change.id),
      entries.map(entry => entry['id']),
    );
  });

  test('of two people at once counts once, and the second one reads by whom it was made', async () => {
    const { id } = await underReview();
    const answers = await Promise.all([decide(id, petra), decide(id, jonas, 'rejected')]);
    const [made, late] = answers.toSorted((one, two) => one.status - two.status);
    assert.deepEqual([outcome(made!), outcome(late!)], ['200', '409 ORDER_ALREADY_DECIDED']);
    const { order, decidedBy } = await details(id, jonas);
    assert.deepEqual(order, made!.body);
    assert.equal(decidedBy, order.hrHistory!.decisionBy === petra.id ? 'Petra Lang' : 'Jonas Meier');
  });

  test('409 INVALID_STATE_TRANSITION: an order that has expired', async () => {
    const { id } = await underReview({}, { status: 'expired' });
    assert.equal(outcome(await decide(id, petra)), '409 INVALID_STATE_TRANSITION');
  });

  test('422 EMPLOYEE_BLOCKED: an approval for a blocked person, who can be rejected', async () => {
    const { id } = await underReview({ blocked: true });
    assert.equal(outcome(await decide(id, petra)), '422 EMPLOYEE_BLOCKED');
    assert.equal((await decide(id, petra, 'rejected')).status, 200);
  });
});

describe('the work of HR', () => {
  test('is for the tenants of this permission, also for a user who looks after all keys', async () => {
    const { sql, testData, portal } = fixture;
    const allowed = { permissions: ['IT' as const, 'HR' as const], hrTenants: [testData.tenantB] };
    const { secret: key } = await signedInUser(sql, testData.organization, allowed);
    const { id } = await underReview();
    assert.equal(outcome(await portal.get(`/orders/${id}`, { key })), '404 NOT_FOUND');
    assert.equal((await portal.post('/tenants/search', {}, { key })).body.totalElements, 2);
    const tenant = testData.tenantA;
    const rejected = await portal.post('/orders/search', {}, { key, tenant });
    assert.equal(outcome(rejected), '403 TENANT_NOT_IN_SCOPE');
    assert.match(rejected.body.error.message, /is not in the scope of the caller$/);
  });

  test('shows no person whose data were erased', async () => {
    const { id, employeeId } = await underReview();
    await fixture.sql`UPDATE employee SET erased_at = now() WHERE id = ${employeeId}`;
    assert.equal((await details(id, petra)).employee, null);
  });

  test('updatePortalEmployee 409 and 422: a number that another employee has, and a division of another tenant', async () => {
    const { sql, testData, portal } = fixture;
    const tenant = testData.tenantA;
    const [one, two] = await storeEmployees(sql, testData.organization, [
      { tenant, employeeNumber: randomBytes(6).toString('hex') },
      { tenant },
    ]);
    const update = (body: object) => portal.patch(`/employees/${two!.id}`, body, { key: petra.key });
    assert.equal(outcome(await update({ employeeNumber: one!.employeeNumber })), '409 DUPLICATE_RESOURCE');
    assert.equal(outcome(await update({ divisionId: testData.lager })), '422 INVALID_REFERENCE');
    assert.equal((await update({ blocked: true })).body.blocked, true);
  });
});

describe('downloadPortalOrderAttachment', () => {
  const resources = new AsyncDisposableStack();
  after(() => resources.disposeAsync());

  async function withStore(store: Partial<FileStore>): Promise<ApiClient> {
    const files = { store: { ...databaseStore(fixture.sql), ...store }, timeout: 100 };
    const service = await startService(fixture.sql, { files });
    resources.defer(() => service.stop());
    const client = apiClient(service.url, { api: 'portal' });
    resources.defer(() => client.close());
    return client;
  }

  async function attached(): Promise<string> {
    const { sql, testData } = fixture;
    const { id: orderId } = await underReview();
    const document = { kind: 'offer', fileName: 'offer.pdf', mediaType: 'application/pdf' } as const;
    const place = { organizationId: testData.organization, orderId };
    const parts = { db: sql, files: databaseStore(sql) };
    const { id } = await attachToOrder(parts, place, { ...document, bytes: Buffer.from('%PDF-1.7\n') });
    return `/orders/${orderId}/attachments/${id}`;
  }

  test('sends the bytes', async () => {
    const answer = await fixture.portal.get(await attached(), { key: petra.key });
    assert.equal(answer.bytes.toString(), '%PDF-1.7\n');
    // The page shows it, where the public API has it saved.
    assert.match(answer.headers['content-disposition'] as string, /^inline; filename="offer\.pdf"/);
  });

  test('404 FILE_NOT_FOUND, 502 BAD_GATEWAY, 504 GATEWAY_TIMEOUT: a file that is lost, and a store that fails or stalls', async () => {
    const place = await attached();
    const ask = async (open: FileStore['open']) =>
      outcome(await (await withStore({ open })).get(place, { key: petra.key }));
    assert.equal(await ask(() => Promise.reject(new FileStoreError('down'))), '502 BAD_GATEWAY');
    assert.equal(await ask(() => new Promise<never>(() => {})), '504 GATEWAY_TIMEOUT');
    await fixture.sql`DELETE FROM file_slice WHERE file_id = ${place.split('/').at(-1)!}`;
    assert.equal(outcome(await fixture.portal.get(place, { key: petra.key })), '404 FILE_NOT_FOUND');
  });
});
