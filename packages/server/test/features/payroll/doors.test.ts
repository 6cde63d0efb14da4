import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PayrollReceipt, type PayrollReceivable, payrollKinds } from '@kontor/contract';
import fc from 'fast-check';
import { lastDayOfTerm } from '../../../src/lib/calendar.ts';
import { usePlatform } from '../../platform/support.ts';
import { atScale } from '../../support/service/scale.ts';
import { type ReadLine, readCsv, readLodas, readLug } from './formats/readers.ts';
import { dayMilliseconds, expectedOwed, iso, type Term } from './oracle.ts';
import { settingsInput } from './support.ts';
import { type Tenant, Tenants } from './tenants.ts';

/*
 * Random contracts live through ends, versions, leaves, settlements and reversals, all through the operations. After each run, the files of the
 * three formats, the settlements and the listed open amounts are together what is owed, by personnel number, month and kind. The oracle computes the owed
 * amounts day by day.
 */

const fixture = usePlatform();
const tenants = new Tenants(fixture);
const at = (path: string) => tenants.at(path);

type Kind = (typeof payrollKinds)[number];
type Generated<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

const formats = ['csv', 'datev_lodas', 'datev_lug'] as const;
const readers: Record<
  (typeof formats)[number],
  (bytes: Buffer) => { client: string; lines: readonly ReadLine[] }
> = {
  csv: bytes => ({ client: '', lines: readCsv(bytes) }),
  datev_lodas: readLodas,
  datev_lug: readLug,
};

const kindOf: Readonly<Record<string, Kind>> = {
  '3010': 'salary_conversion',
  '3020': 'taxable_benefit',
  '3030': 'employer_subsidy',
};

interface Person {
  readonly orderId: string;
  readonly employeeId: string;
  number: string;
  term: Term;
  /** Settled cents by month and kind. */
  readonly settled: Map<string, bigint>;
  /** Cents under the former number, by number, month and kind. LODAS no longer corrects their months, so the reversal left them there. */
  former: ReadonlyMap<string, bigint>;
}

const anyDay = (first: string, days: number) =>
  fc.integer({ min: 0, max: days }).map(day => iso(Date.parse(first) + day * dayMilliseconds));

const anyEvents = fc.record({
  end: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 2 }),
  version: fc.option(fc.integer({ min: 0, max: 120 })),
  leave: fc.option(fc.tuple(anyDay('2025-01-10', 500), fc.integer({ min: 0, max: 90 }))),
  renumber: fc.boolean(),
  /** The event of each kind happens before the run with this index. */
  order: fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.nat(3)),
});

const anyPerson = fc.record({
  startDate: anyDay('2024-09-01', 500),
  termMonths: fc.integer({ min: 1, max: 30 }),
  leasingRate: fc.integer({ min: 3000, max: 15_000 }),
  events: anyEvents,
});

const anyCompany = fc.record({
  partMonth: fc.constantFrom('calendar_days', 'thirty_days', 'whole_month', 'next_month'),
  benefitProRata: fc.boolean(),
  benefitOnLeave: fc.constantFrom('suspend', 'continue'),
  /** The client number changes before the run with this index. */
  clientChange: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 3 }),
  persons: fc.array(anyPerson, { minLength: atScale(15, 120), maxLength: atScale(15, 120) }),
});

const money = (cents: number) => (cents / 100).toFixed(2);
const periods = ['2025-03', '2025-08', '2026-02', '2026-10'];
const firstClient = settingsInput.clientNumber;
/** A new personnel number is the former one plus this. */
const renumbering = 50_000;
const key = (...parts: string[]) => parts.join(' ');
const add = (sums: Map<string, bigint>, name: string, cents: bigint) =>
  sums.set(name, (sums.get(name) ?? 0n) + cents);

async function sent(request: Promise<{ status: number; bytes: Buffer; body: any }>, status = 200) {
  const answer = await request;
  assert.equal(answer.status, status, answer.bytes.toString());
  return answer.body;
}

/** Sends the events of a person that happen before a run, and tells the oracle. */
async function live(
  person: Person,
  run: number,
  { end, version, leave, order }: Generated<typeof anyEvents>,
  benefitOnLeave: string,
) {
  const { orderId, employeeId, term } = person;
  const [ofEnd, ofVersion, ofLeave] = order;
  if (version !== null && ofVersion === run) {
    const from = term.endDate.slice(0, 7);
    const rate = 4000 + version * 10;
    await sent(
      fixture.own.post(at(`/orders/${orderId}/contract-versions`), { from, leasingRate: money(rate) }),
    );
    const change = { ...term, salaryConversion: conversionOf(rate), from };
    person.term = { ...term, changes: [change] };
  }
  if (leave !== null && ofLeave === run) {
    const [from, days] = leave;
    const to = iso(Date.parse(from) + days * dayMilliseconds);
    const body = {
      employeeId,
      orderId,
      type: 'parental_leave',
      occurredOn: from,
      effectiveFrom: from,
      effectiveTo: to,
    };
    await sent(fixture.client.post('/incidents', { ...body, description: 'Elternzeit' }), 201);
    const kinds = ['salary_conversion', ...(benefitOnLeave === 'suspend' ? ['taxable_benefit'] : [])];
    person.term = { ...person.term, suspensions: [{ from, to, kinds }] };
  }
  if (end !== null && ofEnd === run) {
    const days = (Date.parse(term.endDate) - Date.parse(term.startDate)) / dayMilliseconds;
    const lastDay = iso(Date.parse(term.startDate) + Math.floor(days * end) * dayMilliseconds);
    await sent(fixture.own.post(at(`/orders/${orderId}/contract-end`), { lastDay, reason: 'returned' }));
    person.term = { ...person.term, endDate: lastDay };
  }
}

/** 5.00 of service and 9.90 of insurance are added, and subsidies of 29.90 are taken off. */
const conversionOf = (leasingRate: number) => money(leasingRate + 990 + 500 - 2990);

/** The cents that files, settlements and listed amounts must be together, by number, month and kind. */
function owedOf(persons: readonly Person[], period: string): Map<string, bigint> {
  const owed = new Map<string, bigint>();
  for (const { number, term, former } of persons) {
    for (const kind of payrollKinds)
      for (const [month, cents] of expectedOwed(term, kind))
        if (month >= '2024-11' && month <= period) owed.set(key(number, month, kind), cents);
    for (const [name, cents] of former) {
      const [, month, kind] = name.split(' ') as [string, string, string];
      add(owed, name, cents);
      add(owed, key(number, month, kind), -cents);
    }
  }
  return owed;
}

/** The amounts in files whose months are before the previous year, which LODAS does not correct. */
function uncorrected(files: ReadonlyMap<string, bigint>, period: string) {
  const firstMonth = `${Number(period.slice(0, 4)) - 1}-01`;
  return new Map([...files].filter(([name]) => name.split(' ')[1]! < firstMonth));
}

const amountsOf = (number: string, files: ReadonlyMap<string, bigint>) =>
  new Map([...files].filter(([name]) => name.startsWith(`${number} `)));

/** The cents of all files by format, and again of the files of the first client. */
class Files {
  readonly all = new Map(formats.map(name => [name as string, new Map<string, bigint>()]));
  readonly firstClient = new Map(formats.map(name => [name as string, new Map<string, bigint>()]));
}

/** Adds the lines of the files of a run, by format. */
async function readFiles(run: { documents: { id: string }[] }, files: Files) {
  for (const { document, bytes } of await tenants.filesOf(run)) {
    if (document.status === 'empty') continue;
    const name = document.format as (typeof formats)[number];
    const { client, lines } = readers[name](bytes);
    assert.equal(lines.length, document.rowCount);
    for (const { personnelNumber, month, wageType, cents } of lines) {
      const kind = kindOf[wageType]!;
      const place = key(personnelNumber, month, kind);
      const owed = kind === 'salary_conversion' ? -cents : cents;
      add(files.all.get(name)!, place, owed);
      if (client === firstClient) add(files.firstClient.get(name)!, place, owed);
    }
  }
}

const nonZero = (sums: ReadonlyMap<string, bigint>) =>
  Object.fromEntries([...sums].filter(([, cents]) => cents !== 0n).toSorted());

const receivablesOf = async (tenant: Tenant): Promise<PayrollReceivable[]> => {
  const items: PayrollReceivable[] = [];
  for (let next: string | null = ''; next !== null;) {
    const query: Record<string, string> = next === '' ? {} : { after: next };
    const body = await sent(fixture.own.get(at(`/tenants/${tenant.id}/payroll-receivables`), { query }));
    items.push(...body.items);
    next = body.next;
  }
  return items;
};

async function checkExplanations(persons: readonly Person[], files: Map<string, bigint>): Promise<void> {
  for (const { employeeId, number, orderId } of persons.slice(0, 3)) {
    const explained = new Map<string, bigint>();
    for (const period of periods) {
      const path = at(`/employees/${employeeId}/payroll-explanation`);
      const { receipts } = await sent(fixture.own.get(path, { query: { period } }));
      for (const { source, personnelNumber, month, kind, amount } of receipts as PayrollReceipt[])
        if (source === 'run')
          add(explained, key(personnelNumber!, month, kind), BigInt(amount.replace('.', '')));
    }
    const numbers = [number, String(Number(number) % renumbering)];
    const ofPerson = new Map([...files].filter(([name]) => numbers.includes(name.split(' ')[0]!)));
    assert.deepEqual(nonZero(explained), nonZero(ofPerson), `explanation of ${orderId}`);
  }
}

async function checkCompany(company: Generated<typeof anyCompany>): Promise<number> {
  const { benefitOnLeave, partMonth, benefitProRata } = company;
  const rule = {
    salaryConversion: 'suspend',
    taxableBenefit: benefitOnLeave,
    employerSubsidy: 'continue',
    payer: null,
  };
  const { kinds, leaves } = settingsInput;
  const settings = {
    firstPeriod: '2024-11',
    partMonth,
    benefitProRata,
    leaves: { ...leaves, parentalLeave: rule },
    kinds: { ...kinds, employerSubsidy: { ...kinds.taxableBenefit, wageType: '3030' } },
  };
  const tenant = await tenants.create(settings);
  const persons: Person[] = [];
  for (const [index, { startDate, termMonths, leasingRate }] of company.persons.entries()) {
    const number = String(1 + index);
    const endDate = lastDayOfTerm(startDate, termMonths)!;
    const rates = { leasingRate: money(leasingRate), salaryConversion: conversionOf(leasingRate) };
    const contract = { startDate, endDate, termMonths, ...rates };
    const stored = await tenants.activeOrder(tenant, { contract, employee: { employeeNumber: number } });
    const term: Term = {
      startDate,
      endDate,
      termMonths,
      salaryConversion: rates.salaryConversion,
      taxableBenefit: '8.00',
      employerSubsidy: '29.90',
      suspensions: [],
      benefitProRata,
      rules: [{ from: '2000-01', partMonth, benefitProRata }],
    };
    persons.push({ ...stored, number, term, settled: new Map(), former: new Map() });
  }
  const files = new Files();
  /** What stays with the first client: months that LODAS no longer corrected when the number changed. */
  let left: ReadonlyMap<string, bigint> | null = null;
  const reverse = async (period: string, employeeId: string) => {
    const path = at(`/tenants/${tenant.id}/payroll-reversals`);
    let reversal = await sent(fixture.own.post(path, { period, formats, employeeId }), 201);
    while (reversal.status === 'computing') reversal = await tenants.read(reversal);
    await readFiles((await tenants.release(reversal)).body, files);
  };
  let checked = 0;
  for (const [index, period] of periods.entries()) {
    if (company.clientChange === index) {
      left = uncorrected(files.firstClient.get('datev_lodas')!, period);
      await tenants.set(tenant, { ...settings, clientNumber: '10002' });
      for (const { employeeId } of persons) await reverse(period, employeeId);
    }
    for (const [position, { events }] of company.persons.entries()) {
      const person = persons[position]!;
      await live(person, index, events, benefitOnLeave);
      if (!events.renumber || events.order[3] !== index || index === 0) continue;
      person.former = uncorrected(amountsOf(person.number, files.all.get('csv')!), period);
      person.number = String(Number(person.number) + renumbering);
      await sent(fixture.client.patch(`/employees/${person.employeeId}`, { employeeNumber: person.number }));
      await reverse(period, person.employeeId);
    }
    await readFiles(await tenants.released(tenant, period, { formats }), files);
    const open = await receivablesOf(tenant);
    const owed = nonZero(owedOf(persons, period));
    for (const name of formats) {
      if (left !== null && name !== 'csv')
        assert.deepEqual(
          nonZero(files.firstClient.get(name)!),
          nonZero(left),
          `first client, ${name} after ${period}`,
        );
      const sums = new Map(files.all.get(name));
      for (const { number, settled } of persons)
        for (const [place, cents] of settled) add(sums, `${number} ${place}`, cents);
      for (const { personnelNumber, month, kind, amount } of open)
        add(sums, key(personnelNumber!, month, kind), BigInt(amount.replace('.', '')));
      assert.deepEqual(nonZero(sums), owed, `${name} after ${period}`);
    }
    checked += Object.keys(owed).length;
    for (const { orderId, month, kind, amount } of open) {
      const settlement = { orderId, month, kind, amount, meaning: 'paid_elsewhere', reason: 'Steuerbüro' };
      await sent(fixture.own.post(at('/payroll-settlements'), settlement), 201);
      const person = persons.find(each => each.orderId === orderId)!;
      add(person.settled, key(month, kind), BigInt(amount.replace('.', '')));
    }
    assert.deepEqual(await receivablesOf(tenant), [], 'a settlement closes each');
  }
  await checkExplanations(persons, files.all.get('csv')!);
  return checked;
}

test('files, settlements and open amounts are what is owed, by number, month and kind, in three formats', async () => {
  let checked = 0;
  const property = fc.asyncProperty(anyCompany, async company => {
    checked += await checkCompany(company);
  });
  await fc.assert(property, { numRuns: atScale(1, 4), endOnFailure: true });
  assert.ok(checked > atScale(100, 15_000), `only ${checked} months were checked`);
});
