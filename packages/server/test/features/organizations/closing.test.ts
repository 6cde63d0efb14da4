import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { kontorHere } from '../../cli/in-process.ts';
import { expiry, runOnce, store, waiting } from '../../jobs/support.ts';
import { queueRecord, sendOnce } from '../../mail/support.ts';
import { outcome } from '../../portal/support.ts';
import { apiClient } from '../../support/contract/client.ts';
import { evidence } from '../../support/data/incidents.ts';
import { testToken } from '../../support/data/tokens.ts';
import { startMailServer } from '../../support/servers/mail-server.ts';
import { startService } from '../../support/service/service.ts';
import { countTables, type Customer, endGrace, storeCustomer, useOffBoarding } from './off-boarding.ts';

const fixture = useOffBoarding();
const { json, error } = fixture;

const close = ({ organization }: Customer, ...more: string[]) =>
  json('organization', 'delete', organization, '--without-export', '--yes', ...more);

describe('organization export', () => {
  test('has all rows and files, with their digests, and no secret', async () => {
    const customer = await storeCustomer(fixture.sql);
    const { organization, name } = customer;
    const to = path.join(fixture.folder, 'whole');
    const counts = await countTables(fixture.sql, organization);
    const { rows, files } = await json('organization', 'export', organization, '--to', to);
    const manifest = JSON.parse(await readFile(path.join(to, 'export.json'), 'utf8')) as {
      tables: { name: string; rows: number }[];
      files: { id: string; size: number }[];
    };
    const { file_slice: slices, ...others } = counts;
    const found = manifest.tables.filter(table => table.rows > 0);
    assert.deepEqual(Object.fromEntries(found.map(table => [table.name, table.rows])), {
      organization: 1,
      ...others,
    });
    assert.equal(
      rows,
      found.reduce((sum, table) => sum + table.rows, 0),
    );
    assert.deepEqual([files, manifest.files.length], [slices, slices]);
    const texts = await Promise.all(
      manifest.tables.map(async table => gunzipSync(await readFile(path.join(to, `${table.name}.jsonl.gz`)))),
    );
    for (const [index, text] of texts.entries()) {
      const lines = text.toString('utf8').split('\n').slice(0, -1);
      assert.equal(lines.length, manifest.tables[index]!.rows);
      for (const line of lines) assert.equal(typeof JSON.parse(line), 'object');
    }
    const all = Buffer.concat(texts).toString('utf8');
    assert.ok(all.includes(name));
    assert.doesNotMatch(all, /_hash"/);
    const bytes = await Promise.all(manifest.files.map(({ id }) => readFile(path.join(to, 'files', id))));
    assert.ok(bytes.some(each => each.equals(evidence)));
  });

  test('of an unknown organization, or into a folder that exists, changes nothing', async () => {
    const { organization } = await storeCustomer(fixture.sql, 0);
    const unknown = await error(
      'organization',
      'export',
      'f'.repeat(24),
      '--to',
      path.join(fixture.folder, 'x'),
    );
    assert.match(unknown, /there is no organization f{24}/);
    assert.match(
      await error('organization', 'export', organization, '--to', fixture.folder),
      /exists already/,
    );
  });
});

describe('organization delete', () => {
  test('takes one choice, a grace period of an hour or more, and the name of the organization', async () => {
    const { organization, name } = await storeCustomer(fixture.sql, 0);
    const command = ['organization', 'delete', organization];
    assert.match(await error(...command), /name one of --export <folder>, --without-export and --now/);
    assert.match(await error(...command, '--without-export', '--now'), /name one of/);
    assert.match(await error(...command, '--now', '--grace', '7d'), /--grace is for closing/);
    assert.match(await error(...command, '--without-export', '--grace', '59m'), /at least 1h/);
    assert.match(await error(...command, '--without-export', '--grace', 'soon'), /7d/);
    assert.match(await error(...command, '--without-export'), /--yes/);
    assert.match(await error(...command, '--now', '--yes'), /is not closed/);
    const variables = { DATABASE_URL: fixture.databaseUrl, KONTOR_DATA_DIR: fixture.folder };
    for (const typed of ['y', `${name}s`, '']) {
      const { code, stderr } = await kontorHere([...command, '--without-export'], variables, `${typed}\n`);
      assert.equal(code, 1);
      assert.match(stderr, /WITHOUT AN EXPORT.*\nType its name, Abschied .*not confirmed/);
    }
    const { code } = await kontorHere([...command, '--without-export'], variables, `${name}\n`);
    assert.equal(code, 0);
    assert.match(await error(...command, '--without-export', '--yes'), /is closed already/);
    assert.match(await error(...command, '--now', '--yes'), /can be deleted from 20\d\d-.* on/);
  });

  test('of two at once one closes', async () => {
    const customer = await storeCustomer(fixture.sql, 0);
    const command = ['organization', 'delete', customer.organization, '--without-export', '--yes'];
    const runs = await Promise.all([fixture.run(...command), fixture.run(...command)]);
    assert.deepEqual(runs.map(({ code }) => code).toSorted(), [0, 1]);
    assert.equal((await audited(customer)).filter(action => action === 'organization.close').length, 1);
  });

  test('takes an export of the organization as it is, with every file as it was written', async () => {
    const customer = await storeCustomer(fixture.sql);
    const { organization, key, tenant } = customer;
    const exported = async (name: string) => {
      const to = path.join(fixture.folder, name);
      await json('organization', 'export', organization, '--to', to);
      return to;
    };
    const deletion = (folder: string) => [
      'organization',
      'delete',
      organization,
      '--yes',
      '--export',
      folder,
    ];
    const first = await exported('first');
    const client = apiClient(fixture.service.url, { key });
    const [employee] = (await client.get('/employees', { tenant })).body.items;
    await client.patch(`/employees/${employee.id}`, { city: 'Kiel' });
    client.close();
    assert.match(await error(...deletion(first)), /has changed at .*, after the export/);
    assert.match(await error(...deletion(fixture.folder)), /is not an export/);
    const other = await storeCustomer(fixture.sql, 0);
    await json('organization', 'export', other.organization, '--to', path.join(fixture.folder, 'other'));
    assert.match(
      await error(...deletion(path.join(fixture.folder, 'other'))),
      /is the export of organization/,
    );
    const damaged = await exported('damaged');
    await appendFile(path.join(damaged, 'employee.jsonl.gz'), 'x');
    assert.match(await error(...deletion(damaged)), /employee\.jsonl\.gz is damaged or missing/);
    await json(...deletion(await exported('last')), '--grace', '7d');
  });
});

/** A mail server that is closed whatever the test finds. */
async function openMailServer() {
  const server = await startMailServer();
  return { port: server.port, [Symbol.asyncDispose]: () => server.close() };
}

const audited = async ({ organization }: Customer) =>
  (
    await fixture.sql<{ action: string }[]>`SELECT action FROM audit WHERE organization_id = ${organization}`
  ).map(({ action }) => action);

describe('a closed organization', () => {
  test('is unknown to the clients of all processes and as before after its restore', async () => {
    const { sql } = fixture;
    const customer = await storeCustomer(sql);
    await using opened = new AsyncDisposableStack();
    const second = await startService(sql);
    opened.defer(() => second.stop());
    const token = await testToken(sql);
    const clients = [fixture.service, second].map(({ url }) => apiClient(url, { key: customer.key }));
    const portals = [fixture.service, second].map(({ url }) =>
      apiClient(url, { api: 'portal', key: customer.user.secret }),
    );
    const platform = apiClient(fixture.service.managementUrl, { api: 'platform', key: token });
    opened.defer(() => [...clients, ...portals, platform].forEach(client => client.close()));
    const one = `/organizations/${customer.organization}`;
    const ask = async () => ({
      keys: await Promise.all(clients.map(async client => outcome(await client.get('/employees')))),
      sessions: await Promise.all(portals.map(async portal => outcome(await portal.get('/session')))),
      platform: outcome(await platform.get(`${one}/tenants`)),
      organization: outcome(await platform.get(one)),
    });
    const open = { keys: ['200', '200'], sessions: ['200', '200'], platform: '200', organization: '200' };
    assert.deepEqual(await ask(), open);
    const before = await countTables(sql, customer.organization);
    await close(customer);
    const closed = {
      keys: ['401 INVALID_API_KEY', '401 INVALID_API_KEY'],
      sessions: ['401 INVALID_SESSION', '401 INVALID_SESSION'],
      platform: '404 NOT_FOUND',
      organization: '404 NOT_FOUND',
    };
    // The notification of a key arrives soon after the commit.
    for (const client of clients) while (outcome(await client.get('/employees')) === '200');
    assert.deepEqual(await ask(), closed);
    await json('organization', 'restore', customer.organization);
    assert.deepEqual(await ask(), open);
    const { audit, ...rows } = await countTables(sql, customer.organization);
    assert.deepEqual({ ...rows, audit: audit! - 2 }, before);
    assert.match(await error('organization', 'restore', customer.organization), /is not closed/);
  });

  test('takes no sign-in', async () => {
    const { sql } = fixture;
    const customer = await storeCustomer(sql, 0);
    await close(customer);
    const portal = apiClient(fixture.service.url, { api: 'portal' });
    const body = { email: customer.user.user.email, password: 'a wrong or a right password' };
    assert.equal(outcome(await portal.post('/session', body)), '401 SIGN_IN_FAILED');
    portal.close();
  });

  test('waits with its jobs and mails, and those of others go on', async () => {
    const { sql, testData } = fixture;
    const customer = await storeCustomer(sql, 0);
    await sql`UPDATE tenant SET decision_days = 1 WHERE id = ANY(${[customer.tenant, testData.tenantA]}::text[])`;
    const place = { organizationId: customer.organization, tenantId: customer.tenant };
    const [own] = await store(sql, place, [waiting(3)]);
    const elsewhere = { organizationId: testData.organization, tenantId: testData.tenantA };
    const [other] = await store(sql, elsewhere, [waiting(3)]);
    const states = async () => {
      const ids = [own!.id, other!.id];
      const rows = await sql<{ id: string; status: string }[]>`
        SELECT id, status FROM employee_order WHERE id = ANY(${ids}::text[])`;
      return ids.map(id => rows.find(row => row.id === id)!.status);
    };
    await queueRecord(sql, { ...place, userId: customer.user.user.id }, 'Text');
    await close(customer);
    await using server = await openMailServer();
    await runOnce(sql, expiry);
    assert.deepEqual(await states(), ['under_review', 'expired']);
    assert.equal((await sendOnce(sql, server)).reported.includes('sent'), false);
    await json('organization', 'restore', customer.organization);
    await runOnce(sql, expiry);
    assert.deepEqual(await states(), ['expired', 'expired']);
    assert.ok((await sendOnce(sql, server)).reported.includes('sent'));
  });

  test('takes no write of a job or command, and is listed with its dates', async () => {
    const customer = await storeCustomer(fixture.sql, 0);
    const { deletableFrom } = await close(customer, '--grace', '7d');
    const { organization } = customer;
    const rejected = await error('tenant', 'create', '--organization', organization, '--name', 'Neu GmbH');
    assert.match(rejected, /there is no organization .*, or it is closed/);
    const listed = await json('organization', 'show', organization);
    assert.equal(listed.deletableFrom, deletableFrom);
    assert.equal(Date.parse(deletableFrom) - Date.parse(listed.closedAt), 7 * 86_400_000);
    await endGrace(fixture.sql, organization);
    await json('organization', 'restore', organization);
  });
});
