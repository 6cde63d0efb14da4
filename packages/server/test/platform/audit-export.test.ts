import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { type AuditEntry, auditEntryFields, fold } from '@kontor/contract';
import { parse } from 'csv-parse/sync';
import { newId } from '../../src/db/ids.ts';
import { auditFile } from '../../src/features/audit/export.ts';
import { apiClient } from '../support/contract/client.ts';
import { startService, type TestService } from '../support/service/service.ts';
import { recordingPool } from '../support/database/sql.ts';
import { testToken } from '../support/data/tokens.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

const pathOf = (organizationId: string) => `/organizations/${organizationId}/audit-entries`;

/** The bytes of an export as text. */
async function exported(query: Record<string, string>, path = pathOf(fixture.testData.organization)) {
  const { status, headers, bytes } = await fixture.platform.get(`${path}/export`, { query });
  assert.equal(status, 200, bytes.toString());
  return { headers, text: bytes.toString() };
}

const listed = async (query: Record<string, string | number>) =>
  (await fixture.platform.get(pathOf(fixture.testData.organization), { query })).body.items;

/** Entries of an organization of its own, a second apart from each other, more than one slice. */
async function manyEntries(organizationId: string, count: number): Promise<void> {
  await fixture.sql`
    INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
    SELECT ${organizationId}, '2026-01-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 millisecond',
      lpad(to_hex(n), 24, '0'), CASE WHEN n % 1000 = 0 THEN 'tenant.create' ELSE 'employee.update' END, 'operator',
      '{lastName,city}', lpad(to_hex(n * 7919 % 1000003), 24, '0'), 'operator', 'operator', 'operator'
    FROM generate_series(1, ${count}::int) AS n`;
}

describe('GET …/audit-entries/export 200', () => {
  test('JSON lines: what the list has, in the same order and after the same filter', async () => {
    for (const filter of ['targetType IN (tenant, division)', 'createdAt >= 2020-01-01T00:00:00Z']) {
      const { text, headers } = await exported({ filter });
      assert.equal(headers['content-type'], 'application/x-ndjson');
      assert.match(String(headers['content-disposition']), /filename="audit-[0-9a-f]{24}\.jsonl"/);
      const lines = text.trimEnd().split('\n');
      assert.ok(lines.length > 1 && text.endsWith('\n'));
      const expected = await listed({ filter, sort: 'createdAt', pageSize: 1000 });
      assert.deepEqual(
        lines.map(line => JSON.parse(line)),
        expected,
      );
    }
  });

  test('CSV: a line of names, then one for each entry, as RFC 4180 has it', async () => {
    const { text, headers } = await exported({ format: 'csv', filter: 'actorType = operator' });
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.doesNotMatch(text.replaceAll('\r\n', ''), /[\r\n]/);
    const rows: Record<string, string>[] = parse(text, { columns: true, record_delimiter: '\r\n' });
    const expected = await listed({ filter: 'actorType = operator', sort: 'createdAt', pageSize: 1000 });
    assert.deepEqual(
      rows,
      expected.map((entry: unknown) =>
        Object.fromEntries(
          Object.entries<string | number | string[] | null>(entry as never).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(' ') : String(value ?? ''),
          ]),
        ),
      ),
    );
    for (const name of auditEntryFields.keys()) assert.ok(name in rows[0]!, name);
  });

  test('CSV: no cell is a formula, and what would break a line does not', async () => {
    const { sql, testData } = fixture;
    const names = ['=1+1', '+49 228', '-1', '@SUM(A1)', '\tx', 'a "quoted", b', 'two\r\nlines'];
    for (const [n, name] of names.entries())
      await sql`
        INSERT INTO audit (organization_id, at, target_id, action, actor, fields, id, actor_type, actor_name, folded_actor_name)
        VALUES (${testData.organization}, '2026-02-01T00:00:00Z'::timestamptz + ${n} * interval '1 second', 'names', 'test.name', 'operator', '{}',
          ${newId()}, 'operator', ${name}, ${fold(name)})`;
    const { text } = await exported({ format: 'csv', filter: "action = 'test.name'" });
    const rows: Record<string, string>[] = parse(text, { columns: true, record_delimiter: '\r\n' });
    assert.deepEqual(
      rows.map(row => row['actorName']),
      names.map(name => (/^[=+\-@\t]/.test(name) ? `'${name}` : name)),
    );
  });

  test('has every entry once, over slices and where many have one instant', async () => {
    const { organization } = fixture.testData.foreign;
    await manyEntries(organization, 7001);
    const { text } = await exported({ createdAtTo: '2026-01-01T00:01:00Z' }, pathOf(organization));
    const entries = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { id: string; createdAt: string });
    assert.equal(new Set(entries.map(({ id }) => id)).size, 7001);
    const keys = entries.map(({ createdAt, id }) => createdAt + id);
    assert.deepEqual(keys, keys.toSorted());
    const { text: few } = await exported(
      { filter: "action = 'tenant.create'", createdAtTo: '2026-01-01T00:01:00Z' },
      pathOf(organization),
    );
    assert.equal(few.trimEnd().split('\n').length, 7);
  });

  test('what belongs to no organization goes to a token for all of them only', async () => {
    const { own, platform } = fixture;
    const everything = await platform.get('/audit-entries/export');
    assert.match(everything.bytes.toString(), /"platform_token\.create"/);
    assert.equal((await own.get('/audit-entries/export')).bytes.length, 0);
  });

  test('of nothing: no line of JSON, and the line of names of CSV', async () => {
    const filter = "action = 'nobody.did'";
    assert.equal((await exported({ filter })).text, '');
    assert.match((await exported({ filter, format: 'csv' })).text, /^id,createdAt,[^\n]*\r\n$/);
  });
});

describe('GET …/audit-entries/export rejects', () => {
  const rejections: Record<string, [status: number, code: string, query: Record<string, string>]> = {
    'a format that it has not': [400, 'VALIDATION_ERROR', { format: 'xlsx' }],
    'a page': [400, 'UNKNOWN_QUERY_PARAMETER', { page: '1' }],
    'a literal that is none, before anything is sent': [422, 'VALIDATION_ERROR', { filter: 'createdAt > x' }],
  };
  for (const [what, [status, code, query]] of Object.entries(rejections))
    test(`${status} ${code}: ${what}`, async () => {
      const path = `${pathOf(fixture.testData.organization)}/export`;
      const answer = await fixture.platform.get(path, { query });
      assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
    });
});

describe('an export takes no more than it sends', () => {
  const slices: string[] = [];
  let service: TestService;
  let token: string;
  const count = 60_000;
  before(async () => {
    const { sql, testData } = fixture;
    await sql`DELETE FROM audit WHERE organization_id = ${testData.foreign.organization}`;
    await manyEntries(testData.foreign.organization, count);
    token = await testToken(sql);
    const watched = recordingPool(
      sql.database.reads,
      text => / AS selected FROM /.test(text) && slices.push(text),
    );
    service = await startService(sql, { reads: watched });
  });
  after(() => service?.stop());

  /** Begins an export, of which nothing is read yet. */
  async function begin(): Promise<IncomingMessage> {
    slices.length = 0;
    const path = `/platform/v1${pathOf(fixture.testData.foreign.organization)}/export`;
    const request = get(`${service.managementUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    return response;
  }

  const all = Math.floor(count / 2000) + 1;

  test('a client gets all, a slice after the other', async () => {
    const response = await begin();
    let lines = 0;
    for await (const chunk of response) for (const byte of chunk as Buffer) if (byte === 10) lines++;
    assert.deepEqual([lines, slices.length], [count, all]);
  });

  test('when the client leaves no more is read', async () => {
    const response = await begin();
    await once(response, 'data');
    response.destroy();
    while (!service.log.some(line => line.includes('"status":499')))
      await new Promise(resolve => setTimeout(resolve, 10));
    const read = slices.length;
    assert.ok(read < all, `${read} of ${all} slices were read`);
    // Whatever was in progress has ended when what was sent behind it is answered.
    const client = apiClient(service.managementUrl, { api: 'platform', key: token });
    await client.get('/organizations');
    client.close();
    assert.equal(slices.length, read);
  });

  test('an unread file has two slices at most in memory', async () => {
    let taken = 0;
    async function* endless() {
      for (;;) {
        taken++;
        yield [] as AuditEntry[];
        yield [entry];
      }
    }
    const entry = (await listed({ pageSize: 1 }))[0] as AuditEntry;
    const file = await auditFile(endless(), 'jsonl');
    await once(file, 'readable');
    assert.ok(file.read());
    await new Promise(resolve => setImmediate(resolve));
    assert.ok(taken <= 3, `${taken} slices were read`);
    file.destroy();
  });
});
