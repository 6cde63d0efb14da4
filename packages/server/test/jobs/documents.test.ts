import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceTypes } from '../../src/consistency/resource-types.ts';
import { documentUpgrade } from '../../src/jobs/documents.ts';
import { defineResource, type DocumentUpgrades } from '../../src/query/resource.ts';
import { employeeResource } from '../../src/features/employees/mapping.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { runOnce } from './support.ts';

const fixture = useFixture();

const declared = resourceTypes.find(({ name }) => name === 'employee')!;

/** How a release declares employees that has added the city and the phone number. */
function define(upgrades: DocumentUpgrades) {
  const { table, resourceType, schema, fields, columns } = employeeResource;
  const stored = Object.fromEntries(columns);
  return defineResource({ table, resourceType, schema, fields, stored, upgrades });
}
const { docVersion, upgrades, parse } = define({
  2: () => ({ city: 'Unknown' }),
  3: ({ city }) => ({ phoneNumber: `of ${String(city)}` }),
});
const next = { ...declared, docVersion, upgrades, parse };

test('documents of an older version are brought to the present one while requests go on', async () => {
  const { sql, service, testData, client } = fixture;
  const { organization, tenantA, keys } = testData;
  const stored = await storeEmployees(
    sql,
    organization,
    Array.from({ length: 120 }, (_, n) => ({ tenant: tenantA, lastName: `Old ${n}` })),
  );
  const ids = stored.map(({ id }) => id);
  // As the release before has written them.
  await sql`
    UPDATE employee SET doc = regexp_replace(doc, '"(city|phoneNumber)":null,', '', 'g')
    WHERE organization_id = ${organization} AND id = ANY(${ids}::text[])`;

  const patched = ids.filter((_, n) => n % 4 === 0);
  const [reported, statuses] = await Promise.all([
    runOnce(sql, documentUpgrade(next)),
    // A process of the release before: the client of the tests would check the document.
    Promise.all(
      patched.map(async id => {
        const answer = await fetch(`${service.url}/v1/employees/${id}`, {
          method: 'PATCH',
          headers: { 'X-API-Key': keys.all, 'Content-Type': 'application/json' },
          body: '{"firstName":"New"}',
        });
        return answer.status;
      }),
    ),
  ]);
  assert.deepEqual([...new Set(statuses)], [200]);
  assert.ok(reported.writes.length > 2 && reported.writes.every(count => count <= 50));
  // What that process has written is of its version.
  await runOnce(sql, documentUpgrade(next));

  const versions = await sql`
    SELECT DISTINCT doc_version AS version FROM employee WHERE organization_id = ${organization}`;
  assert.deepEqual(versions, [{ version: 3 }]);
  for (const { id, updatedAt } of stored) {
    const { body } = await client.get(`/employees/${id}`);
    assert.deepEqual([body.city, body.phoneNumber], ['Unknown', 'of Unknown']);
    assert.equal(body.firstName, patched.includes(id) ? 'New' : null);
    assert.equal(body.updatedAt === updatedAt, !patched.includes(id));
  }
  const filter = 'city = unknown AND phoneNumber CONTAINS unk';
  const { body } = await client.get('/employees', { query: { filter, pageSize: 1 } });
  assert.equal(body.totalElements, ids.length);
});

test('there is nothing to do where all documents are of the present version', async () => {
  const job = documentUpgrade(declared);
  assert.deepEqual(await runOnce(fixture.sql, job), { inspections: [0], writes: [], postponed: [] });
});

test('a version of the document needs an upgrade', () => {
  assert.throws(() => define({ 3: () => ({}) }), /employee has no upgrade of documents to version 2/);
});
