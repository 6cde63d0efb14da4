import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { Order } from '@kontor/contract';
import type { Sql } from '../../support/database/sql.ts';
import { attachToOrder } from '../../../src/features/orders/attachments.ts';
import { databaseStore } from '../../../src/files/database-store.ts';
import { FileStoreError } from '../../../src/files/file-store.ts';
import { kontorHere } from '../../cli/in-process.ts';
import { type Answer, type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { orderInput, storeOrders } from '../../support/data/orders.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { insertTestData, type TestData } from '../../support/data/test-data.ts';

let database: TestDatabase;
let sql: Sql;
let service: TestService;
let testData: TestData;
let client: ApiClient;
let order: Order;
let other: Order;
let folder: string;

/** Larger than a slice of the store. */
const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(600_000)]);
const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-attach-'));
  testData = await insertTestData(sql);
  const target = { organizationId: testData.organization, tenantId: testData.tenantA };
  const [person] = await storeEmployees(sql, testData.organization, [
    { tenant: testData.tenantA, divisionId: testData.support },
  ]);
  const input = () => orderInput({ employeeId: person!.id });
  [order, other] = (await storeOrders(sql, target, [input(), input()])) as [Order, Order];
  service = await startService(sql);
  client = apiClient(service.url, { key: testData.keys.all });
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true });
});

const rejection = (answer: Answer<any>) => [answer.status, answer.body.error.code];
const address = (id: string, of = order) => `/orders/${of.id}/attachments/${id}`;

/** Runs `kontor order attach` on a file of this name and these bytes. */
async function attachFile(name: string, bytes: Buffer, ...more: string[]) {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return kontorHere(['order', 'attach', order.id, file, ...more, '--json'], { DATABASE_URL: database.url });
}

async function attached(name: string, bytes: Buffer, ...more: string[]): Promise<string> {
  const run = await attachFile(name, bytes, ...more);
  assert.equal(run.code, 0, run.stderr);
  return JSON.parse(run.stdout).id;
}

describe('kontor order attach', () => {
  test('the order shows the document behind those it has, and has changed', async () => {
    const before = (await client.get(`/orders/${order.id}`)).body as Order;
    const id = await attached('Übergabe.pdf', pdf, '--kind', 'handover');
    const now = (await client.get(`/orders/${order.id}`)).body as Order;
    const attachment = {
      id,
      kind: 'handover',
      fileName: 'Übergabe.pdf',
      mediaType: 'application/pdf',
      size: pdf.length,
      createdAt: now.updatedAt,
    };
    const attachments = [...before.attachments, attachment];
    assert.deepEqual(now, { ...before, attachments, updatedAt: now.updatedAt });
    assert.ok(now.updatedAt > before.updatedAt);
    const [audit] =
      await sql`SELECT action, actor, fields FROM audit WHERE target_id = ${order.id} ORDER BY at DESC`;
    assert.deepEqual({ ...audit }, { action: 'order.attach', actor: 'operator', fields: ['attachments'] });
  });

  test('the default kind is other', async () => {
    const id = await attached('bild.png', png);
    const { body } = await client.get(`/orders/${order.id}`);
    assert.equal(body.attachments.find((one: { id: string }) => one.id === id).kind, 'other');
  });

  test('rejects other content, an unknown kind, no file and no order, each in one line', async () => {
    const rejected = async (run: Promise<{ code: number | null; stderr: string }>, message: RegExp) => {
      const { code, stderr } = await run;
      assert.notEqual(code, 0);
      assert.match(stderr, message);
    };
    await rejected(attachFile('angebot.pdf', Buffer.from('hello')), /is not a PDF, PNG, JPEG or WebP file/);
    await rejected(attachFile('angebot.pdf', pdf, '--kind', 'poem'), /offer, contract, invoice/);
    const variables = { DATABASE_URL: database.url };
    await rejected(kontorHere(['order', 'attach', order.id, '/nowhere.pdf'], variables), /no file/);
    const file = path.join(folder, 'bild.png');
    await rejected(kontorHere(['order', 'attach', 'f'.repeat(24), file], variables), /no order/);
  });

  test('documents attached at once are all kept', async () => {
    const store = databaseStore(sql);
    const place = { organizationId: testData.organization, orderId: other.id };
    const document = { kind: 'offer', fileName: 'a.png', mediaType: 'image/png', bytes: png } as const;
    await Promise.all(
      Array.from({ length: 5 }, () => attachToOrder({ db: sql, files: store }, place, document)),
    );
    assert.equal((await client.get(`/orders/${other.id}`)).body.attachments.length, 5);
  });
});

describe('downloadOrderAttachment 200', () => {
  test('the bytes, with length, type and name', async () => {
    const answer = await client.get(address(await attached('Übergabe.pdf', pdf)));
    assert.equal(answer.status, 200);
    assert.ok(answer.bytes.equals(pdf));
    assert.equal(answer.headers['content-length'], String(pdf.length));
    assert.equal(answer.headers['content-type'], 'application/pdf');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.match(
      answer.headers['content-disposition']!,
      /^attachment; .*filename\*=UTF-8''%C3%9Cbergabe\.pdf$/,
    );
  });
});

describe('downloadOrderAttachment 400, 401, 403 and 406', () => {
  test('each code', async () => {
    const id = await attached('bild.png', png);
    assert.deepEqual(rejection(await client.get(address('1'))), [400, 'INVALID_REFERENCE_ID']);
    assert.deepEqual(rejection(await client.get(`/orders/1/attachments/${id}`)), [
      400,
      'INVALID_REFERENCE_ID',
    ]);
    const query = { inline: true };
    assert.deepEqual(rejection(await client.get(address(id), { query })), [400, 'UNKNOWN_QUERY_PARAMETER']);
    assert.deepEqual(rejection(await client.get(address(id), { key: null })), [401, 'INVALID_API_KEY']);
    const outside = { key: testData.keys.tenantA, tenant: testData.tenantB };
    assert.deepEqual(rejection(await client.get(address(id), outside)), [403, 'TENANT_NOT_IN_SCOPE']);
    const headers = { accept: 'text/csv' };
    assert.deepEqual(rejection(await client.get(address(id), { headers })), [406, 'NOT_ACCEPTABLE']);
  });
});

describe('downloadOrderAttachment 404', () => {
  test('FILE_NOT_FOUND: the bytes are gone', async () => {
    const id = await attached('bild.png', png);
    await sql`DELETE FROM file_slice WHERE file_id = ${id}`;
    assert.deepEqual(rejection(await client.get(address(id))), [404, 'FILE_NOT_FOUND']);
  });
});

describe('downloadOrderAttachment 502 and 504', () => {
  const cases: [status: number, code: string, open: () => Promise<Readable>][] = [
    [502, 'BAD_GATEWAY', () => Promise.reject(new FileStoreError('no bucket'))],
    [504, 'GATEWAY_TIMEOUT', () => new Promise(() => {})],
  ];
  for (const [status, code, open] of cases)
    test(`${status} ${code}`, async t => {
      const id = await attached('bild.png', png);
      const files = { store: { ...databaseStore(sql), open }, timeout: 50 };
      const failing = await startService(sql, { files });
      const visitor = apiClient(failing.url, { key: testData.keys.all });
      t.after(async () => {
        visitor.close();
        await failing.stop();
      });
      assert.deepEqual(rejection(await visitor.get(address(id))), [status, code]);
    });

  const damages: [name: string, damage: (id: string) => Promise<unknown>][] = [
    [
      'a slice in the middle is missing',
      id => sql`DELETE FROM file_slice WHERE file_id = ${id} AND number = 4`,
    ],
    ['the last slice is missing', id => sql`DELETE FROM file_slice WHERE file_id = ${id} AND number = 9`],
    [
      'the last byte is another one',
      id => sql`
        UPDATE file_slice SET bytes = set_byte(bytes, length(bytes) - 1, get_byte(bytes, length(bytes) - 1) # 1)
        WHERE file_id = ${id} AND number = 9`,
    ],
    [
      'the slices are in another order',
      id => sql`
        UPDATE file_slice SET bytes = other.bytes FROM file_slice other
        WHERE file_slice.organization_id = ${testData.organization} AND other.organization_id = ${testData.organization}
          AND file_slice.file_id = ${id} AND other.file_id = ${id} AND file_slice.number + other.number = 7`,
    ],
  ];
  for (const [name, damage] of damages)
    test(`a file is broken off, and counted as 502, where ${name}`, async () => {
      const id = await attached('angebot.pdf', pdf);
      assert.equal((await client.get(address(id))).status, 200);
      assert.ok((await damage(id)) !== null);
      await assert.rejects(client.get(address(id)), { code: 'ECONNRESET' });
      const last = () => service.log.findLast(line => line.includes('"msg":"request"'))!;
      while (!last().includes('"status":502')) await new Promise(setImmediate);
    });

  test('502: the bytes are not those that were stored', async () => {
    const id = await attached('bild.png', png);
    await sql`UPDATE file_slice SET bytes = set_byte(bytes, 3, 0) WHERE file_id = ${id}`;
    assert.deepEqual(rejection(await client.get(address(id))), [502, 'BAD_GATEWAY']);
  });
});
