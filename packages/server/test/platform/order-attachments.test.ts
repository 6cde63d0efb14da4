import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import type { Order } from '@kontor/contract';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { FileStoreError, type FileStore, FileStoreTooSlow } from '../../src/files/file-store.ts';
import { eraseDataSubject } from '../../src/privacy/erase.ts';
import { operator } from '../../src/write/writes.ts';
import { type Answer, apiClient, type RequestOptions } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const pdf = { bytes: Buffer.from('%PDF-1.7\nLeasingvertrag\n%%EOF\n'), fileName: 'vertrag.pdf' };

const fixture = usePlatform();
let order: Order;
let employeeId: string;
beforeEach(async () => {
  const { sql, testData } = fixture;
  employeeId = (await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]))[0]!.id;
  order = await stored({});
});

async function stored(more: Record<string, unknown>): Promise<Order> {
  const { sql, testData } = fixture;
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  return (await storeOrders(sql, target, [orderInput({ employeeId, ...more })]))[0]!;
}

const pathOf = (id = order.id) => `/organizations/${fixture.testData.organization}/orders/${id}/attachments`;

const upload = (
  options: RequestOptions = {},
  file: typeof pdf | FormData = pdf,
  id?: string,
): Promise<Answer<any>> => fixture.own.upload(pathOf(id), file, options);

const read = async (): Promise<Order> => (await fixture.client.get(`/orders/${order.id}`)).body;

const slices = async () => (await fixture.sql`SELECT count(*)::int AS n FROM file_slice`)[0]!['n'];

/** Everything that a rejected upload must leave alone, the bytes of files included. */
const wholeState = async () => JSON.stringify([await stateOf(fixture.sql), await slices()]);

async function rejected(expected: [number, string], file: typeof pdf | FormData = pdf): Promise<void> {
  const before = await wholeState();
  for (const query of [{}, { dryRun: true }]) {
    const answer = await upload({ query }, file);
    assert.deepEqual([answer.status, answer.body.error.code], expected);
  }
  assert.equal(await wholeState(), before);
}

describe('uploadOrderAttachment 201', () => {
  test('the order shows the document, and the public API sends it', async () => {
    const answer = await upload({ query: { kind: 'contract' } });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.location, `/platform/v1${pathOf().replace('/attachments', '')}`);
    const { id, createdAt, ...shown } = answer.body;
    const { bytes } = pdf;
    assert.deepEqual(shown, {
      kind: 'contract',
      fileName: 'vertrag.pdf',
      mediaType: 'application/pdf',
      size: bytes.length,
    });
    assert.deepEqual(await read(), { ...order, attachments: [answer.body], updatedAt: createdAt });
    const download = await fixture.client.get(`/orders/${order.id}/attachments/${id}`);
    assert.deepEqual(download.bytes, bytes);
    const [row] =
      await fixture.sql`SELECT attachment_sha256 AS sums FROM employee_order WHERE id = ${order.id}`;
    assert.deepEqual(row!['sums'], { [id]: createHash('sha256').update(bytes).digest('hex') });
  });

  test('the default kind is other, in any state of the order', async () => {
    const { id } = await stored({ status: 'expired' });
    const answer = await upload({}, pdf, id);
    assert.deepEqual([answer.status, answer.body.kind], [201, 'other']);
  });

  test('other bytes, or the same as another kind, are another document', async () => {
    await upload();
    assert.equal((await upload({ query: { kind: 'offer' } })).status, 201);
    assert.equal((await upload({}, { ...pdf, bytes: Buffer.from('%PDF-1.7\n%%EOF\n') })).status, 201);
    assert.equal((await read()).attachments.length, 3);
  });
});

describe('uploadOrderAttachment 200', () => {
  test('the same bytes as the same kind: the document that is there, under the name that it has', async () => {
    const first = await upload({ query: { kind: 'offer' } });
    const before = await wholeState();
    const again = await upload({ query: { kind: 'offer' } }, { ...pdf, fileName: 'kopie.pdf' });
    assert.equal(again.status, 200);
    assert.equal(again.headers.location, undefined);
    assert.deepEqual(again.body, first.body);
    assert.equal(await wholeState(), before);
  });

  test('of the same document at once one is kept, with its bytes once', async () => {
    const before = await slices();
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload()));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    assert.equal((await read()).attachments.length, 1);
    assert.equal(await slices(), before + 1);
  });
});

describe('uploadOrderAttachment 400 and 415', () => {
  test('400 VALIDATION_ERROR: a kind that is none, and a second file', async () => {
    const { status, body } = await upload({ query: { kind: 'poem' } });
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
    assert.match(body.error.message, /^kind must be one of offer, contract, invoice, handover, other/);
    const form = new FormData();
    for (const name of ['a.pdf', 'b.pdf']) form.append('file', new Blob([new Uint8Array(pdf.bytes)]), name);
    await rejected([400, 'VALIDATION_ERROR'], form);
  });

  test('415 UNSUPPORTED_MEDIA_TYPE: by content, whatever the name declares', async () => {
    await rejected([415, 'UNSUPPORTED_MEDIA_TYPE'], { ...pdf, bytes: Buffer.from('MZ no document') });
  });
});

describe('uploadOrderAttachment 409 INVALID_STATE_TRANSITION', () => {
  test('the 51st document; of several as the 50th one is kept', async () => {
    const { sql, testData } = fixture;
    const parts = { db: sql, files: databaseStore(sql) };
    const place = { organizationId: testData.organization, orderId: order.id };
    const document = { ...pdf, kind: 'other', mediaType: 'application/pdf' } as const;
    for (let n = 0; n < 49; n++) await attachToOrder(parts, place, document);
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => upload({}, { ...pdf, bytes: Buffer.from(`%PDF-1.7\n${n}\n`) })),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    assert.equal((await read()).attachments.length, 50);
    await rejected([409, 'INVALID_STATE_TRANSITION'], { ...pdf, bytes: Buffer.from('%PDF-1.7\nmore\n') });
    await assert.rejects(attachToOrder(parts, place, document), /documents already/);
  });

  test('once the data of the employee were erased', async () => {
    const { sql, testData } = fixture;
    await fixture.client.post(`/orders/${order.id}/decision`, { decision: 'rejected' });
    const owner = { organizationId: testData.organization, employeeId };
    await eraseDataSubject({ db: sql, store: databaseStore(sql) }, owner, operator);
    await rejected([409, 'INVALID_STATE_TRANSITION']);
  });
});

describe('uploadOrderAttachment with a file store that fails', () => {
  const failing: [code: string, status: number, error: Error][] = [
    ['BAD_GATEWAY', 502, new FileStoreError('away')],
    ['GATEWAY_TIMEOUT', 504, new FileStoreTooSlow('late')],
  ];
  for (const [code, status, error] of failing)
    test(`${status} ${code}, nothing is stored and the file is forgotten`, async () => {
      const discarded: string[] = [];
      const store: FileStore = {
        put: () => Promise.reject(error),
        open: () => Promise.resolve(null),
        discard: async file => void discarded.push(file.id),
        list() {
          throw new Error('nothing is listed');
        },
        removing() {
          throw new Error('nothing is removed');
        },
      };
      const service = await startService(fixture.sql, { files: { store, timeout: 1000 } });
      const client = apiClient(service.managementUrl, { api: 'platform', key: await testToken(fixture.sql) });
      try {
        const before = await wholeState();
        const answer = await client.upload(pathOf(), pdf);
        assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
        assert.equal(await wholeState(), before);
        assert.equal(discarded.length, 1);
        assert.equal((await client.upload(pathOf(), pdf, { query: { dryRun: true } })).status, 200);
      } finally {
        client.close();
        await service.stop();
      }
    });
});
