import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { storeEmployees } from '../support/data/employees.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const fixture = usePlatform();

const send = (items: unknown[], query = {}) =>
  fixture.own.post(
    `/organizations/${fixture.testData.organization}/activation-batches`,
    { items },
    { query },
  );

async function staff(count: number): Promise<string[]> {
  const { sql, testData } = fixture;
  const stored = await storeEmployees(
    sql,
    testData.organization,
    Array.from({ length: count }, () => ({})),
  );
  return stored.map(({ id }) => id);
}

const lines = (ids: readonly string[]) => ids.map(employeeId => ({ employeeId }));

describe('activateEmployeeBatch 200', () => {
  test('each line has its outcome, in order, and a rejected one harms no other', async () => {
    const { sql, testData } = fixture;
    const [one, two] = (await staff(2)) as [string, string];
    const [stranger] = await storeEmployees(sql, testData.foreign.organization, [{}]);
    const { status, body, headers } = await send(
      lines([one, 'Maria', two.toUpperCase(), stranger!.id, 'f'.repeat(24), one]),
    );
    assert.equal(status, 200);
    assert.deepEqual(
      body.items.map(({ index, status, id, error }: any) => [index, status, id, error?.code ?? null]),
      [
        [0, 200, one, null],
        [1, 400, null, 'INVALID_REFERENCE_ID'],
        [2, 200, two, null],
        [3, 422, null, 'INVALID_REFERENCE'],
        [4, 422, null, 'INVALID_REFERENCE'],
        [5, 200, one, null],
      ],
    );
    const errors = body.items.flatMap(({ error }: any) => error ?? []);
    assert.ok(errors.every(({ requestId }: any) => requestId === headers['x-request-id']));
    const rows = await sql`SELECT id FROM employee WHERE activated_at IS NOT NULL ORDER BY id`;
    assert.deepEqual(
      rows.map(({ id }) => id),
      [one, two].sort(),
    );
    const audited = await sql`SELECT target_id FROM audit WHERE action = 'employee.activate'`;
    assert.equal(audited.length, 2);
  });

  test('1,000 at once; and again, nothing changes', async () => {
    const ids = await staff(1000);
    const first = await send(lines(ids));
    assert.ok(first.body.items.every(({ status }: any) => status === 200));
    const before = await stateOf(fixture.sql);
    const { body } = await send(lines(ids));
    assert.deepEqual(body, first.body);
    assert.equal(await stateOf(fixture.sql), before);
  });
});

test('activateEmployeeBatch 400 VALIDATION_ERROR: 1,001 lines', async () => {
  const { status, body } = await send(lines(Array.from({ length: 1001 }, () => 'f'.repeat(24))));
  assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
});
