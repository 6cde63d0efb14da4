import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { connect, type Database } from '../../src/db/connect.ts';
import { stateOf } from '../../src/db/failure.ts';
import { statementsOf, raw, sql } from '../../src/db/sql.ts';
import { migrate } from '../../src/db/migrate.ts';
import { auditRemoval, mayRemoveAudit } from '../../src/features/audit/retention.ts';
import { kontorHere } from '../cli/in-process.ts';
import { apiClient, type ApiClient } from '../support/contract/client.ts';
import { emptyDatabase, type TestDatabase, testDatabase, testNodes } from '../support/database/database.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { testSql } from '../support/database/sql.ts';
import { testToken } from '../support/data/tokens.ts';
import { insertTestData, testPepper, type TestData } from '../support/data/test-data.ts';

const file = new URL('../../../../deploy/server-role.sql', import.meta.url);

let owner: TestDatabase;
let limited: Database;
let role: string;
let url: string;
let testData: TestData;
let service: TestService;
let client: ApiClient;
let platform: ApiClient;

const skip = (await testNodes()) !== null && 'the role is that of one server';

async function runFile({ writes }: Database, name: string): Promise<void> {
  const text = (await readFile(file, 'utf8')).replaceAll('kontor_server', name);
  for (const statement of statementsOf(text)) await writes.run(ofTest(raw(statement)));
}

before(async () => {
  if (skip) return;
  owner = await testDatabase();
  testData = await insertTestData(owner.database.sql);
  const token = await testToken(owner.database.sql);
  role = `kontor_server_${process.pid}`;
  // Twice, as an owner may run it again.
  for (let run = 0; run < 2; run++) await runFile(owner.database, role);
  await owner.database.sql.unsafe(`ALTER ROLE "${role}" PASSWORD 'x'`);
  const address = new URL(owner.url);
  [address.username, address.password] = [role, 'x'];
  url = address.href;
  limited = connect({ url });
  service = await startService(testSql(limited));
  client = apiClient(service.url, { key: testData.keys.all });
  platform = apiClient(service.managementUrl, { api: 'platform', key: token });
});
after(async () => {
  client?.close();
  platform?.close();
  await service?.stop();
  await limited?.close();
  await owner?.database.sql.unsafe(`DROP OWNED BY "${role}"`);
  await owner?.database.sql.unsafe(`DROP ROLE "${role}"`);
  await owner?.drop();
});

describe('under the role of deploy/server-role.sql', { skip }, () => {
  test('a service starts, with nothing to migrate', async () => {
    assert.deepEqual(await migrate(limited), []);
  });

  test('it serves both APIs, and audits what is done', async () => {
    const person = { email: 'a@example.com', firstName: 'A', lastName: 'B', divisionId: testData.sales };
    const created = await client.post('/employees', person);
    assert.equal(created.status, 201);
    assert.equal((await client.patch(`/employees/${created.body.id}`, { city: 'Bonn' })).status, 200);
    assert.equal((await client.post('/divisions', { name: 'Neu', parentId: testData.sales })).status, 201);
    const inside = `/organizations/${testData.organization}`;
    assert.equal((await platform.post(`${inside}/tenants`, { name: 'Muster Wien GmbH' })).status, 201);
    const key = await platform.post(`${inside}/api-keys`, { name: 'Lohn', wholeOrganization: true });
    assert.equal(key.status, 201);
    assert.equal((await platform.request('DELETE', `${inside}/api-keys/${key.body.id}`)).status, 200);
    const query = { filter: `targetId IN (${created.body.id}, ${key.body.id})`, sort: 'createdAt' };
    const { items } = (await platform.get(`${inside}/audit-entries`, { query })).body;
    assert.deepEqual(
      items.map(({ action }: { action: string }) => action),
      ['employee.create', 'employee.update', 'key.create', 'key.delete'],
    );
  });

  for (const statement of [
    `UPDATE audit SET fields = '{}'`,
    'DELETE FROM audit',
    'TRUNCATE audit',
    'DROP TABLE audit',
    'ALTER TABLE audit DISABLE TRIGGER ALL',
    'UPDATE payroll_entry SET cents = 0',
    'DELETE FROM payroll_entry',
    'DELETE FROM payroll_basis',
    'DELETE FROM migration',
    'CREATE TABLE other (id text)',
  ])
    test(`the database rejects ${statement}`, async () => {
      const before = await owner.database.sql`SELECT count(*)::int AS n FROM audit`;
      const rejected = await limited.writes.run(ofTest(raw(statement))).then(
        () => null,
        (error: unknown) => stateOf(error),
      );
      assert.equal(rejected, '42501');
      assert.deepEqual(await owner.database.sql`SELECT count(*)::int AS n FROM audit`, before);
    });

  test('nothing is pruned, which the command reports; the owner of the tables may', async () => {
    assert.equal(await mayRemoveAudit(limited.reads), false);
    assert.equal(await mayRemoveAudit(owner.database.reads), true);
    assert.deepEqual(await auditRemoval.inspect(limited.reads), []);
    const variables = { DATABASE_URL: url, KONTOR_KEY_PEPPER: testPepper.toString('utf8') };
    const { code, stderr } = await kontorHere(['audit', 'prune'], variables);
    assert.deepEqual([code, /may not remove entries/.test(stderr)], [1, true], stderr);
  });

  test('what a later migration adds is there for it', async () => {
    await owner.database.sql.unsafe('CREATE TABLE later (organization_id text)');
    assert.equal(await limited.writes.run(ofTest(sql`INSERT INTO later VALUES ('a')`)), 1);
    await owner.database.sql.unsafe('DROP TABLE later');
  });
});

describe('an owner of the tables without the rights of a superuser', { skip }, () => {
  const [ownerRole, serverRole] = [`kontor_owner_${process.pid}`, `kontor_owned_${process.pid}`];
  let testing: TestDatabase;
  let owned: Database;
  before(async () => {
    testing = await emptyDatabase();
    const address = new URL(testing.url);
    const { sql: administer } = testing.database;
    await administer.unsafe(`CREATE ROLE ${ownerRole} LOGIN PASSWORD 'x'`);
    await administer.unsafe(`ALTER DATABASE "${address.pathname.slice(1)}" OWNER TO ${ownerRole}`);
    [address.username, address.password] = [ownerRole, 'x'];
    owned = connect({ url: address.href });
  });
  after(async () => {
    await owned?.close();
    const { sql: administer } = testing.database;
    await administer.unsafe(`REASSIGN OWNED BY ${ownerRole} TO CURRENT_USER`);
    for (const name of [serverRole, ownerRole]) {
      await administer.unsafe(`DROP OWNED BY ${name}`);
      await administer.unsafe(`DROP ROLE ${name}`);
    }
    await testing.drop();
  });

  /** Whether the role may write to a table that the owner has made now. */
  async function mayUseNext(table: string): Promise<boolean> {
    await owned.writes.run(ofTest(raw(`CREATE TABLE ${table} (organization_id text)`)));
    const [row] = await owned.reads.rows<{ may: boolean }>(
      ofTest(sql`SELECT has_table_privilege(${serverRole}, ${table}, 'INSERT') AS may`),
    );
    return row!.may;
  }

  test('is told what to do where there are no tables, or no role that it may create', async () => {
    await assert.rejects(runFile(owned, serverRole), /run "kontor migrate" first/);
    await migrate(owned);
    await assert.rejects(
      runFile(owned, serverRole),
      /let an administrator run CREATE ROLE kontor_owned_\d+ LOGIN/,
    );
  });

  test('gets the grants on its next tables when a superuser runs the file', async () => {
    await runFile(testing.database, serverRole);
    assert.equal(await mayUseNext('next_of_superuser'), true);
  });

  test('runs the file itself once the role is there', async () => {
    await owned.writes.run(
      ofTest(raw(`ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON TABLES FROM ${serverRole}`)),
    );
    assert.equal(await mayUseNext('before_the_owner'), false);
    await runFile(owned, serverRole);
    assert.equal(await mayUseNext('next_of_owner'), true);
  });
});
