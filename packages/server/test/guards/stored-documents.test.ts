import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storeEmployees } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { checkDocuments } from '../support/database/stored-documents.ts';
import { build } from '../scope/organization.ts';

/** Every database of a test checks its documents in the end (support/database/database.ts); here that the check finds faults. */

const fixture = useFixture(async fixture => {
  await build(fixture, {
    tenants: 1,
    divisions: [{ tenant: 0, parent: null }],
    employees: [{ tenant: 0, division: 0, account: 'active', orders: 1, incidents: 1 }],
    documents: [{ tenant: 0, division: 0, file: true }],
    keys: [],
    divisionMoves: [],
    employeeMoves: [],
  });
});

const tables = ['division', 'employee', 'employee_order', 'incident', 'payroll_export_document'];

/** Changes stored documents, checks them, and takes the change back; returns the result of the check. */
async function complaintAbout(change: string): Promise<string> {
  let complaint = '';
  await fixture.sql
    .begin(async transaction => {
      await transaction.unsafe(change);
      await checkDocuments(transaction).catch((error: Error) => (complaint = error.message));
      throw new Error('take it back');
    })
    .catch((error: Error) => assert.equal(error.message, 'take it back'));
  return complaint;
}

test('what API, import and commands have stored is what the contract writes', () =>
  checkDocuments(fixture.sql));

describe('a document that is not what the contract writes is found out', () => {
  const faults: Record<string, string> = {
    'a key that comes twice': `'{"id":"' || id || '",' || substr(doc, 2)`,
    'keys in another order': `regexp_replace(doc, '^\\{("id":"[^"]+"),(.*)\\}$', '{\\2,\\1}')`,
    'a key that is missing': `regexp_replace(doc, ',"updatedAt":"[^"]+"', '')`,
    'a key that the contract has not': `left(doc, -1) || ',"surprise":1}'`,
    'white space': `replace(doc, ',"updatedAt"', ', "updatedAt"')`,
  };
  for (const table of tables)
    for (const [name, fault] of Object.entries(faults))
      test(`${table}: ${name}`, async () =>
        assert.match(await complaintAbout(`UPDATE ${table} SET doc = ${fault}`), /the contract writes/));
});

describe('a document that differs from its row is detected', () => {
  for (const table of tables)
    test(`${table}: another updatedAt`, async () =>
      assert.match(
        await complaintAbout(
          `UPDATE ${table} SET updated_at = (updated_at AT TIME ZONE 'UTC' + interval '1 millisecond') AT TIME ZONE 'UTC'`,
        ),
        /updatedAt is ".*", and the column updated_at ".*"/,
      ));

  test('the division in the place of the tenant as well: the fault that passed types and 53 tests', async () => {
    const { organization, tenantA, sales } = fixture.testData;
    await storeEmployees(fixture.sql, organization, [{ tenant: tenantA, divisionId: sales }]);
    const complaint = await complaintAbout(
      `UPDATE employee SET doc = regexp_replace(doc, '"tenant":"[^"]+"', '"tenant":"' || division_id || '"')`,
    );
    assert.match(complaint, /tenant is ".*", and the column tenant_id ".*"/);
  });
});

test('a table with undeclared documents is detected', async () =>
  assert.match(
    await complaintAbout('CREATE TABLE invoice (doc text)'),
    /invoice: say in stored-documents\.ts/,
  ));
