import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Answer, RequestOptions } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { contractInput, orderCounters, orderInput, productInput } from '../support/data/orders.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

type Input = Record<string, unknown>;
type Outcome = [status: number, code: string | null];

const fixture = usePlatform();
let path: string;
let employeeId: string;
beforeEach(async () => {
  const { sql, testData } = fixture;
  path = `/organizations/${testData.organization}`;
  employeeId = (await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]))[0]!.id;
});

let count = 0;
const line = (more: Input = {}): Input => orderInput({ externalId: `batch-${++count}`, employeeId, ...more });

const send = (items: unknown, options: RequestOptions = {}): Promise<Answer<any>> =>
  fixture.own.post(`${path}/order-batches`, { items }, options);

const outcomes = ({ body }: Answer<any>): Outcome[] =>
  body.items.map(({ status, error }: any) => [status, error?.code ?? null]);

describe('createOrderBatch 200', () => {
  test('each line has its outcome, in order, and a rejected one harms no other', async () => {
    const known = line();
    const { id: knownId } = (await fixture.own.post(`${path}/orders`, known)).body;
    const twin = line();
    const lines: [Input, Outcome][] = [
      [line(), [201, null]],
      [known, [200, null]],
      [{ ...known, submittedAt: '2026-09-02T10:00:00Z' }, [409, 'DUPLICATE_RESOURCE']],
      [twin, [201, null]],
      [twin, [200, null]],
      [{ ...twin, contract: contractInput() }, [409, 'DUPLICATE_RESOURCE']],
      [line({ orderNumber: twin['orderNumber'] }), [409, 'DUPLICATE_RESOURCE']],
      [line({ employeeId: 'f'.repeat(24) }), [422, 'INVALID_REFERENCE']],
      [line({ employeeId: 'Maria' }), [400, 'INVALID_REFERENCE_ID']],
      [line({ products: [productInput({ vatRate: 19 })] }), [400, 'VALIDATION_ERROR']],
      [line({ status: 'active' }), [400, 'UNSUPPORTED_FIELD']],
      [line({ contract: contractInput({ serviceRateSubsidy: '9.00' }) }), [422, 'VALIDATION_ERROR']],
      [line({ contract: contractInput() }), [201, null]],
    ];
    const answer = await send(lines.map(([body]) => body));
    assert.equal(answer.status, 200);
    assert.deepEqual(
      outcomes(answer),
      lines.map(([, outcome]) => outcome),
    );
    const { items } = answer.body;
    assert.deepEqual(
      items.map(({ index }: any) => index),
      lines.map((_, index) => index),
    );
    assert.deepEqual([items[1].id, items[4].id], [knownId, items[3].id]);
    for (const { id, error } of items) {
      assert.equal(id === null, error !== null);
      if (error) assert.equal(error.requestId, answer.headers['x-request-id']);
      else assert.equal((await fixture.client.get(`/orders/${id}`)).status, 200);
    }
    const { kept, real } = await orderCounters(fixture.sql, fixture.testData.organization);
    assert.deepEqual(kept, real);
  });

  test('again, it finds its orders and changes nothing', async () => {
    const items = [line(), line(), line({ employeeId: 'f'.repeat(24) })];
    const first = await send(items);
    const before = await stateOf(fixture.sql);
    const again = await send(items);
    assert.deepEqual(outcomes(again), [
      [200, null],
      [200, null],
      [422, 'INVALID_REFERENCE'],
    ]);
    const ids = ({ body }: Answer<any>) => body.items.map(({ id }: any) => id);
    assert.deepEqual(ids(again), ids(first));
    assert.equal(await stateOf(fixture.sql), before);
  });

  test('1,000 orders of ten products and a contract go in with one instant', async () => {
    const products = Array.from({ length: 10 }, () =>
      productInput({ service: 'Inspektion', netService: '100.00' }),
    );
    const items = Array.from({ length: 1000 }, () => line({ products, contract: contractInput() }));
    const answer = await send(items);
    assert.deepEqual(new Set(outcomes(answer).map(String)), new Set(['201,']));
    const rows = await fixture.sql`
      SELECT DISTINCT updated_at FROM employee_order WHERE id = ANY(${answer.body.items.map(({ id }: any) => id)})`;
    assert.equal(rows.length, 1);
  });

  test('a dry run returns the outcomes and stores nothing', async () => {
    const known = line();
    const { id } = (await fixture.own.post(`${path}/orders`, known)).body;
    const before = await stateOf(fixture.sql);
    const twin = line();
    const answer = await send([known, twin, twin, line({ employeeId: 'x' })], { query: { dryRun: true } });
    assert.deepEqual(outcomes(answer), [
      [200, null],
      [200, null],
      [200, null],
      [400, 'INVALID_REFERENCE_ID'],
    ]);
    const zeros = '0'.repeat(24);
    assert.deepEqual(
      answer.body.items.map((item: any) => item.id),
      [id, zeros, zeros, null],
    );
    assert.equal(await stateOf(fixture.sql), before);
  });

  test('of batches at once that have lines in common each line is one order', async () => {
    const items = Array.from({ length: 40 }, () => line());
    const batches = [items, items.slice(0, 30).reverse(), items.slice(10), items];
    const answers = await Promise.all(batches.map(batch => send(batch)));
    const all = answers.flatMap(outcomes).map(([status]) => status);
    assert.equal(all.filter(status => status === 201).length, 40);
    assert.ok(all.every(status => status === 200 || status === 201));
  });
});

describe('createOrderBatch 400: a body that is wrong as a whole stores nothing', () => {
  const faults: Record<string, [raw: () => string, message: RegExp]> = {
    'no lines': [() => '{"items":[]}', /^items must not be empty/],
    '1,001 lines': [
      () => `{"items":[${Array.from({ length: 1001 }, () => '{}').join(',')}]}`,
      /at most 1000 elements/,
    ],
    'no items': [() => '{}', /^items is required/],
    'items that are no array': [() => '{"items":{}}', /^items must be an array/],
    'a line that is no object': [
      () => `{"items":[${JSON.stringify(line())},7]}`,
      /^items\.1 must be an object/,
    ],
    'a line that is no JSON': [
      () => `{"items":[${JSON.stringify(line())},{"a" 1}]}`,
      /^The body is not valid JSON at line 1, column \d+/,
    ],
    'a property twice in a line': [() => '{"items":[{"a":1,"a":1}]}', /the property "a" twice/],
    'items twice': [() => '{"items":[{}],"items":[{}]}', /"items" twice/],
    'a body that ends too early': [() => `{"items":[${JSON.stringify(line())}`, /not valid JSON/],
  };
  for (const [name, [raw, message]] of Object.entries(faults))
    test(name, async () => {
      const before = await stateOf(fixture.sql);
      const headers = { 'content-type': 'application/json' };
      const answer = await fixture.own.request('POST', `${path}/order-batches`, { raw: raw(), headers });
      assert.deepEqual([answer.status, answer.body.error.code], [400, 'VALIDATION_ERROR']);
      assert.match(answer.body.error.message, message);
      assert.equal(await stateOf(fixture.sql), before);
    });
});
