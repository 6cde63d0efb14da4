/**
 * `node bench/payroll.ts`: payroll runs of a tenant with 100,000 active orders in 1,000 divisions through the platform API, on an embedded
 * database of its own that is built and removed again. Prints how long draft and release take, the memory of the service, and how long other
 * writes of the organization wait meanwhile.
 */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Incident, Order, PayrollRun } from '@kontor/contract';
import type { Pool } from '../packages/server/src/db/connect.ts';
import { newId } from '../packages/server/src/db/ids.ts';
import { insertRows } from '../packages/server/src/db/insert-rows.ts';
import { divisionRow } from '../packages/server/src/features/divisions/mapping.ts';
import { insertDivision } from '../packages/server/src/features/divisions/store.ts';
import { incidentRow } from '../packages/server/src/features/incidents/mapping.ts';
import { insertIncident } from '../packages/server/src/features/incidents/store.ts';
import { employeeRow } from '../packages/server/src/features/employees/mapping.ts';
import { newEmployee } from '../packages/server/src/features/employees/rules.ts';
import { insertEmployees } from '../packages/server/src/features/employees/store.ts';
import { completeOrder } from '../packages/server/src/features/orders/contract.ts';
import { orderColumns, orderResource, orderRow } from '../packages/server/src/features/orders/mapping.ts';
import { inTransaction } from '../packages/server/src/db/transaction.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { runAtClock } from '../packages/server/src/write/run-at-clock.ts';
import { operator } from '../packages/server/src/write/writes.ts';
import { settingsInput } from '../packages/server/test/features/payroll/support.ts';
import { describeMachine, openFresh } from './fresh-service.ts';
import { createKey, createToken } from './keys.ts';
import { contract } from './resource-types.ts';
import { processTreeOf, readCoreTime, recordMemory } from './processes.ts';

const { values: options } = parseArgs({ options: { orders: { type: 'string', default: '100000' } } });
const orderCount = Number(options.orders);
const divisionCount = 1000;
/** Every so many orders have a leave. */
const leaveInterval = 50;
const batch = 1000;

interface Place {
  readonly organization: string;
  readonly tenant: string;
}

await using fresh = await openFresh('payroll');
const { database, dataDirectory, organization, tenant } = fresh;
const employees = await populate(database.writes, { organization, tenant });
const key = await createKey(dataDirectory, organization);
const permissions = ['payroll:read', 'payroll:write', 'payroll:run', 'payroll:release'];
const token = await createToken(dataDirectory, permissions);
const { baseUrl, managementUrl, pid } = await fresh.start();
console.log(`${describeMachine()}; ${orderCount} active orders`);
const path = `${managementUrl}/platform/v1/organizations/${organization}`;
await runPayroll({ path, baseUrl, tenant, token, key, employee: employees[0]!, pid });

async function populate(db: Pool, place: Place): Promise<string[]> {
  const divisions = await createDivisions(db, place);
  const employees: string[] = [];
  for (let first = 0; first < orderCount; first += batch)
    employees.push(...(await insertBatch(db, place, divisions, first)));
  await db.use(async session => {
    await session.send(sql`VACUUM (ANALYZE) employee, employee_order, incident, counter, organization`, {
      deadline: 600_000,
    });
    session.destroy(new Error('its limits are others'));
  });
  return employees;
}

async function createDivisions(db: Pool, { organization, tenant }: Place): Promise<string[]> {
  const ids = Array.from({ length: divisionCount }, newId);
  await runAtClock(db, organization, operator, write => {
    const stamps = { createdAt: write.instant, updatedAt: write.instant };
    for (const [n, id] of ids.entries()) {
      const place = { tenant, name: `Division ${n}`, order: n, parentId: n < 10 ? null : ids[n % 10]! };
      insertDivision(
        write,
        divisionRow(id, { ...place, costCenter: n % 3 === 0 ? String(n) : null }, stamps),
      );
    }
  });
  return ids;
}

/** Stores employees, with an active order each. */
async function insertBatch(
  db: Pool,
  { organization, tenant }: Place,
  divisions: readonly string[],
  first: number,
): Promise<string[]> {
  const numbers = Array.from({ length: Math.min(batch, orderCount - first) }, (_, offset) => first + offset);
  const employees = numbers.map(n => ({ n, id: newId(), divisionId: divisions[n % divisions.length]! }));
  await runAtClock(db, organization, operator, write => {
    const rows = employees.map(({ n, id, divisionId }) => {
      const names = { firstName: 'Änne', lastName: `Müller ${n}`, email: `payroll.${n}@example.com` };
      const person = { ...names, employeeNumber: `P${n}` };
      return employeeRow(id, newEmployee(person, { tenant, divisionId }));
    });
    insertEmployees(rows.map(row => ({ write, row })));
  });
  const orders = employees.map(({ n, id }) => orderOf(n, id));
  await inTransaction(db, session => session.run(insertOrders({ organization, tenant }, employees, orders)));
  await runAtClock(db, organization, operator, write => {
    for (const [index, { n, divisionId }] of employees.entries())
      if (n % leaveInterval === 0)
        insertIncident(write, incidentRow(leaveOf(n, orders[index]!, write.instant)), {
          tenantId: tenant,
          divisionId,
        });
  });
  return employees.map(({ id }) => id);
}

function insertOrders(
  { organization, tenant }: Place,
  employees: readonly { readonly divisionId: string }[],
  orders: readonly Order[],
) {
  const rows = orders.map(
    order => orderRow({ ...order, sPedelec: false, productBenefits: null }) as Record<string, unknown>,
  );
  const columns = Object.entries(orderColumns).map(([name, type]) => ({
    name,
    type,
    values: rows.map(row => row[name]),
  }));
  const text = (name: string, values: readonly string[]) => ({ name, type: 'text', values });
  const more = [
    { name: 'organization_id', type: 'text', value: organization },
    { name: 'tenant_id', type: 'text', value: tenant },
    text(
      'division_id',
      employees.map(({ divisionId }) => divisionId),
    ),
    text(
      'employee_id',
      orders.map(({ employeeId }) => employeeId),
    ),
    text(
      'doc',
      orders.map(order => orderResource.document(order)),
    ),
    { name: 'created_at', type: 'timestamptz', values: orders.map(({ createdAt }) => createdAt) },
    { name: 'updated_at', type: 'timestamptz', values: orders.map(({ updatedAt }) => updatedAt) },
  ];
  return insertRows('employee_order', [...columns, ...more]);
}

function orderOf(n: number, employeeId: string): Order {
  const at = '2026-06-01T08:00:00.000Z';
  const product = {
    model: 'Nox Helium',
    vatRate: '19.00',
    manufacturerName: 'Nox Cycles',
    articleGroupName: 'E-Bike',
    grossAmount: '3599.00',
    netAmount: '3024.3697',
  };
  const terms = { ...contract, insuranceRateSubsidy: '0.00' };
  const order = completeOrder({
    orderNumber: `A-2026-${n}`,
    products: [product],
    contract: terms,
    submittedAt: at,
  });
  const month = String(6 + (n % 3)).padStart(2, '0');
  const startDate = `2026-${month}-${String(1 + (n % 28)).padStart(2, '0')}`;
  const history = { decision: 'approved', decisionBy: null, source: 'automatic', comment: null } as const;
  return {
    id: newId(),
    employeeId,
    ...order,
    status: 'active',
    contract: { ...order.contract!, contractNumber: `LV-${n}`, startDate, endDate: '2029-05-31' },
    attachments: [],
    hrHistory: { ...history, decidedAt: at },
    createdAt: at,
    updatedAt: at,
  };
}

function leaveOf(n: number, { id: orderId, employeeId }: Order, instant: string): Incident {
  return {
    id: newId(),
    incidentNumber: `S-${n}`,
    employeeId,
    orderId,
    type: 'parental_leave',
    requestedSolution: null,
    occurredOn: '2026-08-10',
    effectiveFrom: '2026-08-10',
    effectiveTo: '2026-10-20',
    description: 'Elternzeit',
    policeReference: null,
    status: 'completed',
    editable: true,
    attachments: [],
    createdAt: instant,
    updatedAt: instant,
  };
}

interface Target {
  readonly path: string;
  readonly baseUrl: string;
  readonly tenant: string;
  readonly token: string;
  readonly key: string;
  readonly employee: string;
  readonly pid: number;
}

async function send<T>({ path, token }: Target, at: string, body?: object): Promise<T> {
  const headers = { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) };
  const answer = await fetch(path + at, {
    method: 'POST',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const answered = (await answer.json()) as T;
  if (!answer.ok) throw new Error(`POST ${at} was answered ${answer.status}: ${JSON.stringify(answered)}`);
  return answered;
}

/** Reads a run until its job has ended. */
async function untilEnded({ path, token }: Target, id: string): Promise<PayrollRun> {
  for (;;) {
    const answer = await fetch(`${path}/payroll-runs/${id}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const run = (await answer.json()) as PayrollRun;
    if (run.status !== 'computing' && run.status !== 'releasing') return run;
    await setTimeout(100);
  }
}

async function runPayroll(target: Target): Promise<void> {
  const settings = { ...settingsInput, firstPeriod: '2026-07', personnelNumbers: 'company' };
  await send(target, `/tenants/${target.tenant}/payroll-settings`, settings);
  for (const period of ['2026-10', '2026-11']) {
    const formats = ['csv', 'datev_lodas', 'datev_lug'];
    let id = '';
    await measure(target, `${period} draft`, async () => {
      ({ id } = await send<PayrollRun>(target, `/tenants/${target.tenant}/payroll-runs`, {
        period,
        formats,
      }));
      return untilEnded(target, id);
    });
    await measure(target, `${period} release`, async () => {
      await send(target, `/payroll-runs/${id}/release`);
      return untilEnded(target, id);
    });
  }
}

async function measure(target: Target, name: string, work: () => Promise<PayrollRun>): Promise<void> {
  const stop = new AbortController();
  const memory: number[] = [];
  const waits: number[] = [];
  const watching = [
    recordMemory(memory, target.pid, stop.signal),
    writeAlongside(waits, target, stop.signal),
  ];
  const server = findServer();
  const before = [readCoreTime([target.pid]), readCoreTime(server)];
  const startedAt = performance.now();
  const run = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  const core = [readCoreTime([target.pid]) - before[0]!, readCoreTime(server) - before[1]!];
  stop.abort();
  await Promise.all(watching);
  const longest = Math.max(...waits).toFixed(0);
  console.log(
    `${name}: ${run.status}, ${run.summary?.entries} entries, ${run.documents.length} documents, ${seconds.toFixed(1)} s; core of the service ${(core[0]! / 1000).toFixed(1)} s, of PostgreSQL ${(core[1]! / 1000).toFixed(1)} s
  memory of the service, MiB: ${Math.round(memory[0]!)} at the start, ${Math.round(Math.max(...memory))} at most; ${waits.length} other writes, the longest ${longest} ms`,
  );
}

/** The first process of PostgreSQL, whose core time includes that of its sessions, ended ones too. Linux only. */
function findServer(): number[] {
  const isServer = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'latin1').startsWith('postgres');
  // Parents come before their children.
  return processTreeOf(process.pid).filter(isServer).slice(0, 1);
}

/** Records the milliseconds of writes of the same organization on the public API. */
async function writeAlongside(
  waits: number[],
  { baseUrl, key, employee }: Target,
  signal: AbortSignal,
): Promise<void> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  for (let n = 0; !signal.aborted; n++) {
    const startedAt = performance.now();
    const body = JSON.stringify({ city: `Stadt ${n}` });
    const answer = await fetch(`${baseUrl}/employees/${employee}`, { method: 'PATCH', headers, body });
    if (!answer.ok) throw new Error(`a write was answered ${answer.status}: ${await answer.text()}`);
    waits.push(performance.now() - startedAt);
    await setTimeout(20);
  }
}
