import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Employee } from '@kontor/contract';
import type { Sql } from '../../support/database/sql.ts';
import { kontorHere } from '../../cli/in-process.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import {
  contractInput,
  historyInput,
  importText,
  orderCounters,
  orderInput,
  type OrderTarget,
  productInput,
  storeOrders,
} from '../../support/data/orders.ts';
import { insertTestData, stateOf, type TestData } from '../../support/data/test-data.ts';

let database: TestDatabase;
let sql: Sql;
let testData: TestData;
let target: OrderTarget;
let employee: Employee;
let inNorth: Employee;
let inB: Employee;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
});
after(() => database.drop());

beforeEach(async () => {
  testData = await insertTestData(sql);
  target = { organizationId: testData.organization, tenantId: testData.tenantA };
  [employee, inNorth, inB] = (await storeEmployees(sql, testData.organization, [
    { tenant: testData.tenantA, employeeNumber: '7', email: 'Jö@example.com' },
    { tenant: testData.tenantA, divisionId: testData.north },
    { tenant: testData.tenantB, employeeNumber: '8', email: 'b@example.com' },
  ])) as [Employee, Employee, Employee];
});

/** The reason for which a row is rejected; nothing else may go in or change. */
async function reasonOf(more: Record<string, unknown> | string): Promise<string> {
  const text =
    typeof more === 'string' ? more : JSON.stringify({ ...orderInput({ employeeId: employee.id }), ...more });
  const state = await stateOf(sql);
  const { imported, rows } = await importText(sql, target, text);
  assert.deepEqual([imported, rows.length], [0, 1]);
  assert.equal(await stateOf(sql), state);
  return rows[0]!.reason;
}

describe('rows that go in', () => {
  test('absent nullable fields are null, amounts that follow are computed, properties stand in the order of the contract', async () => {
    const [order] = await storeOrders(sql, target, [
      {
        submittedAt: '2026-09-01T10:00:00Z',
        products: [productInput()],
        contract: contractInput(),
        orderNumber: 'A\\u0000"1',
        employeeId: employee.id.toUpperCase(),
      },
    ]);
    const { id, createdAt } = order!;
    assert.equal(
      JSON.stringify(order),
      JSON.stringify({
        id,
        orderNumber: 'A\\u0000"1',
        employeeId: employee.id,
        status: 'under_review',
        products: [
          {
            model: 'Nox Helium',
            vatRate: '19.00',
            manufacturerName: null,
            articleGroupName: null,
            grossAmount: '3599.00',
            netAmount: '3024.3697',
            service: null,
            grossService: null,
            netService: null,
          },
        ],
        contract: {
          contractNumber: null,
          startDate: null,
          endDate: null,
          termMonths: 36,
          currency: 'EUR',
          listPrice: '3599.00',
          purchasePrice: '3599.00',
          residualValue: null,
          leasingRate: '98.10',
          leasingRateSubsidy: '20.00',
          insuranceRate: '9.90',
          insuranceRateSubsidy: '9.90',
          serviceRate: '5.00',
          serviceRateSubsidy: '0.00',
          salaryConversion: '83.10',
          taxableBenefit: '8.00',
        },
        attachments: [],
        hrHistory: null,
        submittedAt: '2026-09-01T10:00:00.000Z',
        createdAt,
        updatedAt: createdAt,
      }),
    );
    const [row] = await sql`SELECT clock FROM organization WHERE id = ${testData.organization}`;
    assert.equal((row!['clock'] as Date).toISOString(), createdAt);
  });

  test('the employee is named by identifier, by number in the tenant, or by email in any letter case', async () => {
    const orders = await storeOrders(sql, target, [
      orderInput({ employeeId: employee.id }),
      orderInput({ employeeNumber: '7' }),
      orderInput({ email: 'jÖ@EXAMPLE.com' }),
    ]);
    for (const order of orders) assert.equal(order.employeeId, employee.id);
  });

  test('an S-pedelec is stored as one, and no public document says so', async () => {
    const [fast, usual] = await storeOrders(sql, target, [
      orderInput({ employeeId: employee.id, sPedelec: true }),
      orderInput({ employeeId: employee.id }),
    ]);
    const rows = await sql<{ id: string }[]>`
      SELECT id FROM employee_order WHERE organization_id = ${target.organizationId} AND is_s_pedelec`;
    assert.deepEqual(
      rows.map(({ id }) => id),
      [fast!.id],
    );
    assert.deepEqual(Object.keys(fast!), Object.keys(usual!));
  });

  test('they are counted where their employees are, and audited; identifiers ascend as the lines do', async () => {
    const orders = await storeOrders(sql, target, [
      orderInput({ employeeId: employee.id }),
      orderInput({ employeeId: inNorth.id }),
      orderInput({ employeeId: inNorth.id }),
    ]);
    assert.deepEqual(
      orders.map(order => order.id),
      orders.map(order => order.id).toSorted(),
    );
    const { kept, real } = await orderCounters(sql, testData.organization);
    assert.deepEqual(kept, { '': 3, [testData.tenantA]: 3, [testData.north]: 2 });
    assert.deepEqual(kept, real);
    const audits = await sql`
      SELECT actor FROM audit WHERE organization_id = ${testData.organization} AND action = 'order.create'`;
    assert.deepEqual(
      audits.map(row => row['actor']),
      ['operator', 'operator', 'operator'],
    );
  });

  test('a recorded decision goes in with the state that it made, cut to milliseconds', async () => {
    const hrHistory = historyInput('approved', {
      source: 'user',
      decisionBy: 'A'.repeat(24),
      decidedAt: '2026-09-02T08:00:00.1239Z',
    });
    const [order] = await storeOrders(sql, target, [
      orderInput({ employeeId: employee.id, status: 'active', hrHistory }),
    ]);
    assert.deepEqual(order!.hrHistory, {
      decision: 'approved',
      decisionBy: 'a'.repeat(24),
      source: 'user',
      comment: null,
      decidedAt: '2026-09-02T08:00:00.123Z',
    });
  });

  test('correct amounts that follow from others may be given', async () => {
    const contract = contractInput({ salaryConversion: '83.10', taxableBenefit: '8.00' });
    const [order] = await storeOrders(sql, target, [orderInput({ employeeId: employee.id, contract })]);
    assert.equal(order!.contract!.salaryConversion, '83.10');
  });

  test('a byte order mark, CRLF, empty lines and a last line without an end are no rows', async () => {
    const line = () => JSON.stringify(orderInput({ employeeId: employee.id }));
    const { imported, rows } = await importText(sql, target, `\ufeff${line()}\r\n\r\n  \n${line()}\n{}`);
    assert.deepEqual([imported, rows.map(row => row.line)], [2, [5]]);
  });
});

describe('rejected rows', () => {
  const cases: [name: string, more: () => Record<string, unknown> | string, reason: RegExp][] = [
    ['no JSON', () => '{"orderNumber":', /^The line is not valid JSON/],
    ['no object', () => '[]', /^The line must be a JSON object/],
    ['a property twice', () => '{"email":"a@b.de","email":"a@b.de"}', /"email" twice/],
    ['a NUL character', () => ({ orderNumber: 'A\0' }), /"orderNumber" has a NUL/],
    ['no number', () => ({ orderNumber: undefined }), /orderNumber is required/],
    ['an unknown property', () => ({ tenant: 'x' }), /^"tenant" cannot be set here/],
    [
      'a product with an old field',
      () => ({ products: [productInput(), productInput({ rateInCents: 1 })] }),
      /products\.1\."rateInCents"/,
    ],
    [
      'a JSON number as an amount',
      () => ({ products: [productInput({ grossAmount: 3599 })] }),
      /^products\.0\.grossAmount must be a string/,
    ],
    ['a net amount of two places', () => ({ products: [productInput({ netAmount: '1.00' })] }), /netAmount/],
    ['minus zero', () => ({ products: [productInput({ grossAmount: '-0.00' })] }), /grossAmount/],
    [
      'an amount of thirteen digits',
      () => ({ contract: contractInput({ listPrice: '1000000000000.00' }) }),
      /^contract\.listPrice/,
    ],
    [
      'a negative rate',
      () => ({ contract: contractInput({ serviceRate: '-1.00' }) }),
      /serviceRate must not be negative/,
    ],
    [
      'a subsidy over its rate',
      () => ({ contract: contractInput({ serviceRateSubsidy: '5.01' }) }),
      /serviceRateSubsidy must not exceed serviceRate/,
    ],
    [
      'another salary conversion',
      () => ({ contract: contractInput({ salaryConversion: '83.11' }) }),
      /salaryConversion must be 83\.10/,
    ],
    [
      'another taxable benefit',
      () => ({ contract: contractInput({ taxableBenefit: '8.99' }) }),
      /taxableBenefit must be 8\.00/,
    ],
    [
      'an impossible date',
      () => ({ contract: contractInput({ startDate: '2026-02-30' }) }),
      /^contract\.startDate/,
    ],
    [
      'an end before the start',
      () => ({ contract: contractInput({ startDate: '2026-02-02', endDate: '2026-02-01' }) }),
      /endDate must not be before startDate/,
    ],
    ['an unknown state', () => ({ status: 'lost' }), /status must be one of/],
    [
      'a decision under review',
      () => ({ hrHistory: historyInput('approved') }),
      /^hrHistory: an order that is under_review/,
    ],
    [
      'an approval of a rejected order',
      () => ({ status: 'rejected', hrHistory: historyInput('approved') }),
      /^hrHistory\.decision/,
    ],
    [
      'a user of an automatic decision',
      () => ({ status: 'approved', hrHistory: historyInput('approved', { decisionBy: 'a'.repeat(24) }) }),
      /decisionBy must be null/,
    ],
    ['a local time', () => ({ submittedAt: '2026-09-01T10:00:00+02:00' }), /submittedAt/],
    ['no employee', () => ({ employeeId: undefined }), /one of employeeId, employeeNumber and email/],
    [
      'two names of the employee',
      () => ({ employeeNumber: '7' }),
      /one of employeeId, employeeNumber and email/,
    ],
    ['an employeeId that is none', () => ({ employeeId: '7' }), /24 hexadecimal/],
    ['an unknown employee', () => ({ employeeId: 'f'.repeat(24) }), /^employeeId: there is no such employee/],
    [
      'an employee of another tenant',
      () => ({ employeeId: inB.id }),
      /^employeeId: there is no such employee/,
    ],
    [
      'a number of another tenant',
      () => ({ employeeId: undefined, employeeNumber: '8' }),
      /^employeeNumber: there is/,
    ],
    [
      'an email of another tenant',
      () => ({ employeeId: undefined, email: 'b@example.com' }),
      /^email: there is/,
    ],
  ];
  for (const [name, more, reason] of cases)
    test(name, async () => assert.match(await reasonOf(more()), reason));

  test('a number that an order of the organization has, and the second of two in the file', async () => {
    const first = orderInput({ employeeId: employee.id });
    await storeOrders(sql, target, [first]);
    assert.match(await reasonOf(first), /^orderNumber: another order/);
    const twice = orderInput({ employeeId: employee.id });
    const text = `${JSON.stringify(twice)}\n${JSON.stringify(twice)}\n`;
    const { imported, rows } = await importText(sql, target, text);
    assert.equal(imported, 1);
    assert.deepEqual([rows[0]!.line, rows[0]!.reason], [2, 'orderNumber is the same as in line 1']);
  });

  test('the rejected file has them in order, whole, and can be corrected and imported', async () => {
    const wrong = orderInput({ employeeNumber: 'none' });
    const text = `${JSON.stringify(wrong)}\nnonsense\n${JSON.stringify(orderInput({ employeeNumber: '7' }))}\n`;
    const { imported, rows } = await importText(sql, target, text);
    assert.equal(imported, 1);
    assert.deepEqual(rows, [
      { ...wrong, line: 1, reason: 'employeeNumber: there is no such employee in the tenant' },
      { text: 'nonsense', line: 2, reason: 'The line is not valid JSON' },
    ]);
    const corrected = { ...rows[0], employeeNumber: '7' };
    assert.equal((await importText(sql, target, JSON.stringify(corrected))).imported, 1);
  });

  test('bytes that are not UTF-8 stop the whole file, and the message names the line', async () => {
    const line = Buffer.from(`${JSON.stringify(orderInput({ employeeId: employee.id }))}\n`);
    const state = await stateOf(sql);
    await assert.rejects(
      importText(sql, target, Buffer.concat([line, Buffer.from([0xff])])),
      /^OperatorError: line 2 is not UTF-8/,
    );
    assert.equal(await stateOf(sql), state);
  });
});

describe('kontor import orders', () => {
  test('exits with 0, with 2 where rows were rejected, with 1 for a tenant or file that is not there', async t => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-orders-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = path.join(folder, 'orders.jsonl');
    const run = (tenant: string, name = file) =>
      kontorHere(['import', 'orders', name, '--tenant', tenant, '--json'], { DATABASE_URL: database.url });
    await writeFile(file, `${JSON.stringify(orderInput({ employeeId: employee.id }))}\n`);
    const first = await run(testData.tenantA);
    assert.deepEqual(
      [first.code, JSON.parse(first.stdout)],
      [0, { imported: 1, rejected: 0, rejectedFile: null }],
    );
    const second = await run(testData.tenantA);
    const rejectedFile = path.join(folder, 'orders.rejected.jsonl');
    assert.deepEqual(
      [second.code, JSON.parse(second.stdout)],
      [2, { imported: 0, rejected: 1, rejectedFile }],
    );
    assert.deepEqual((await readdir(folder)).toSorted(), ['orders.jsonl', 'orders.rejected.jsonl']);
    assert.match(await readFile(path.join(folder, 'orders.rejected.jsonl'), 'utf8'), /"line":1,"reason":"/);
    assert.match((await run('f'.repeat(24))).stderr, /there is no tenant/);
    assert.equal((await run(testData.tenantA, path.join(folder, 'none'))).code, 1);
  });

  test('of two imports of one file at once, each order goes in once', async () => {
    const text = Array.from({ length: 20 }, () =>
      JSON.stringify(orderInput({ employeeId: employee.id })),
    ).join('\n');
    const outcomes = await Promise.all([importText(sql, target, text), importText(sql, target, text)]);
    assert.equal(outcomes[0].imported + outcomes[1].imported, 20);
    assert.equal(outcomes[0].rejected + outcomes[1].rejected, 20);
    const { kept, real } = await orderCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
  });
});
