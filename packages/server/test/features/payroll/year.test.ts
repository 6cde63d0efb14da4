import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Order, OrderContract } from '@kontor/contract';
import { updateOrder } from '../../../src/features/orders/store.ts';
import { runAtClock } from '../../../src/write/run-at-clock.ts';
import { operator } from '../../../src/write/writes.ts';
import { usePlatform } from '../../platform/support.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import { type ReadCsvLine, readCsv } from './formats/readers.ts';
import { bodyOf, Steps } from './steps.ts';
import { settingsInput } from './support.ts';

const fixture = usePlatform();
const steps = new Steps(fixture);

/** Amounts of a contract in cents, with the signs of the settings. */
interface Amounts {
  salary_conversion: bigint;
  taxable_benefit: bigint;
  employer_subsidy: bigint;
}
type Kind = keyof Amounts;

/** An order as the test expects it. */
interface Known {
  readonly order: Order;
  readonly startDate: string;
  endDate: string;
  /** The months of a term that the contract runs to its last day; null for an early end. */
  wholeTerm: number | null;
  leave: { from: string; to: string | null } | null;
  amounts: Amounts;
}

const orders = new Map<string, Known>();
const lines: ReadCsvLine[] = [];

const amounts: Amounts = { salary_conversion: -8310n, taxable_benefit: 800n, employer_subsidy: 2990n };

async function handOver(
  number: string,
  given: { startDate: string; endDate: string; termMonths: number },
): Promise<void> {
  const { sql, testData, own } = fixture;
  const [employee] = await storeEmployees(sql, testData.organization, [
    { tenant: testData.tenantA, employeeNumber: String(100 + orders.size), lastName: number },
  ]);
  bodyOf(await own.post(steps.at(`/employees/${employee!.id}/activation`), undefined));
  const { termMonths, ...days } = given;
  const order = await steps.takeInAndHandOver(
    { employeeId: employee!.id, number, contract: { termMonths }, startDate: days.startDate },
    testData.keys.tenantA,
  );
  assert.equal(order.contract!.endDate, days.endDate);
  orders.set(number, { order, ...days, wholeTerm: termMonths, leave: null, amounts });
}

/** Changes amounts of a contract in all its months. */
async function changeContract(number: string, change: Partial<OrderContract>): Promise<void> {
  const { sql, client, testData } = fixture;
  const { body: order } = await client.get<Order>(`/orders/${orders.get(number)!.order.id}`);
  await runAtClock(sql, testData.organization, operator, write => {
    const contract = { ...order.contract!, ...change };
    const changed = { ...order, contract, updatedAt: write.instant };
    updateOrder(write, { order: changed, action: 'order.hand_over', fields: ['contract'] });
  });
}

async function endEarly(number: string, endDate: string): Promise<void> {
  const known = orders.get(number)!;
  bodyOf(await fixture.own.post(steps.at(`/orders/${known.order.id}/completion`), { lastDay: endDate }));
  Object.assign(known, { endDate, wholeTerm: null });
}

const dayMilliseconds = 86_400_000;

/** The months of an order up to and including `until`: the days of each, and how many of them are suspended. */
function monthsOf({ startDate, endDate, leave }: Known, until: string) {
  const months = new Map<string, { days: number; suspended: number }>();
  for (let time = Date.parse(startDate); time <= Date.parse(endDate); time += dayMilliseconds) {
    const day = new Date(time).toISOString().slice(0, 10);
    const month = day.slice(0, 7);
    if (month > until) break;
    const counted = months.get(month) ?? { days: 0, suspended: 0 };
    counted.days++;
    if (leave && leave.from <= day && (leave.to === null || day <= leave.to)) counted.suspended++;
    months.set(month, counted);
  }
  return months;
}

/** 28, 29, 30 and 31 divide it. */
const parts = 28n * 29n * 30n * 31n;

/** The cents of a kind that are owed up to and including a month. */
function owedUntil(known: Known, kind: Kind, until: string): bigint {
  const amount = known.amounts[kind];
  const months = [...monthsOf(known, until)];
  if (kind === 'taxable_benefit')
    return amount * BigInt(months.filter(([, { days, suspended }]) => suspended < days).length);
  let owed = 0n;
  for (const [month, { days, suspended }] of months) {
    const [year, number] = month.split('-').map(Number) as [number, number];
    const daysOfMonth = new Date(Date.UTC(year, number, 0)).getUTCDate();
    owed += (parts * BigInt(days - suspended)) / BigInt(daysOfMonth);
  }
  const isWhole = known.wholeTerm !== null && known.endDate.slice(0, 7) <= until;
  if (isWhole && known.leave === null) owed = parts * BigInt(known.wholeTerm!);
  const [size, sign] = amount < 0n ? [-amount, -1n] : [amount, 1n];
  return sign * ((2n * size * owed + parts) / (2n * parts));
}

function monthsUntil(period: string): string[] {
  const months = ['2024-12'];
  for (let month = 1; month <= 12; month++) months.push(`2025-${String(month).padStart(2, '0')}`);
  return [...months, '2026-01'].filter(month => month <= period);
}

function exportedUntil(number: string, kind: Kind, until: string): bigint {
  const ofOrder = lines.filter(
    line => line.contractNumber === number && line.kind === kind && line.month <= until,
  );
  return ofOrder.reduce((sum, { cents }) => sum + cents, 0n);
}

/** Releases a run, and compares all files so far with what is owed, by order, kind and month. Returns the lines of its file. */
async function release(period: string): Promise<readonly ReadCsvLine[]> {
  const { testData } = fixture;
  const run = await steps.release(testData.tenantA, { period, formats: ['csv'] });
  assert.equal(run.documents.length, 1);
  const { document, bytes } = await steps.download(run.documents[0]!.id, testData.keys.tenantA);
  const released = readCsv(bytes);
  assert.equal(document.rowCount, released.length);
  const places = released.map(({ contractNumber, kind, month }) => `${contractNumber} ${kind} ${month}`);
  assert.equal(new Set(places).size, places.length, 'an entry by order, kind and month');
  for (const line of released) assert.equal(line.period, period);
  lines.push(...released);
  for (const [number, known] of orders)
    for (const kind of Object.keys(amounts) as Kind[])
      for (const month of monthsUntil(period))
        assert.equal(
          exportedUntil(number, kind, month),
          owedUntil(known, kind, month),
          `${number} ${kind} until ${month} after the run of ${period}`,
        );
  return released;
}

/** The months and cents of the salary conversion of an order in a file. */
function conversionsOf(released: readonly ReadCsvLine[], number: string): [string, bigint][] {
  const ofOrder = released.filter(
    line => line.contractNumber === number && line.kind === 'salary_conversion',
  );
  return ofOrder.map(({ month, cents }): [string, bigint] => [month, cents]).toSorted();
}

test('the files of a year sum to what is owed by order, kind and month after every run', async () => {
  const { own, client, testData } = fixture;
  const settings = {
    ...settingsInput,
    firstPeriod: '2024-11',
    kinds: {
      ...settingsInput.kinds,
      employerSubsidy: { export: true, wageType: '3030', processingKey: '2', sign: 'plus' },
    },
  };
  bodyOf(await own.post(steps.at(`/tenants/${testData.tenantA}/payroll-settings`), settings));
  const key = testData.keys.tenantA;

  await handOver('LV-turn', { startDate: '2024-12-15', endDate: '2027-12-14', termMonths: 36 });
  await handOver('LV-term', { startDate: '2024-12-18', endDate: '2025-12-17', termMonths: 12 });
  await handOver('LV-leave', { startDate: '2025-01-01', endDate: '2027-12-31', termMonths: 36 });
  const first = await release('2025-01');
  assert.deepEqual(conversionsOf(first, 'LV-turn'), [
    ['2024-12', -4557n],
    ['2025-01', -8310n],
  ]);

  await handOver('LV-early', { startDate: '2025-02-01', endDate: '2028-01-31', termMonths: 36 });
  // A contract of the year before was settled with a rate that was too low.
  await changeContract('LV-turn', { leasingRate: '101.55', salaryConversion: '86.55' });
  orders.get('LV-turn')!.amounts = { ...amounts, salary_conversion: -8655n };
  const corrected = await release('2025-02');
  assert.deepEqual(
    conversionsOf(corrected, 'LV-turn').map(([month]) => month),
    ['2024-12', '2025-01', '2025-02'],
  );

  await release('2025-03');
  await release('2025-04');
  await handOver('LV-late', { startDate: '2025-03-10', endDate: '2028-03-09', termMonths: 36 });
  await handOver('LV-later', { startDate: '2025-03-31', endDate: '2026-03-30', termMonths: 12 });
  const leave = {
    employeeId: orders.get('LV-leave')!.order.employeeId,
    orderId: orders.get('LV-leave')!.order.id,
    type: 'parental_leave',
    occurredOn: '2025-04-10',
    effectiveFrom: '2025-04-10',
    description: 'Elternzeit',
  };
  const incident = bodyOf(await client.post('/incidents', leave, { key }), 201);
  orders.get('LV-leave')!.leave = { from: '2025-04-10', to: null };
  const may = await release('2025-05');
  for (const number of ['LV-late', 'LV-later'])
    assert.deepEqual(
      conversionsOf(may, number).map(([month]) => month),
      ['2025-03', '2025-04', '2025-05'],
    );
  assert.deepEqual(conversionsOf(may, 'LV-leave'), [['2025-04', 5817n]]);

  await release('2025-06');
  await release('2025-07');
  await release('2025-08');
  await endEarly('LV-early', '2025-07-20');
  bodyOf(await client.patch(`/incidents/${incident.id}`, { effectiveTo: '2025-07-15' }, { key }));
  orders.get('LV-leave')!.leave = { from: '2025-04-10', to: '2025-07-15' };
  const september = await release('2025-09');
  assert.deepEqual(
    conversionsOf(september, 'LV-early').map(([month]) => month),
    ['2025-07', '2025-08'],
  );
  assert.deepEqual(
    conversionsOf(september, 'LV-leave').map(([month]) => month),
    ['2025-07', '2025-08', '2025-09'],
  );

  await release('2025-10');
  await release('2025-11');
  await release('2025-12');
  assert.equal(exportedUntil('LV-term', 'salary_conversion', '2025-12'), -12n * 8310n);

  await endEarly('LV-late', '2025-12-20');
  const january = await release('2026-01');
  // 22 and 20 of 31 days are 58.97 and 53.61 by themselves, and 112.59 together.
  assert.deepEqual(conversionsOf(january, 'LV-late'), [['2025-12', 8310n - 5362n]]);
});

test('after the year nothing is owed: another run is empty, and released runs stay as they are', async () => {
  const { own, testData } = fixture;
  const { tenantA: tenant } = testData;
  const before = bodyOf(await own.get(steps.at(`/tenants/${tenant}/payroll-runs`))).items;
  assert.equal(before.length, 13);
  for (const { id, documents } of before) {
    const again = bodyOf(await own.post(steps.at(`/payroll-runs/${id}/release`), undefined));
    assert.deepEqual([again.status, again.documents], ['released', documents]);
  }
  const { documents } = await steps.release(tenant, { period: '2026-01', formats: ['csv'] });
  const path = `/payroll-export-documents/${documents[0]!.id}`;
  const { status, rowCount } = bodyOf(await fixture.client.get(path));
  assert.deepEqual([status, rowCount], ['empty', 0]);
});
