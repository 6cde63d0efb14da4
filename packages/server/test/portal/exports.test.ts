import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { exportOf } from '../support/contract/exports.ts';
import { testKey } from '../support/data/test-data.ts';
import { signedInUser } from '../support/data/users.ts';
import { usePortal } from './support.ts';

const fixture = usePortal();

type Line = Record<string, string>;

const admin = () =>
  signedInUser(fixture.sql, fixture.testData.organization, { permissions: ['IT', 'COMPANY_ADMIN'] });

const fields: Readonly<Record<string, readonly string[]>> = {
  '/api-keys': ['id', 'name', 'tenants', 'health'],
  '/users': ['id', 'name', 'email'],
  '/audit-entries': ['id', 'action', 'entry'],
};

async function exported(path: string, key: string, search: object = {}): Promise<Line[]> {
  const body = exportOf(fields[path]!, search);
  const { status, headers, bytes } = await fixture.portal.post(`${path}/export`, body, { key });
  assert.equal(status, 200, bytes.toString());
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
  // Spreadsheets on a German system need both, as the files of payroll have them.
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  return parse(bytes, { columns: true, bom: true, delimiter: ';', record_delimiter: '\r\n' });
}

const listed = async (path: string, key: string, search: object = {}) =>
  (await fixture.portal.post(`${path}/search`, { sort: 'createdAt', pageSize: 1000, ...search }, { key }))
    .body.items as Record<string, unknown>[];

const idsOf = (rows: readonly { id?: unknown }[]) => rows.map(({ id }) => id).sort();

describe('an export', () => {
  test('has the rows that the list has with the same filter', async () => {
    const { secret } = await admin();
    const filters = {
      '/api-keys': 'status = active AND name CONTAINS test',
      '/users': "email ENDS_WITH '.com'",
      '/audit-entries': 'action = user.create',
    };
    for (const [path, filter] of Object.entries(filters)) {
      const found = await exported(path, secret, { filter });
      assert.ok(found.length > 0);
      assert.deepEqual(idsOf(found), idsOf(await listed(path, secret, { filter })), path);
      assert.ok((await exported(path, secret)).length > 0);
    }
  });

  test('of keys names the companies of each, and has no secret', async () => {
    const { sql, testData } = fixture;
    const { secret } = await admin();
    const key = await testKey(sql, testData.organization, { tenants: [testData.tenantA, testData.tenantB] });
    const [, id, hidden] = key.split('_');
    const found = await exported('/api-keys', secret, { filter: `id = ${id}` });
    assert.deepEqual(found[0]!['tenants']!.split(', ').sort(), [testData.tenantA, testData.tenantB].sort());
    assert.equal(found[0]!['health'], 'never_used');
    assert.equal(JSON.stringify(found).includes(hidden!), false);
  });

  test('has no cell that a spreadsheet takes for a formula', async () => {
    const { secret, user } = await signedInUser(fixture.sql, fixture.testData.organization, {
      name: '=HYPERLINK("http://example.com")',
      permissions: ['COMPANY_ADMIN'],
    });
    const [line] = await exported('/users', secret, { filter: `id = ${user.id}` });
    assert.equal(line!['name'], `'=HYPERLINK("http://example.com")`);
  });

  test('is in the audit, with the user', async () => {
    const { secret, user } = await admin();
    await exported('/api-keys', secret);
    await exported('/users', secret);
    await exported('/audit-entries', secret);
    const entries = await fixture.sql`
      SELECT action, target_id FROM audit WHERE actor = ${user.id} AND action LIKE '%.export' ORDER BY action`;
    const target_id = fixture.testData.organization;
    assert.deepEqual(
      entries.map(entry => ({ ...entry })),
      [
        { action: 'audit.export', target_id },
        { action: 'key.export', target_id },
        { action: 'user.export', target_id },
      ],
    );
  });
});
