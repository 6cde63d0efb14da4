import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from '../../../src/db/ids.ts';
import { readOwnedTables } from '../../../src/features/organizations/owned-tables.ts';
import { beginMove } from '../../../src/files/place.ts';
import { s3Store } from '../../../src/files/s3-store.ts';
import { underLoad } from '../../citus/under-load.ts';
import { start } from '../../cli/kontor.ts';
import { kontorHere } from '../../cli/in-process.ts';
import { apiClient } from '../../support/contract/client.ts';
import { storePayrollDocument } from '../../support/data/payroll-documents.ts';
import { waitForLocks } from '../../support/database/locks.ts';
import { findTablesWith } from '../../support/database/whole-database.ts';
import { startS3 } from '../../support/servers/s3.ts';
import { countTables, type Customer, endGrace, storeCustomer, useOffBoarding } from './off-boarding.ts';

const fixture = useOffBoarding();
const { json, error, run } = fixture;

async function closed(employees?: number): Promise<Customer> {
  const customer = await storeCustomer(fixture.sql, employees);
  await json('organization', 'delete', customer.organization, '--without-export', '--yes');
  await endGrace(fixture.sql, customer.organization);
  return customer;
}

const deletion = ({ organization }: Customer) => ['organization', 'delete', organization, '--now', '--yes'];

/** Only the entry of the operator that it was deleted names the organization. */
async function checkIsGone({ organization, user }: Customer): Promise<void> {
  const { sql } = fixture;
  assert.deepEqual(await findTablesWith(sql, organization), ['audit']);
  const entries =
    await sql`SELECT organization_id, action, actor FROM audit WHERE target_id = ${organization}`;
  assert.deepEqual(entries, [{ organization_id: '', action: 'organization.delete', actor: 'operator' }]);
  assert.deepEqual(await findTablesWith(sql, user.user.email), []);
  const { organizations, findings } = JSON.parse((await run('verify', '--json')).stdout) as {
    organizations: number;
    findings: { organizationId: string }[];
  };
  assert.equal(organizations, (await sql`SELECT FROM organization`).length);
  assert.deepEqual(
    findings.filter(({ organizationId }) => organizationId === organization),
    [],
  );
}

describe('organization delete --now', () => {
  test('deletes all rows of all tables, and none of other organizations', async () => {
    const { sql, testData } = fixture;
    const [customer, neighbour] = [await closed(2500), await storeCustomer(sql)];
    const others = [neighbour.organization, testData.organization, testData.foreign.organization];
    const countOthers = () => Promise.all(others.map(id => countTables(sql, id)));
    const [before, beforeOthers] = [await countTables(sql, customer.organization), await countOthers()];
    assert.ok(Object.keys(before).length > 20, Object.keys(before).join(', '));
    const { rows, files } = await json(...deletion(customer));
    assert.deepEqual(rows, before);
    assert.equal(files, 0);
    await checkIsGone(customer);
    assert.deepEqual(await countOthers(), beforeOthers);
    assert.match(await error(...deletion(customer)), /there is no organization/);
  });

  test('deletes an organization without anything', async () => {
    const { sql } = fixture;
    const { id } = await json('organization', 'create', '--name', 'Leer GmbH');
    await json('organization', 'delete', id, '--without-export', '--yes');
    await endGrace(sql, id);
    await json('organization', 'delete', id, '--now', '--yes');
    assert.deepEqual(await findTablesWith(sql, id), ['audit']);
  });

  test('continues after it was killed, and is not possible twice at once; a restore is over then', async () => {
    const { sql } = fixture;
    const customer = await closed();
    const { organization } = customer;
    const before = await countTables(sql, organization);
    await sql.begin(async transaction => {
      await transaction`SELECT FROM employee WHERE organization_id = ${organization} FOR UPDATE`;
      const { process, ended } = start(deletion(customer), { DATABASE_URL: fixture.databaseUrl });
      await waitForLocks(sql, [ended]);
      assert.match(await error(...deletion(customer)), /another process is deleting/);
      process.kill('SIGKILL');
      await ended;
    });
    const left = await countTables(sql, organization);
    assert.equal(left.employee, before.employee);
    assert.equal(left.incident, undefined);
    assert.match(await error('organization', 'restore', organization), /has begun/);
    await json(...deletion(customer));
    await checkIsGone(customer);
  });

  test('deletes the files of an S3 store, also a file without a row, and no file of another organization', async () => {
    const { sql, testData } = fixture;
    const s3 = await startS3();
    const files = s3Store(s3.url, 10_000, sql);
    const customer = await storeCustomer(sql, 0);
    const bytes = Buffer.from('4711');
    for (const tenant of [customer.tenant, customer.tenant])
      await storePayrollDocument(sql, customer.organization, { tenant }, bytes, files.store);
    await storePayrollDocument(sql, testData.organization, { tenant: testData.tenantA }, bytes, files.store);
    const stray = { organizationId: customer.organization, id: newId(), bytes };
    await sql.begin(session => files.store.put(session as never, stray));
    await beginMove(sql, 'store');
    const variables = { DATABASE_URL: fixture.databaseUrl, FILES_URL: s3.url, ...s3.credentials };
    const here = async (...args: string[]) => {
      const { code, stdout, stderr } = await kontorHere([...args, '--json'], variables);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout) as Record<string, any>;
    };
    assert.equal((await s3.objects()).length, 4);
    const to = `${fixture.folder}/s3`;
    assert.equal((await here('organization', 'export', customer.organization, '--to', to)).files, 5);
    await here('organization', 'delete', customer.organization, '--export', to, '--yes');
    await endGrace(sql, customer.organization);
    assert.equal((await here(...deletion(customer))).files, 3);
    const left = await s3.objects();
    assert.deepEqual([left.length, left[0]!.includes(testData.organization)], [1, true]);
    files[Symbol.dispose]();
    await sql`DELETE FROM setting WHERE name = 'files'`;
    await s3.close();
  });

  test('under load: no request of eight clients of another organization fails', async () => {
    const { sql, testData, service } = fixture;
    const customer = await closed(5000);
    const readers = [1, 2, 3].map(() => apiClient(service.url, { key: testData.keys.all }));
    const done = new AbortController();
    const rejected = await underLoad({ sql, testData, url: service.url }, async () => {
      const reading = readers.map(async client => {
        while (!done.signal.aborted)
          assert.equal((await client.get('/employees', { query: { pageSize: 50 } })).status, 200);
      });
      const ended = json(...deletion(customer)).finally(() => done.abort());
      await Promise.all([ended, ...reading]);
    });
    assert.equal(rejected, 0);
    readers.forEach(client => client.close());
    await checkIsGone(customer);
  });
});

test('each table belongs to organizations, or has no rows of them', async () => {
  const owned = await readOwnedTables(fixture.sql);
  const tables = await fixture.sql<{ name: string }[]>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`;
  const others = tables.map(({ name }) => name).filter(name => !owned.some(table => table.name === name));
  assert.deepEqual(others, ['migration', 'organization', 'platform_token', 'setting']);
  const places = new Map(owned.map(({ name }, index) => [name, index]));
  for (const { name, references } of owned)
    for (const target of references.filter(each => places.has(each)))
      assert.ok(places.get(name)! < places.get(target)!, `${name} refers to ${target}`);
});
