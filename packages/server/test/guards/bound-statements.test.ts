import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { raw, sql } from '../../src/db/sql.ts';
import { checkBound } from '../support/database/bound-statements.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { takeSent } from '../support/database/sent-statements.ts';

/** Every database of a test checks in the end what was sent to it (support/database/database.ts); here that the check finds faults. */

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

const check = (...texts: string[]) => checkBound(database.database.target, texts);

describe('a statement that may reach more than one organization is found out', () => {
  const planted: Record<string, { text: string; tables: string }> = {
    'a read by the identifier alone': { text: 'SELECT doc FROM employee WHERE id = $1', tables: 'employee' },
    'a list with neither organization nor scope': { text: 'SELECT doc FROM division', tables: 'division' },
    'a scope without its organization': {
      text: 'SELECT doc FROM employee WHERE tenant_id = $1 AND id = $2',
      tables: 'employee',
    },
    'an organization that is only one of two alternatives': {
      text: 'SELECT doc FROM employee WHERE organization_id = $1 OR tenant_id = $2',
      tables: 'employee',
    },
    'all organizations but one': {
      text: 'SELECT doc FROM employee WHERE organization_id <> $1',
      tables: 'employee',
    },
    'any of several organizations': {
      text: 'SELECT doc FROM employee WHERE organization_id = ANY($1) AND id = $2',
      tables: 'employee',
    },
    'the organization in a text': {
      text: "SELECT doc FROM employee WHERE id = '(organization_id = 1) AND ('",
      tables: 'employee',
    },
    'a sub-select': {
      text: 'SELECT (SELECT blocked FROM employee e WHERE e.id = employee_id) FROM employee_order WHERE organization_id = $1 AND id = $2',
      tables: 'employee',
    },
    'a statement in WITH': {
      text: 'WITH found AS (SELECT id FROM incident WHERE id = $2) SELECT doc FROM employee WHERE organization_id = $1 AND id IN (SELECT id FROM found)',
      tables: 'incident',
    },
    'a join by the identifier alone': {
      text: 'SELECT o.doc FROM employee e JOIN employee_order o ON o.employee_id = e.id WHERE e.organization_id = $1',
      tables: 'employee_order',
    },
    'an update': { text: 'UPDATE employee SET blocked = $1 WHERE id = $2', tables: 'employee' },
    'a deletion': { text: 'DELETE FROM file_slice WHERE file_id = $1', tables: 'file_slice' },
    'what is inserted from': {
      text: 'INSERT INTO counter SELECT organization_id, $1, id, 1 FROM division',
      tables: 'division',
    },
    'any organization': { text: 'SELECT clock FROM organization', tables: 'organization' },
  };
  for (const [name, { text, tables }] of Object.entries(planted))
    test(name, () =>
      assert.rejects(check(text), ({ message }: Error) => {
        assert.ok(message.endsWith(`\n- any organization in ${tables}: ${text}`), message);
        return true;
      }),
    );
});

describe('a statement that is bound to an organization is not', () => {
  const bound: Record<string, string> = {
    'a row in scope': 'SELECT doc FROM employee WHERE organization_id = $1 AND tenant_id = $2 AND id = $3',
    'each alternative by itself':
      'SELECT doc FROM employee WHERE (organization_id = $1 AND id = $2) OR (organization_id = $1 AND tenant_id = $3)',
    'the organization of a sub-select': 'SELECT doc FROM employee WHERE organization_id = (SELECT $1::text)',
    'the organization under another name':
      'SELECT FROM division_ancestor AS a (in_organization, ancestor) WHERE in_organization = $1 AND ancestor = $2',
    'a join along the organization':
      'SELECT o.doc FROM employee e JOIN employee_order o ON o.organization_id = e.organization_id AND o.employee_id = e.id WHERE e.organization_id = $1',
    'the own row of an organization': 'SELECT clock FROM organization o WHERE o.id = $1',
    'a table that is of no organization': 'SELECT value FROM setting WHERE name = $1',
  };
  for (const [name, text] of Object.entries(bound)) test(name, () => check(text));
});

describe('a change of rows that a distributed database rejects is detected', () => {
  const planted: Record<string, { text: string; problem: string }> = {
    'a VOLATILE function': {
      text: 'UPDATE organization SET clock = clock_timestamp() WHERE id = $1',
      problem: 'VOLATILE clock_timestamp',
    },
    'one in a condition': {
      text: "DELETE FROM file_pending WHERE organization_id = $1 AND set_config('a.b', $2, true) = ''",
      problem: 'VOLATILE set_config',
    },
    'one in a statement in WITH': {
      text: 'WITH taken AS (UPDATE organization SET clock = clock_timestamp() WHERE id = $1 RETURNING clock) SELECT clock FROM taken',
      problem: 'VOLATILE clock_timestamp',
    },
    'a STABLE operator on a column': {
      text: "UPDATE organization SET clock = clock + interval '1 millisecond' WHERE id = $1",
      problem: 'STABLE timestamptz_pl_interval of a column',
    },
    'a STABLE function of a column': {
      text: "UPDATE employee SET doc = to_char(created_at, 'YYYY') WHERE organization_id = $1",
      problem: 'STABLE to_char of a column',
    },
  };
  for (const [name, { text, problem }] of Object.entries(planted))
    test(name, () =>
      assert.rejects(check(text), ({ message }: Error) => {
        assert.ok(message.endsWith(`\n- ${problem} in an UPDATE: ${text}`), message);
        return true;
      }),
    );

  const allowed: Record<string, string> = {
    'a STABLE function of no column':
      'UPDATE organization SET clock = greatest(statement_timestamp(), clock) WHERE id = $1',
    'an IMMUTABLE function of a column':
      "UPDATE organization SET clock = (clock AT TIME ZONE 'UTC' + interval '1 s') AT TIME ZONE 'UTC' WHERE id = $1",
    'a VOLATILE function in a new row':
      "INSERT INTO organization (id, name, clock) VALUES ($1, 'UPDATE', clock_timestamp())",
  };
  for (const [name, text] of Object.entries(allowed)) test(`but not ${name}`, () => check(text));
});

test('statements on a temporary table that was sent before are checked, too', async () => {
  const table = 'CREATE TEMPORARY TABLE staged (id text) ON COMMIT DROP';
  await check(table, 'SELECT id FROM staged WHERE id = $1');
  await assert.rejects(check(table, 'SELECT doc FROM staged JOIN employee USING (id)'), /in employee: /);
});

test('what cannot be planned is a fault', () =>
  assert.rejects(check('SELECT surprise FROM employee WHERE organization_id = $1'), /it cannot be planned/));

test('what is sent is noticed, whichever way it goes, but for the statements of tests', async () => {
  const own = await testDatabase();
  const { reads, lists, writes, sql: tag } = own.database;
  await reads.rows(sql`SELECT 1 AS reads`);
  await lists.arrays(sql`SELECT 1 AS lists`);
  await writes.use(session => session.send(sql`SELECT 1 AS session`, { deadline: 1000 }));
  await tag.begin(async transaction => {
    await transaction.run(raw('SELECT 1 AS transaction'));
    await transaction`SELECT FROM employee`;
  });
  const texts = takeSent(new URL(own.url).pathname.slice(1)).filter(text => text.startsWith('SELECT 1'));
  assert.deepEqual(
    texts.map(text => text.split(' AS ')[1]),
    ['reads', 'lists', 'session', 'transaction'],
  );
  await own.drop();
});

test('a database of a test is not dropped in silence when an unbound statement was sent to it', async () => {
  const own = await testDatabase();
  await own.database.reads.rows(sql`SELECT doc FROM employee WHERE id = ${'f'.repeat(24)}`);
  await assert.rejects(own.drop(), /any organization in employee/);
});
