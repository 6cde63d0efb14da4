import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Employee } from '@kontor/contract';
import fc from 'fast-check';
import pino from 'pino';
import { backgroundJobs } from '../../src/app/payroll.ts';
import type { Cell, Cells } from '../../src/features/employees/import/read-cells.ts';
import { RepeatedFinder, repeatedOf } from '../../src/features/employees/portal-import/keys.ts';
import { createTenant } from '../../src/features/organizations/store.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { importSteps } from '../support/data/employee-imports.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { signedInUser } from '../support/data/users.ts';
import { usePortal } from './support.ts';

let steps: ReturnType<typeof importSteps>;
let secret: string;
const fixture = usePortal(async ({ sql, portal, testData }) => {
  const hr = { permissions: ['HR' as const], hrTenants: null };
  ({ secret } = await signedInUser(sql, testData.organization, hr));
  steps = importSteps(portal, secret);
});

async function company(staff: readonly Partial<Employee>[] = []): Promise<string> {
  const { sql, testData } = fixture;
  const tenant = await createTenant(sql.database.writes, testData.organization, `Muster ${Math.random()}`);
  await storeEmployees(
    sql,
    testData.organization,
    staff.map(person => ({ tenant, ...person })),
  );
  return tenant;
}

const maxRows = 100_000;
const maxErrors = 10_000;
const partRows = 2000;

const rowsOf = (count: number, row: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => row(n)).join('');

const file = (count: number) =>
  `employeeNumber;email;firstName;lastName\n${rowsOf(count, n => `${n};p${n}@example.com;A;B\n`)}`;

describe('an upload', () => {
  test('of more than 100,000 rows is failed and says so, and its bytes are not stored', async () => {
    const { sql } = fixture;
    for (const [text, failure] of [
      [`Ort\n${'a\n'.repeat(maxRows)}`, null],
      [`Ort\n${'a\n'.repeat(maxRows + 1)}`, 'too_many_rows'],
      ['a\n'.repeat(maxRows), null],
      ['a\n'.repeat(2_450_000), 'too_many_rows'],
      [`Ort\n${'"a\n"\n'.repeat(maxRows + 1)}`, 'too_many_rows'],
      [`Ort\n${'\n\r\n\r'.repeat(maxRows)}a\n`, null],
    ] as const) {
      const tenant = await company();
      const { status, body } = await steps.upload(tenant, text);
      assert.deepEqual([status, body.failure?.reason ?? null], [201, failure]);
      assert.equal(body.status, failure === null ? 'uploaded' : 'failed');
      const stored = await sql`SELECT FROM employee_import_file WHERE import_id = ${body.id}`;
      assert.equal(stored.length, failure === null ? 1 : 0);
    }
  });

  test('reads the first rows once: a GET and a plan read them without the file', async () => {
    const { sql } = fixture;
    const { body } = await steps.upload(await company(), 'E-Mail;Ort\r\na@example.com;Köln\n"b";"x"y\n');
    const before = await steps.details(body.id);
    assert.deepEqual(before.columns, [
      { name: 'E-Mail', samples: ['a@example.com', 'b'], isExact: true },
      { name: 'Ort', samples: ['Köln', 'xy'], isExact: true },
    ]);
    await sql`UPDATE employee_import_file SET bytes = '' WHERE import_id = ${body.id}`;
    assert.deepEqual(await steps.details(body.id), before);
    assert.equal((await steps.post(body.id, 'plan', before.mapping)).status, 200);
    await steps.settled(body.id);
    await steps.post(body.id, 'discard');
    assert.deepEqual(
      (await steps.details(body.id)).columns.map(({ samples }) => samples),
      [[], []],
    );
  });

  test('of names and values of any length is matched and shown by their first characters', async () => {
    const long = 'x'.repeat(300_000);
    const other = await steps.upload(await company(), `email;${long}\n${long};${'@.'.repeat(100_000)} \n`);
    const { columns, mapping } = await steps.details(other.body.id);
    assert.deepEqual(
      columns.map(({ name, samples }) => [name, samples[0]!.length]),
      [
        ['email', 100],
        ['x'.repeat(100), 100],
      ],
    );
    assert.deepEqual(
      mapping.columns.map(({ field }) => field),
      ['email'],
    );
  });
});

describe('a file of 0.2.0', () => {
  const staff = [{ employeeNumber: '1' }, { employeeNumber: '2' }];
  const text = `employeeNumber;city\n1;Ulm\n2;Bern\n`;

  /** An import as 0.2.0 has left it. */
  async function uploaded() {
    const { sql } = fixture;
    const { body } = await steps.upload(await company(staff), text);
    const { columns, mapping } = await steps.details(body.id);
    await sql`UPDATE employee_import_file SET head = NULL WHERE import_id = ${body.id}`;
    return { id: body.id, columns, mapping };
  }

  test('has its columns from the beginning of the file, and is planned and applied', async () => {
    const { id, columns, mapping } = await uploaded();
    const details = await steps.details(id);
    assert.deepEqual([details.columns, details.mapping], [columns, mapping]);
    assert.equal((await steps.post(id, 'plan', mapping)).status, 200);
    assert.equal((await steps.settled(id)).counts?.changes, 2);
    assert.equal((await steps.apply(id, { confirmedChanges: 2 })).counts?.applied, 2);
  });

  test('is planned by a job that 0.2.0 has queued, which no process of 0.2.0 can go on with', async () => {
    const { sql, testData } = fixture;
    const { id, mapping } = await uploaded();
    const header = JSON.stringify(['employeeNumber', 'city']);
    const key = { organizationId: testData.organization, id };
    const { headerRow: _headerRow, ...columns } = mapping;
    await sql`UPDATE employee_import SET status = 'planning', mapping = ${JSON.stringify({ ...columns, hasHeader: true })}::jsonb,
      header = ${header}::jsonb WHERE id = ${id}`;
    await sql`INSERT INTO background_job (organization_id, id, type, input, queued_at)
      VALUES (${key.organizationId}, ${id}, 'employee_import_plan', '{}', now())`;
    await jobs().run(key);
    const { status, counts } = await steps.settled(id);
    assert.deepEqual([status, counts?.changes], ['planned', 2]);
    assert.deepEqual((await steps.details(id)).mapping, mapping);
  });

  test('with too many rows is failed by the plan', async () => {
    const { sql } = fixture;
    const { id, mapping } = await uploaded();
    const large = Buffer.from(`employeeNumber;city\n${'1;a\n'.repeat(maxRows + 1)}`);
    await sql`UPDATE employee_import_file SET bytes = ${large} WHERE import_id = ${id}`;
    await steps.post(id, 'plan', mapping);
    const { status, failure } = await steps.settled(id);
    assert.deepEqual([status, failure?.reason], ['failed', 'too_many_rows']);
  });
});

function jobs() {
  const { sql } = fixture;
  const pools = { reads: sql.database.reads, writes: sql.database.writes };
  return backgroundJobs(pools, databaseStore(sql), pino({ level: 'silent' }));
}

/** Rows from `line` on wait to be stored while `work` runs. Returns what it returns, and the lines that were stored then or later. */
async function withWaitingRows<T>(
  line: number,
  work: () => Promise<T>,
): Promise<{ result: T; lines: number[] }> {
  const { sql } = fixture;
  await sql.unsafe(`
    CREATE TABLE tried_line (line integer);
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO tried_line VALUES (NEW.line);
      IF NEW.line >= ${line} THEN PERFORM pg_advisory_xact_lock_shared(36); END IF;
      RETURN NEW; END $$;
    CREATE TRIGGER wait_for_test BEFORE INSERT ON employee_import_row FOR EACH ROW EXECUTE FUNCTION wait_for_test()`);
  try {
    const result = await sql.begin(async holding => {
      await holding`SELECT pg_advisory_xact_lock(36)`;
      return work();
    });
    while ((await sql`SELECT FROM background_job`).length > 0);
    const tried = await sql<{ line: number }[]>`SELECT line FROM tried_line`;
    return { result, lines: tried.map(({ line }) => line) };
  } finally {
    await sql.unsafe(
      'DROP TRIGGER wait_for_test ON employee_import_row; DROP FUNCTION wait_for_test; DROP TABLE tried_line',
    );
  }
}

const waiting = async () =>
  (await fixture.sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 36 AND NOT granted`)
    .length > 0;

describe('a plan', () => {
  test('commits its parts, and a discard ends it with the part in progress and leaves no row', async () => {
    const { sql } = fixture;
    const tenant = await company();
    const uploaded = await steps.upload(tenant, file(12_000));
    const { id } = uploaded.body;
    const { mapping } = await steps.details(id);
    const { result, lines } = await withWaitingRows(partRows * 1.5, async () => {
      await steps.post(id, 'plan', mapping);
      while (!(await waiting()));
      const committed = await sql`SELECT FROM employee_import_row WHERE import_id = ${id}`;
      assert.equal((await steps.post(id, 'discard')).body.status, 'discarded');
      return committed.length;
    });
    assert.ok(result >= partRows && result < 12_000, `${result} rows were committed`);
    assert.ok(Math.max(...lines) < 3 * partRows, `line ${Math.max(...lines)} was planned`);
    for (const table of ['employee_import_file', 'employee_import_row'])
      assert.equal((await sql.unsafe(`SELECT FROM ${table} WHERE import_id = '${id}'`)).length, 0);
    assert.equal((await sql`SELECT FROM background_job_progress`).length, 0);
  });

  test('finds values that rows of different parts have, each with the line of another one', async () => {
    const tenant = await company([{ employeeNumber: '7', email: 'seven@example.com' }]);
    const rows = Array.from({ length: 5000 }, (_, n) => `${n + 100};p${n}@example.com;A;B;"x\n${n}"\n`);
    rows[0] = '1;twice@example.com;A;B;\n';
    rows[4990] = '2;TWICE@example.com;A;B;\n';
    rows[1] = '3;a@example.com;A;B;\n';
    rows[2500] = '3;b@example.com;A;B;\n';
    rows[4991] = '3;;A;B;\n';
    rows[2501] = '7;seven@example.com;A;B;\n';
    const planned = await steps.plan(
      tenant,
      `employeeNumber;email;firstName;lastName;Text\n${rows.join('')}`,
    );
    assert.deepEqual([planned.counts?.adds, planned.counts?.errors, planned.counts?.changes], [4994, 5, 1]);
    const found = await steps.rows(planned.id, 'error');
    assert.deepEqual(
      found.map(({ line, problems }) => [
        line,
        problems.map(({ column, code, limit }) => [column, code, limit]),
      ]),
      [
        [2, [['email', 'repeated', 9978]]],
        [3, [['employeeNumber', 'repeated', 9979]]],
        [5000, [['employeeNumber', 'repeated', 3]]],
        [9978, [['email', 'repeated', 2]]],
        [
          9979,
          [
            ['email', 'missing', null],
            ['employeeNumber', 'repeated', 3],
          ],
        ],
      ],
    );
  });

  test('stores the first 10,000 rows with errors, and counts all', async () => {
    const { sql } = fixture;
    const count = maxErrors + 2500;
    const good = 'z@example.com;Mia;Fischer\n';
    const planned = await steps.plan(
      await company(),
      `email;firstName;lastName\n${';a;b;c\n'.repeat(count)}${good}`,
    );
    assert.deepEqual([planned.status, planned.counts?.errors, planned.counts?.adds], ['planned', count, 1]);
    const path = `/employee-imports/${planned.id}/rows`;
    const { body } = await fixture.portal.get(path, { key: secret, query: { view: 'error', page: 200 } });
    assert.deepEqual([body.totalElements, body.items.at(-1).line], [maxErrors, maxErrors + 1]);
    const [{ code, found, limit }] = body.items[0].problems;
    assert.deepEqual([code, found, limit], ['surplus_cell', 'c', 3]);
    assert.deepEqual(
      (await steps.rows(planned.id, 'add')).map(({ line }) => line),
      [count + 2],
    );
    const [{ bytes }] =
      (await sql`SELECT sum(pg_column_size(r.*))::int AS bytes FROM employee_import_row r WHERE import_id = ${planned.id}`) as [
        any,
      ];
    assert.ok(bytes / maxErrors < 200, `${bytes / maxErrors} bytes a row`);
  });

  test('takes a cell of any length for a value that is too long', { timeout: 60_000 }, async () => {
    const cells = [`a@${'.'.repeat(100_000)} b`, `${'@'.repeat(100_000)}a b1`, 'x'.repeat(100_000)];
    const fields = ['email', 'privateEmail', 'employeeNumber', 'divisionId', 'blocked', 'city'] as const;
    const tenant = await company();
    for (const [n, cell] of cells.entries()) {
      const { id } = await steps.plan(
        tenant,
        `${fields.join(';')}\n${`${cell};`.repeat(n === 0 ? 6 : 1).slice(0, -1)}${n === 0 ? '' : ';;;;;'}\n`,
        mapping => ({ ...mapping, matchBy: 'email' }),
      );
      const [row] = await steps.rows(id, 'error');
      const { code, found, limit } = row!.problems.find(({ field }) => field === 'email')!;
      assert.deepEqual([code, found, limit], ['too_long', cell.slice(0, 100), 254]);
      await steps.post(id, 'discard');
    }
  });

  test('of a record with over a million characters has an error there, and the other rows', async () => {
    const planned = await steps.plan(
      await company(),
      `email;firstName;lastName\n;;${'x'.repeat(1_100_000)}\nz@example.com;Mia;Fischer\n`,
    );
    assert.deepEqual([planned.counts?.errors, planned.counts?.adds], [1, 1]);
    const [row] = await steps.rows(planned.id, 'error');
    assert.deepEqual(row!.problems, [
      {
        code: 'too_long',
        column: null,
        field: null,
        found: null,
        suggestion: null,
        limit: 1_048_576,
        line: null,
        position: null,
      },
    ]);
  });
});

test('repeated values are those that a comparison of all rows finds', () => {
  const value = fc.option(fc.constantFrom('a', 'A', 'b', 'é', 'e\u0301', 'c'), { nil: undefined });
  const rows = fc.array(fc.record({ email: value, employeeNumber: value }), { maxLength: 30 });
  fc.assert(
    fc.property(rows, values => {
      const cells = values.map((row, n): Cells => {
        const given = Object.entries(row).filter(([, text]) => text !== undefined);
        const cell = ([field, text]: (typeof given)[number]) => ({ field, text, value: text, problem: null });
        return {
          line: 3 * n + 2,
          cells: new Map(given.map(each => [each[0] as Cell['field'], cell(each) as Cell])),
          problems: [],
        };
      });
      const finder = new RepeatedFinder(cells.length);
      for (const each of cells) finder.add(each);
      const keys = { email: (text: string) => text.normalize('NFC').toLowerCase(), employeeNumber: String };
      for (const [n, { line }] of cells.entries())
        for (const field of ['email', 'employeeNumber'] as const) {
          const key = (each: Cells) => {
            const text = each.cells.get(field)?.text;
            return text === undefined ? undefined : keys[field](text);
          };
          const own = key(cells[n]!);
          const others = cells.filter(each => each.line !== line && own !== undefined && key(each) === own);
          const found = repeatedOf(finder.bytes, n)[field];
          assert.equal(found > 0, others.length > 0);
          assert.ok(found === 0 || others.some(each => each.line === found));
        }
    }),
  );
});
