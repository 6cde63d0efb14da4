import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PayrollExportDocument } from '@kontor/contract';
import type { Answer, ApiClient } from '../../support/contract/client.ts';
import { useFixture } from '../../support/service/fixture.ts';
import { storePayrollDocument } from '../../support/data/payroll-documents.ts';
import type { TestData } from '../../support/data/test-data.ts';

let testData: TestData;
let client: ApiClient;
let whole: PayrollExportDocument;
let forNorth: PayrollExportDocument;
let forSupport: PayrollExportDocument;
let failed: PayrollExportDocument;
let inB: PayrollExportDocument;

const path = '/payroll-export-documents';
const bytes = Buffer.from('4711;2026-10;Müller\r\n');

const fixture = useFixture(async () => {
  ({ testData, client } = fixture);
  const { sql } = fixture;
  const store = (more: Partial<PayrollExportDocument>, content: Buffer | null = bytes) =>
    storePayrollDocument(sql, testData.organization, { tenant: testData.tenantA, ...more }, content);
  whole = await store({ fileName: 'Löhne "Okt" 100%.csv' });
  forNorth = await store({ divisionId: testData.north, format: 'datev_lodas', mediaType: 'text/plain' });
  forSupport = await store({ divisionId: testData.support, period: '2026-09' });
  failed = await store({ period: '2026-08', rowCount: 0, skippedCount: 7 }, null);
  inB = await store({ tenant: testData.tenantB, period: '2026-07' });
  await storePayrollDocument(sql, testData.foreign.organization, { tenant: testData.foreign.tenant });
});

const rejection = (answer: Answer<any>) => [answer.status, answer.body.error.code];
const idsOf = (answer: Answer<any>) => answer.body.items.map((item: { id: string }) => item.id);

/** Asserts the rejections that every read of one document shares. */
function rejectsLikeEveryRead(suffix: string): void {
  test('401 without a key, 403 for a tenant outside the scope', async () => {
    const target = `${path}/${whole.id}${suffix}`;
    assert.deepEqual(rejection(await client.get(target, { key: null })), [401, 'INVALID_API_KEY']);
    const outside = { key: testData.keys.tenantA, tenant: testData.tenantB };
    assert.deepEqual(rejection(await client.get(target, outside)), [403, 'TENANT_NOT_IN_SCOPE']);
  });
}

describe('listPayrollExportDocuments 200', () => {
  const visible: [name: string, key: () => string, expected: () => PayrollExportDocument[]][] = [
    ['all', () => testData.keys.all, () => [whole, forNorth, forSupport, failed, inB]],
    ['those of a tenant', () => testData.keys.tenantA, () => [whole, forNorth, forSupport, failed]],
    ['those for divisions below a granted one only', () => testData.keys.sales, () => [forNorth]],
    ['those for granted divisions', () => testData.keys.salesAndSupport, () => [forNorth, forSupport]],
  ];
  for (const [name, key, expected] of visible)
    test(`answers ${name}, with exact totals`, async () => {
      const answer = await client.get(path, { key: key() });
      assert.deepEqual(
        idsOf(answer).sort(),
        expected()
          .map(document => document.id)
          .sort(),
      );
      assert.equal(answer.body.totalElements, expected().length);
    });

  test('X-Tenant-ID narrows', async () =>
    assert.deepEqual(idsOf(await client.get(path, { tenant: testData.tenantB })), [inB.id]));

  const filters: [filter: string, expected: () => PayrollExportDocument[]][] = [
    ["period >= '2026-08' AND period < '2026-10'", () => [forSupport, failed]],
    ['format = datev_lodas', () => [forNorth]],
    ["fileName CONTAINS 'LÖHNE'", () => [whole]],
    ['fileName IS NULL', () => [failed]],
    ["mediaType = 'TEXT/PLAIN'", () => [forNorth]],
    ['skippedCount > 6.5', () => [failed]],
    ['size >= 1 AND divisionId IS NULL', () => [whole, inB]],
    ['status != available', () => [failed]],
    ['sha256 IS NULL AND rowCount = 0', () => [failed]],
    ["generatedAt < '2000-01-01T00:00:00Z'", () => []],
  ];
  for (const [filter, expected] of filters)
    test(`filters by ${filter}`, async () => {
      const answer = await client.get(path, { query: { filter } });
      assert.deepEqual(
        idsOf(answer),
        expected().map(document => document.id),
      );
    });

  test('sorts by every field', async () => {
    for (const field of Object.keys(whole))
      assert.equal((await client.get(path, { query: { sort: `-${field}` } })).body.items.length, 5, field);
  });
});

describe('listPayrollExportDocuments 400, 401, 403 and 422', () => {
  const cases: [query: Record<string, string>, status: number, code: string][] = [
    [{ page: '0' }, 400, 'VALIDATION_ERROR'],
    [{ filter: 'period =' }, 400, 'INVALID_FILTER_SYNTAX'],
    [{ filter: 'bytes = 1' }, 400, 'UNSUPPORTED_FILTER_FIELD'],
    [{ filter: 'status > available' }, 400, 'UNSUPPORTED_FILTER_OPERATOR'],
    [{ sort: 'bytes' }, 400, 'UNSUPPORTED_SORT_FIELD'],
    [{ status: 'available' }, 400, 'UNKNOWN_QUERY_PARAMETER'],
    [{ filter: 'rowCount = many' }, 422, 'VALIDATION_ERROR'],
  ];
  for (const [query, status, code] of cases)
    test(`${status} ${code}: ${JSON.stringify(query)}`, async () =>
      assert.deepEqual(rejection(await client.get(path, { query })), [status, code]));

  test('401 and 403', async () => {
    assert.deepEqual(rejection(await client.get(path, { key: null })), [401, 'INVALID_API_KEY']);
    const outside = { key: testData.keys.sales, tenant: testData.tenantB };
    assert.deepEqual(rejection(await client.get(path, outside)), [403, 'TENANT_NOT_IN_SCOPE']);
  });
});

describe('getPayrollExportDocument', () => {
  test('200: the stored document, whatever the letter case of the id', async () => {
    const answer = await client.get(`${path}/${whole.id.toUpperCase()}`);
    assert.deepEqual([answer.status, answer.body], [200, whole]);
  });

  test('200: a division grant covers the divisions below', async () => {
    assert.deepEqual(
      (await client.get(`${path}/${forNorth.id}`, { key: testData.keys.sales })).body,
      forNorth,
    );
  });

  rejectsLikeEveryRead('');
});

describe('downloadPayrollExportDocument', () => {
  test('200: the bytes, with length, type and a name that any client can read', async () => {
    const answer = await client.get(`${path}/${whole.id}/download`);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.bytes, bytes);
    assert.equal(answer.headers['content-length'], String(bytes.length));
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(
      answer.headers['content-disposition'],
      `attachment; filename="L_hne _Okt_ 100_.csv"; filename*=UTF-8''L%C3%B6hne%20%22Okt%22%20100%25.csv`,
    );
    assert.ok(answer.headers['ratelimit']);
  });

  test('200: a file for DATEV is Windows-1252', async () => {
    const answer = await client.get(`${path}/${forNorth.id}/download`);
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.body?.mediaType],
      [200, 'text/plain; charset=windows-1252', undefined],
    );
    assert.equal((await client.get(`${path}/${forNorth.id}`)).body.mediaType, 'text/plain');
  });

  test('404 FILE_NOT_FOUND: no file was produced', async () =>
    assert.deepEqual(rejection(await client.get(`${path}/${failed.id}/download`)), [404, 'FILE_NOT_FOUND']));

  test('404 FILE_NOT_FOUND: the bytes are gone', async () => {
    await fixture.sql`DELETE FROM file_slice WHERE file_id = ${inB.id}`;
    assert.deepEqual(rejection(await client.get(`${path}/${inB.id}/download`)), [404, 'FILE_NOT_FOUND']);
  });

  test('406 NOT_ACCEPTABLE: Accept without any media type of payroll files, and without the JSON of errors', async () => {
    for (const [accept, status] of [
      ['application/json', 200],
      ['application/json;q=0, text/plain;q=0, image/*', 406],
      ['image/*', 406],
      ['text/csv;q=0, text/plain;q=0', 406],
      ['text/plain', 200],
      ['text/*', 200],
      ['', 200],
    ] as const) {
      const answer = await client.get(`${path}/${whole.id}/download`, { headers: { accept } });
      assert.equal(answer.status, status, accept);
    }
  });

  rejectsLikeEveryRead('/download');
});
