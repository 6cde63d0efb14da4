import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { newId } from '../../src/db/ids.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import { checks, type Finding } from '../../src/consistency/finding.ts';
import { verify } from '../../src/consistency/verify.ts';
import { countersOf, storeEmployees } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import { type DataSubject, storeDataSubject } from '../support/data/person.ts';
import { stateOf } from '../support/data/test-data.ts';

let dataSubject: DataSubject;
let payroll: string;
const fixture = useFixture(async ready => {
  dataSubject = await storeDataSubject(ready, {
    employee: { firstName: 'Jörg', lastName: 'Weiß', city: 'KÖLN' },
  });
  await storeEmployees(ready.sql, ready.testData.organization, [
    { tenant: null, employeeNumber: '4711' },
    { tenant: ready.testData.tenantB, divisionId: ready.testData.lager },
  ]);
  payroll = (
    await storePayrollDocument(ready.sql, ready.testData.organization, { tenant: ready.testData.tenantA })
  ).id;
});

async function findings(repair = false): Promise<Finding[]> {
  const found: Finding[] = [];
  const files = { store: databaseStore(fixture.sql), timeout: 1000 };
  const what = {
    db: fixture.sql,
    organizationId: fixture.testData.organization,
    checks: new Set(checks),
    files,
  };
  for await (const finding of verify({ ...what, repair, advance() {} })) found.push(finding);
  return found;
}

const outcomes = (found: readonly Finding[]) =>
  found.map(({ kind, target, outcome }) => `${outcome} ${kind} ${target}`);

test('what the service has written agrees', async () => {
  assert.deepEqual(await findings(), []);
});

interface Damage {
  readonly name: string;
  readonly plant: () => Promise<unknown>;
  /** What is reported. */
  readonly problem: RegExp;
}

const organization = () => fixture.testData.organization;

/** Changes the document of a row in the text. */
const inDocument = (table: string, id: string, from: string, to: string) => {
  assert.match(table, /^\w+$/);
  return fixture.sql.unsafe(`
    UPDATE ${table} SET doc = replace(doc, '${from}', '${to}')
    WHERE organization_id = '${organization()}' AND id = '${id}'`);
};

const set = (table: string, id: string, assignment: string) =>
  fixture.sql.unsafe(`
    UPDATE ${table} SET ${assignment} WHERE organization_id = '${organization()}' AND id = '${id}'`);

const damages: readonly Damage[] = [
  {
    name: 'a counter of a tenant',
    plant: () => fixture.sql`
      UPDATE counter SET n = n + 7 WHERE organization_id = ${organization()} AND resource_type = 'employee'
        AND scope = ${fixture.testData.tenantA}`,
    problem: /^it says 8, and there are 1$/,
  },
  {
    name: 'a counter that is missing',
    plant: () => fixture.sql`
      DELETE FROM counter WHERE organization_id = ${organization()} AND resource_type = 'incident' AND scope = ''`,
    problem: /^it says 0, and there are 1$/,
  },
  {
    name: 'a counter of what is not there',
    plant: () => fixture.sql`
      INSERT INTO counter (organization_id, resource_type, scope, n) VALUES (${organization()}, 'order', ${newId()}, 3)`,
    problem: /^it says 3, and there are 0$/,
  },
  {
    name: 'a folded column',
    plant: () => set('employee', dataSubject.id, "folded_city = 'KÖLN'"),
    problem: /^folded_city: not the folding of the document$/,
  },
  {
    name: 'a column for searching',
    plant: () => set('employee_order', dataSubject.orderId, "search = ''"),
    problem: /^search: not the folding of the document$/,
  },
  {
    name: 'foldings of another version',
    plant: () => set('division', fixture.testData.sales, 'fold_version = 0'),
    problem: /^fold_version: not the folding of the document$/,
  },
  {
    name: 'a division without a line to what is above it',
    plant: () => fixture.sql`
      DELETE FROM division_ancestor WHERE organization_id = ${organization()}
        AND division_id = ${fixture.testData.north} AND ancestor_id = ${fixture.testData.sales}`,
    problem: /does not have the divisions above it/,
  },
  {
    name: 'a line to a division that is not above',
    plant: () => fixture.sql`
      INSERT INTO division_ancestor (organization_id, division_id, ancestor_id)
      VALUES (${organization()}, ${fixture.testData.support}, ${fixture.testData.sales})`,
    problem: /does not have the divisions above it/,
  },
  {
    name: 'lines of a division that is not there',
    plant: () => fixture.sql`
      INSERT INTO division_ancestor (organization_id, division_id, ancestor_id)
      VALUES (${organization()}, ${newId()}, ${fixture.testData.sales})`,
    problem: /does not have the divisions above it/,
  },
];

describe('damage that can be put right:', () => {
  for (const { name, plant, problem } of damages)
    test(`${name} is found, and repaired when that is asked for`, async () => {
      await plant();
      const damaged = await stateOf(fixture.sql);
      const found = await findings();
      assert.deepEqual([found.length, found[0]?.outcome], [1, 'repairable'], JSON.stringify(found));
      assert.match(found[0]!.problem, problem);
      assert.equal(await stateOf(fixture.sql), damaged, 'to look changes nothing');
      assert.deepEqual(await findings(true), [{ ...found[0], outcome: 'repaired' }]);
      assert.deepEqual(await findings(), []);
    });
});

describe('damage that nothing stored can repair is reported, and left alone:', () => {
  /** Undoes the damage, whatever became of it. */
  let undo: () => Promise<unknown> = async () => {};
  afterEach(() => undo());

  async function reportedAsLost(kind: string, target: string, problem: RegExp): Promise<void> {
    const damaged = await stateOf(fixture.sql);
    for (const repair of [false, true]) {
      const found = await findings(repair);
      assert.deepEqual(outcomes(found), [`lost ${kind} ${target}`]);
      assert.match(found[0]!.problem, problem);
    }
    assert.equal(await stateOf(fixture.sql), damaged);
  }

  test('a document that is none', async () => {
    const [row] = await fixture.sql`SELECT doc FROM employee WHERE id = ${dataSubject.id}`;
    undo = () => fixture.sql`UPDATE employee SET doc = ${row!['doc']} WHERE id = ${dataSubject.id}`;
    for (const doc of ['{"id":', '{}', '[]', 'null']) {
      await set('employee', dataSubject.id, `doc = '${doc}'`);
      await reportedAsLost('employee', dataSubject.id, /not one of the contract/);
    }
  });

  test('bytes that are missing', async () => {
    const taken = await fixture.sql`
      DELETE FROM file_slice WHERE file_id = ${dataSubject.orderFile.id} RETURNING *`;
    const slice = taken[0]!;
    undo = () => fixture.sql`
      INSERT INTO file_slice (organization_id, file_id, number, bytes)
      VALUES (${slice.organization_id}, ${slice.file_id}, 0, ${slice.bytes})`;
    await reportedAsLost('order', dataSubject.orderId, /bytes are missing/);
  });

  test('bytes that are not those that were stored', async () => {
    const store = (bytes: Buffer) =>
      fixture.sql`UPDATE file_slice SET bytes = ${bytes} WHERE file_id = ${dataSubject.incidentFile.id}`;
    const { bytes } = dataSubject.incidentFile;
    undo = () => store(bytes);
    const other = Buffer.from(bytes);
    other[9] = other[9]! ^ 1;
    await store(other);
    await reportedAsLost('incident', dataSubject.incidentId, /another SHA-256/);
    await store(bytes.subarray(1));
    await reportedAsLost('incident', dataSubject.incidentId, /bytes where \d+ were stored/);
  });

  test('a file of the payroll', async () => {
    undo = () => fixture.sql`
      UPDATE file_slice SET bytes = convert_to('4711;2026-10;12,50' || chr(10), 'UTF8') WHERE file_id = ${payroll}`;
    await fixture.sql`UPDATE file_slice SET bytes = set_byte(bytes, 0, 65) WHERE file_id = ${payroll}`;
    await reportedAsLost('payroll_export_document', payroll, /another SHA-256/);
  });

  /** Sets columns of a row, which the end of the test restores. */
  async function change(
    table: string,
    id: string,
    columns: readonly string[],
    plant: () => Promise<unknown>,
  ) {
    const [row] = await fixture.sql.unsafe(
      `SELECT to_jsonb(t)::text AS saved FROM ${table} t WHERE id = '${id}'`,
    );
    const saved = String(row!['saved']).replaceAll("'", "''");
    const restored = columns.map(
      name => `${name} = (jsonb_populate_record(NULL::${table}, '${saved}')).${name}`,
    );
    undo = () => set(table, id, restored.join());
    await plant();
  }

  const inDoc = (table: string, id: string, from: string, to: string) =>
    change(table, id, ['doc'], () => inDocument(table, id, from, to));
  const inColumns = (table: string, id: string, assignment: string) =>
    change(
      table,
      id,
      [...assignment.matchAll(/(\w+) = /g)].map(match => match[1]!),
      () => set(table, id, assignment),
    );

  const planted: [string, () => Promise<void>, () => [string, string], RegExp][] = [
    [
      'a property that the contract does not know',
      () => inDoc('employee', dataSubject.id, '{"id"', '{"salary":1,"id"'),
      () => ['employee', dataSubject.id],
      /document is not/,
    ],
    [
      'a nullable property that is missing',
      () => inDoc('employee_order', dataSubject.orderId, '"model":"Nox Helium",', ''),
      () => ['order', dataSubject.orderId],
      /document is not/,
    ],
    [
      'a document that names another division than its row',
      () => inDoc('employee', dataSubject.id, fixture.testData.north, fixture.testData.support),
      () => ['employee', dataSubject.id],
      /^division_id: not what the document says$/,
    ],
    [
      'a state that no document can have',
      () => inDoc('employee_order', dataSubject.orderId, '"completed"', '"lost"'),
      () => ['order', dataSubject.orderId],
      /document is not/,
    ],
    [
      'a column that differs from the document',
      () => inColumns('employee', dataSubject.id, 'blocked = true'),
      () => ['employee', dataSubject.id],
      /^blocked: not what the document says$/,
    ],
    [
      'an amount that differs from the document',
      () => inColumns('payroll_export_document', payroll, 'size = 1, row_count = 99'),
      () => ['payroll_export_document', payroll],
      /^size, row_count: not what the document says$/,
    ],
    [
      'an instant that pollers have not seen',
      () => inColumns('incident', dataSubject.incidentId, "updated_at = '2020-01-01T00:00:00Z'"),
      () => ['incident', dataSubject.incidentId],
      /^updated_at: not what the document says$/,
    ],
    [
      'a unique value that is not that of the document',
      () => inColumns('employee', dataSubject.id, "email_key = 'somebody@example.com'"),
      () => ['employee', dataSubject.id],
      /^email_key: not what the document says$/,
    ],
    [
      'a SHA-256 that was never recorded',
      () => inColumns('employee_order', dataSubject.orderId, "attachment_sha256 = '{}'"),
      () => ['order', dataSubject.orderId],
      /SHA-256 of a file was not recorded/,
    ],
    [
      'the SHA-256 of a file that the row does not name',
      () =>
        change('incident', dataSubject.incidentId, ['attachment_sha256'], () =>
          set(
            'incident',
            dataSubject.incidentId,
            `attachment_sha256 = attachment_sha256 || '{"${newId()}": "00"}'`,
          ),
        ),
      () => ['incident', dataSubject.incidentId],
      /SHA-256 of a file that it does not name/,
    ],
  ];
  for (const [name, plant, target, problem] of planted)
    test(name, async () => {
      await plant();
      await reportedAsLost(...target(), problem);
    });

  test('an order at another place than its employee', async () => {
    const { north, sales } = fixture.testData;
    const move = async (from: string, to: string) => {
      await set('employee_order', dataSubject.orderId, `division_id = '${to}'`);
      await fixture.sql`
        INSERT INTO counter (organization_id, resource_type, scope, n)
        VALUES (${organization()}, 'order', ${from}, -1), (${organization()}, 'order', ${to}, 1)
        ON CONFLICT (organization_id, resource_type, scope) DO UPDATE SET n = counter.n + excluded.n`;
    };
    undo = () => move(sales, north);
    await move(north, sales);
    await reportedAsLost('order', dataSubject.orderId, /at another place than its employee/);
  });

  test('a row whose repair the database rejects', async () => {
    const { sales, support } = fixture.testData;
    const [other] = await fixture.sql<{ name: string }[]>`SELECT name FROM division WHERE id = ${support}`;
    const [mine] = await fixture.sql<{ name: string }[]>`SELECT name FROM division WHERE id = ${sales}`;
    await change('division', sales, ['name', 'doc'], async () => {
      await set('division', sales, `name = '${other!.name}'`);
      await inDocument('division', sales, `"name":"${mine!.name}"`, `"name":"${other!.name}"`);
    });
    const found = await findings(true);
    assert.deepEqual(outcomes(found), [`lost division ${sales}`]);
    // A cluster does not name the constraint.
    assert.match(found[0]!.problem, /the repair was rejected by (division_sibling_name|the database)/);
  });
});

test('divisions that are above each other are reported as lost', async () => {
  const { sales, north } = fixture.testData;
  await set('division', sales, `parent_id = '${north}'`);
  await inDocument('division', sales, '"parentId":null', `"parentId":"${north}"`);
  const found = await findings(true);
  assert.deepEqual(
    outcomes(found),
    [sales, north].sort().map(id => `lost division ${id}`),
  );
  await set('division', sales, 'parent_id = NULL');
  await inDocument('division', sales, `"parentId":"${north}"`, '"parentId":null');
});

describe('a repair', () => {
  const updatedAt = async () =>
    (await fixture.client.get(`/employees/${dataSubject.id}`)).body.updatedAt as string;

  test('leaves updatedAt alone, but moves the clock, by which totals are cached', async () => {
    const before = await updatedAt();
    const filter = "city = 'köln'";
    const total = async () =>
      (await fixture.client.get('/employees', { query: { filter } })).body.totalElements;
    await set('employee', dataSubject.id, "folded_city = 'bonn', search = ''");
    await fixture.client.patch(`/employees/${dataSubject.id}`, { phoneNumber: null });
    assert.equal(await total(), 0);
    await findings(true);
    assert.equal(await total(), 1);
    assert.equal(await updatedAt(), before);
  });

  test('is audited with the names of what it changes', async () => {
    await set('employee', dataSubject.id, "folded_city = 'bonn'");
    await findings(true);
    const [entry] = await fixture.sql`
      SELECT action, actor, fields FROM audit WHERE organization_id = ${organization()} ORDER BY at DESC LIMIT 1`;
    assert.deepEqual(entry, { action: 'employee.repair', actor: 'operator', fields: ['city'] });
  });

  test('of counters is right however many repair and write at once', async () => {
    await fixture.sql`
      UPDATE counter SET n = n + 5 WHERE organization_id = ${organization()} AND resource_type = 'employee'`;
    const create = (n: number) =>
      fixture.client.post(
        '/employees',
        { email: `at-once-${n}@example.com`, firstName: 'A', lastName: 'B' },
        {
          tenant: fixture.testData.tenantA,
        },
      );
    const [first, second, ...answers] = await Promise.all([
      findings(true),
      findings(true),
      ...Array.from({ length: 20 }, (_, n) => create(n)),
    ]);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    const { kept, real } = await countersOf(fixture.sql, organization());
    assert.deepEqual(kept, real);
    assert.ok(first.length === 0 || second.length === 0, 'the later one finds nothing');
  });
});

test('verify waits for no write of the organization', async () => {
  await fixture.sql.begin(async transaction => {
    await transaction`SELECT FROM organization WHERE id = ${organization()} FOR UPDATE`;
    assert.deepEqual(await findings(), []);
  });
});
