import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { apis, type Incident, type IncidentDetails, type IncidentReport } from '@kontor/contract';
import { databaseStore } from '../../src/files/database-store.ts';
import { type FileStore, FileStoreError, FileStoreTooSlow } from '../../src/files/file-store.ts';
import { advance, files } from '../features/incidents/support.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { evidence, storeIncident, storeReporter } from '../support/data/incidents.ts';
import { running } from '../jobs/support.ts';
import { historyInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { startService } from '../support/service/service.ts';
import { signedInUser } from '../support/data/users.ts';
import { outcome, usePortal } from './support.ts';

let key: string;
const fixture = usePortal(async ({ sql, testData }) => {
  const allowed = { permissions: ['HR' as const], hrTenants: [testData.tenantA] };
  ({ secret: key } = await signedInUser(sql, testData.organization, allowed));
});

const place = () => ({ organization: fixture.testData.organization, tenant: fixture.testData.tenantA });
const reporter = (more: object = {}) => storeReporter(fixture.sql, place(), more);
const incident = (more: object = {}) => storeIncident(fixture.sql, place(), more);
const pdf = { bytes: files['application/pdf'], fileName: 'a.pdf' };
const report = (body: object, query: object = {}) =>
  fixture.portal.post<IncidentReport>('/incidents', body, { key, query: { ...query } });

describe('createPortalIncident', () => {
  test('dry run: says which fields a type needs, and stores nothing', async () => {
    const employeeId = await reporter();
    const needed = async (type: string) => {
      const { status, body } = await report({ employeeId, type }, { dryRun: true });
      assert.equal(status, 200);
      return body.missing;
    };
    assert.deepEqual(await needed('damage'), ['orderId', 'occurredOn', 'description']);
    assert.deepEqual(await needed('theft'), ['orderId', 'occurredOn', 'description', 'policeReference']);
    assert.deepEqual(await needed('release'), ['orderId', 'occurredOn', 'effectiveFrom', 'description']);
    const filter = `employeeId = '${employeeId}'`;
    const { body } = await fixture.portal.post('/incidents/search', { filter }, { key });
    assert.equal(body.totalElements, 0);
  });

  test('201: the incident has its address in the portal, and the audit has the user', async () => {
    const { status, headers, body } = await report({ employeeId: await reporter(), type: 'other' });
    assert.equal(status, 201);
    const { id } = body.incident;
    assert.equal(headers['location'], `${apis.portal.prefix}/incidents/${id}`);
    const { history, ...same } = (await fixture.portal.get<IncidentDetails>(`/incidents/${id}`, { key }))
      .body;
    assert.deepEqual(same, { ...body, leave: null });
    assert.deepEqual(
      history.map(({ action, actorType }) => [action, actorType]),
      [['incident.create', 'user']],
    );
    const entries = await fixture.sql`SELECT action, actor_type FROM audit WHERE target_id = ${id}`;
    assert.deepEqual(
      entries.map(entry => ({ ...entry })),
      [{ action: 'incident.create', actor_type: 'user' }],
    );
  });

  test('400 INVALID_REFERENCE_ID: an employeeId that is no identifier', async () => {
    assert.equal(outcome(await report({ employeeId: '7', type: 'other' })), '400 INVALID_REFERENCE_ID');
  });

  test('422 EMPLOYEE_NOT_ACTIVATED, EMPLOYEE_BLOCKED, INVALID_REFERENCE, VALIDATION_ERROR: as the public API', async () => {
    const { sql } = fixture;
    const employeeId = await reporter();
    const type = 'other';
    const backwards = { effectiveFrom: '2026-09-02', effectiveTo: '2026-09-01' };
    assert.equal(outcome(await report({ employeeId, type, ...backwards })), '422 VALIDATION_ERROR');
    const blocked = await reporter({ blocked: true });
    assert.equal(outcome(await report({ employeeId: blocked, type })), '422 EMPLOYEE_BLOCKED');
    await sql`UPDATE employee SET activated_at = NULL WHERE id = ${employeeId}`;
    assert.equal(outcome(await report({ employeeId, type })), '422 EMPLOYEE_NOT_ACTIVATED');
    const { organization, tenantB: tenant } = fixture.testData;
    const other = await storeReporter(sql, { organization, tenant });
    const unknown = await report({ employeeId: other, type });
    assert.equal(outcome(unknown), '422 INVALID_REFERENCE');
    // A user has no key.
    assert.match(
      JSON.stringify(unknown.body),
      /employeeId must name an employee in the scope of the caller"/,
    );
  });
});

describe('the order of an incident', () => {
  test('422 INVALID_REFERENCE: one that was not handed over, which the public API accepts', async () => {
    const { tenantA: tenantId, organization: organizationId } = fixture.testData;
    const employeeId = await reporter();
    const target = { organizationId, tenantId };
    const [rejected, active] = await storeOrders(fixture.sql, target, [
      orderInput({ employeeId, status: 'rejected', hrHistory: historyInput('rejected') }),
      { ...running(null), employeeId },
    ]);
    const body = { employeeId, type: 'theft' };
    assert.equal(outcome(await report({ ...body, orderId: rejected!.id })), '422 INVALID_REFERENCE');
    const { body: reported } = await report({ ...body, orderId: active!.id });
    const { id } = reported.incident;
    const move = await fixture.portal.patch(`/incidents/${id}`, { orderId: rejected!.id }, { key });
    assert.equal(outcome(move), '422 INVALID_REFERENCE');
    assert.equal((await fixture.client.patch(`/incidents/${id}`, { orderId: rejected!.id })).status, 200);
    // Other fields of such a report can be changed.
    const other = await fixture.portal.patch(
      `/incidents/${id}`,
      { orderId: rejected!.id, type: 'loss' },
      { key },
    );
    assert.equal(other.status, 200);
  });
});

describe('a day with a year of two digits', () => {
  const day = { occurredOn: '0026-11-01' };
  const rejected = [422, 'VALIDATION_ERROR', 'occurredOn'];

  test('createPortalIncident 422: names the field', async () => {
    const body = { employeeId: await reporter(), type: 'damage', ...day };
    for (const query of [{}, { dryRun: true }]) {
      const answer = (await report(body, query)) as any;
      const { code, field } = answer.body.error;
      assert.deepEqual([answer.status, code, field], rejected);
    }
  });

  test('updatePortalIncident 422: names the field', async () => {
    const { id } = await incident();
    const answer = (await fixture.portal.patch(`/incidents/${id}`, day, { key })) as any;
    const { code, field } = answer.body.error;
    assert.deepEqual([answer.status, code, field], rejected);
  });
});

describe('updatePortalIncident', () => {
  const update = (id: string, body: object) =>
    fixture.portal.patch<IncidentDetails>(`/incidents/${id}`, body, { key });

  test('200: what is missing follows from the change', async () => {
    const { id } = await incident();
    const { body } = await update(id, { type: 'loss', description: ' ' });
    assert.deepEqual(body.missing, ['description', 'policeReference']);
    assert.equal(body.incident.status, 'draft');
  });

  test('409 and 422: an incident in progress, an order of another person, days in the wrong order', async () => {
    const [one, other] = [await incident(), await incident()];
    const backwards = { effectiveFrom: '2026-09-02', effectiveTo: '2026-09-01' };
    assert.equal(outcome(await update(one.id, backwards)), '422 VALIDATION_ERROR');
    assert.equal(outcome(await update(one.id, { orderId: other.orderId })), '422 INVALID_REFERENCE');
    await advance(fixture.sql, one.id, 'in_progress');
    assert.equal(outcome(await update(one.id, { type: 'loss' })), '409 INVALID_STATE_TRANSITION');
  });
});

describe('the evidence of an incident', () => {
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

  test('is stored and sent again byte for byte', async () => {
    const { id } = await incident();
    const answer = await fixture.portal.upload(`/incidents/${id}/attachments`, pdf, { key });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['location'], `${apis.portal.prefix}/incidents/${id}`);
    const sent = await fixture.portal.get(`/incidents/${id}/attachments/${answer.body.id}`, { key });
    assert.deepEqual(sent.bytes, pdf.bytes);
    assert.equal(sent.headers['content-type'], 'application/pdf');
  });

  test('404: the file of another incident, and of another company', async () => {
    const [one, other] = [await incident(), await incident()];
    const file = other.attachments[0]!.id;
    const read = (id: string) => fixture.portal.get(`/incidents/${id}/attachments/${file}`, { key });
    assert.equal(outcome(await read(one.id)), '404 NOT_FOUND');
    assert.deepEqual((await read(other.id)).bytes, evidence);
    const { organization, tenantB: tenant } = fixture.testData;
    const hidden = await storeIncident(fixture.sql, { organization, tenant });
    const path = `/incidents/${hidden.id}/attachments/${hidden.attachments[0]!.id}`;
    assert.equal(outcome(await fixture.portal.get(path, { key })), '404 NOT_FOUND');
  });

  test('201: a draft accepts a file, unlike in the public API', async () => {
    const { id } = await incident({ status: 'draft', orderId: null });
    const answer = await fixture.portal.upload(`/incidents/${id}/attachments`, pdf, { key });
    assert.equal(answer.status, 201);
    const ofKey = await fixture.client.upload(`/incidents/${id}/attachments`, pdf);
    assert.equal(outcome(ofKey), '409 INVALID_STATE_TRANSITION');
  });

  test('409 INVALID_STATE_TRANSITION: an incident in progress accepts and loses no file', async () => {
    const { id, attachments } = await incident();
    await advance(fixture.sql, id, 'in_progress');
    const path = `/incidents/${id}/attachments`;
    assert.equal(outcome(await fixture.portal.upload(path, pdf, { key })), '409 INVALID_STATE_TRANSITION');
    const removal = await fixture.portal.request('DELETE', `${path}/${attachments[0]!.id}`, { key });
    assert.equal(outcome(removal), '409 INVALID_STATE_TRANSITION');
    assert.equal(
      outcome(await fixture.portal.post(`/incidents/${id}/cancellation`, undefined, { key })),
      '409 INVALID_STATE_TRANSITION',
    );
  });

  test('DELETE 200: a removed file is gone with its bytes, moves updatedAt, and is in the history', async () => {
    const { id, attachments, updatedAt } = await incident();
    const file = attachments[0]!.id;
    const path = `/incidents/${id}/attachments/${file}`;
    const { status, body } = await fixture.portal.request<Incident>('DELETE', path, { key });
    assert.equal(status, 200);
    assert.deepEqual(body.attachments, []);
    assert.ok(body.updatedAt > updatedAt);
    assert.deepEqual(await fixture.sql`SELECT FROM file_slice WHERE file_id = ${file}`, []);
    assert.equal(outcome(await fixture.portal.get(path, { key })), '404 NOT_FOUND');
    assert.equal(outcome(await fixture.portal.request('DELETE', path, { key })), '404 NOT_FOUND');
    const { history } = (await fixture.portal.get<IncidentDetails>(`/incidents/${id}`, { key })).body;
    assert.ok(history.some(({ action }) => action === 'incident.detach'));
  });

  test('502 BAD_GATEWAY, 504 GATEWAY_TIMEOUT, 404 FILE_NOT_FOUND: a store that fails or stalls, and a lost file', async () => {
    const { id, attachments } = await incident();
    const path = `/incidents/${id}/attachments`;
    const file = `${path}/${attachments[0]!.id}`;
    const ask = async (open: FileStore['open']) =>
      outcome(await (await withStore({ open })).get(file, { key }));
    const send = async (put: FileStore['put']) =>
      outcome(await (await withStore({ put })).upload(path, pdf, { key }));
    assert.equal(await ask(() => Promise.reject(new FileStoreError('down'))), '502 BAD_GATEWAY');
    assert.equal(await ask(() => new Promise<never>(() => {})), '504 GATEWAY_TIMEOUT');
    assert.equal(await send(() => Promise.reject(new FileStoreError('down'))), '502 BAD_GATEWAY');
    assert.equal(await send(() => Promise.reject(new FileStoreTooSlow('slow'))), '504 GATEWAY_TIMEOUT');
    await fixture.sql`DELETE FROM file_slice WHERE file_id = ${attachments[0]!.id}`;
    assert.equal(outcome(await fixture.portal.get(file, { key })), '404 FILE_NOT_FOUND');
  });
});
