import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { usePlatform } from '../../platform/support.ts';
import { Tenants } from './tenants.ts';

const fixture = usePlatform();
const tenants = new Tenants(fixture);

interface Entry {
  position: number;
  employeeName: string;
  personnelNumber: string;
  kind: string;
  months: string[];
  amount: string;
  total: string;
  amountBefore: string;
  difference: string;
}

async function search(
  run: { id: string },
  selection: object = {},
): Promise<{ items: Entry[]; total: number; persons: number }> {
  const path = tenants.at(`/payroll-runs/${run.id}/entries/search`);
  const { status, body, bytes } = await fixture.own.post(path, selection);
  assert.equal(status, 200, bytes.toString());
  return body;
}

const entriesOf = async (run: { id: string }, selection: object = {}) => (await search(run, selection)).items;

const cents = (amount: string) => Math.round(Number(amount) * 100);

/** The sums of a report, and the same from its amounts. */
async function assertOpens(run: {
  id: string;
  summary: { sums: (Pick<Entry, 'amount' | 'total' | 'amountBefore' | 'difference'> & { kind: string })[] };
}): Promise<void> {
  const entries = await entriesOf(run);
  for (const sum of run.summary.sums)
    for (const name of ['amount', 'total', 'amountBefore', 'difference'] as const) {
      const ofKind = entries.filter(({ kind }) => kind === sum.kind);
      const found = ofKind.reduce((all, entry) => all + cents(entry[name]), 0);
      assert.equal(found, cents(sum[name]), `${name} of ${sum.kind}`);
    }
}

describe('searchPayrollEntries', () => {
  test('200: amounts add up to the sums of drafts, released runs and second runs of a month', async () => {
    const tenant = await tenants.create();
    const order = await tenants.activeOrder(tenant);
    await tenants.activeOrder(tenant, {
      employee: { employeeNumber: '77' },
      contract: { endDate: '2026-09-30', termMonths: 1 },
    });
    const draft = await tenants.draft(tenant, '2026-09');
    await assertOpens(draft);
    const { body: first } = await tenants.release(draft);
    await assertOpens(first);
    await tenants.reportLeave(order, '2026-09-11', '2026-09-20');
    const october = await tenants.released(tenant, '2026-10');
    await assertOpens(october);
    await tenants.activeOrder(tenant, { employee: { employeeNumber: '99' } });
    await assertOpens(await tenants.draft(tenant, '2026-10'));
    await assertOpens(first);
    // The leave changes the first order, and the second one had an amount only in the month before.
    const conversions = await entriesOf(october, { kind: 'salary_conversion' });
    assert.deepEqual(
      conversions.map(({ personnelNumber, months, amount, amountBefore }) => [
        personnelNumber,
        months,
        amount,
        amountBefore,
      ]),
      [
        ['77', [], '0.00', '-83.10'],
        ['1234', ['2026-09', '2026-10'], '-55.40', '-83.10'],
      ],
    );
  });

  test('200: the counts are those of all pages, and persons without an amount in the run do not count', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant);
    await tenants.activeOrder(tenant, {
      employee: { employeeNumber: '77', firstName: 'Ali', lastName: 'Fischer' },
      contract: { endDate: '2026-09-30', termMonths: 1 },
    });
    await tenants.released(tenant, '2026-09');
    const run = await tenants.draft(tenant, '2026-10');
    const countsOf = async (selection: object) => {
      const { items, total, persons } = await search(run, selection);
      return [items.length, total, persons];
    };
    assert.deepEqual(await countsOf({}), [4, 4, 1]);
    assert.deepEqual(await countsOf({ after: 3 }), [1, 4, 1]);
    assert.deepEqual(await countsOf({ after: 4 }), [0, 4, 1]);
    assert.deepEqual(await countsOf({ person: 'ali f' }), [2, 2, 0]);
    assert.deepEqual(await countsOf({ costCenter: '4711' }), [0, 0, 0]);
  });

  test('200: a page begins after a position; filters select a kind, a cost centre and a person', async () => {
    const tenant = await tenants.create();
    await tenants.activeOrder(tenant, { employee: { lastName: 'Lang', firstName: 'Petra' } });
    await tenants.activeOrder(tenant, { employee: { employeeNumber: '99', lastName: 'Müller_100%' } });
    const run = await tenants.draft(tenant, '2026-09');
    const all = await entriesOf(run);
    assert.deepEqual(
      all.map(({ position, personnelNumber, kind }) => [position, personnelNumber, kind]),
      [
        [1, '99', 'salary_conversion'],
        [2, '99', 'taxable_benefit'],
        [3, '1234', 'salary_conversion'],
        [4, '1234', 'taxable_benefit'],
      ],
    );
    assert.deepEqual(await entriesOf(run, { after: 2 }), all.slice(2));
    assert.deepEqual(await entriesOf(run, { after: 1, limit: 2 }), all.slice(1, 3));
    const numbersOf = async (selection: object) =>
      (await entriesOf(run, selection)).map(({ personnelNumber }) => personnelNumber);
    assert.deepEqual(await numbersOf({ kind: 'taxable_benefit' }), ['99', '1234']);
    assert.deepEqual(await numbersOf({ person: '99', kind: 'taxable_benefit' }), ['99']);
    assert.deepEqual(await numbersOf({ person: 'petra la', kind: 'taxable_benefit' }), ['1234']);
    assert.deepEqual(await numbersOf({ person: 'R_100%', kind: 'taxable_benefit' }), ['99']);
    assert.deepEqual(await numbersOf({ person: '_', kind: 'taxable_benefit' }), ['99']);
    assert.deepEqual(await numbersOf({ costCenter: '4711' }), []);
    assert.equal((await numbersOf({ costCenter: null })).length, 4);
  });
});
