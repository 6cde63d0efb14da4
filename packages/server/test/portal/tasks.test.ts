import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { HrTasks, KeyInUse, PayrollDue, PortalTasks } from '@kontor/contract';
import { parseKey } from '../../src/auth/api-keys.ts';
import type { Queryable } from '../../src/db/session.ts';
import { type Fragment, raw, sql as statement } from '../../src/db/sql.ts';
import type { Scope } from '../../src/auth/scope.ts';
import { readOpenImports } from '../../src/features/employees/portal-import/open-imports.ts';
import { readIncidentsToComplete } from '../../src/features/incidents/to-complete.ts';
import { readKeysInUse } from '../../src/features/keys/summary.ts';
import { readOrdersToDecide } from '../../src/features/orders/to-decide.ts';
import { monthAfter, monthBefore } from '../../src/lib/calendar.ts';
import { storePlannedImport } from '../support/data/employee-imports.ts';
import { newId } from '../../src/db/ids.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { storeIncident } from '../support/data/incidents.ts';
import { contractInput, orderInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollSettings } from '../support/data/payroll-runs.ts';
import { testKey } from '../support/data/test-data.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { asAsker, type Asker, makeAskers } from './askers.ts';
import { usePortal } from './support.ts';

let askers: Asker[];
/** Two, and that of the incident. */
const ordersOfCompany = 3;
const present = new Date().toISOString().slice(0, 7);

const fixture = usePortal(async fixture => {
  askers = await makeAskers(fixture);
  const { sql, testData } = fixture;
  const { organization, tenantA, tenantB, foreign } = testData;
  for (const [organizationId, tenant] of [
    [organization, tenantA],
    [organization, tenantB],
    [foreign.organization, foreign.tenant],
  ] as const) {
    const place = { organizationId, tenantId: tenant };
    const [employee] = await storeEmployees(sql, organizationId, [
      { firstName: 'Lea', lastName: 'Winter', email: `lea.${tenant}@example.com`, tenant },
    ]);
    await storeOrders(sql, place, [
      orderInput({
        employeeId: employee!.id,
        contract: contractInput(),
        orderNumber: `LATE-${tenant}`,
        submittedAt: '2026-08-31T10:00:00Z',
      }),
      orderInput({
        employeeId: employee!.id,
        orderNumber: `EARLY-${tenant}`,
        submittedAt: '2026-08-01T10:00:00Z',
      }),
    ]);
    await storeIncident(
      sql,
      { organization: organizationId, tenant },
      { status: 'draft', employeeId: employee!.id },
    );
    await storePlannedImport(sql, organizationId, tenant);
    await storePayrollSettings(sql, organizationId, tenant, { firstPeriod: present, cutOffDay: 31 });
  }
});

const tasksOf = async (key: string, tenant?: string): Promise<PortalTasks> =>
  (await fixture.portal.get('/tasks', { key, query: tenant ? { tenant } : {} })).body;

const hrTasksOf = async (name: string, tenant?: string): Promise<HrTasks> => {
  const { key } = askers.find(asker => asker.name === name)!;
  return (await tasksOf(key, tenant)).hr!;
};

describe('the tasks', () => {
  test('have the work of HR in the companies of the permission, and keys for IT and COMPANY_ADMIN', async () => {
    const { organization } = fixture.testData;
    for (const known of askers)
      await asAsker(fixture, known, async asker => {
        const { hr, keys } = await tasksOf(asker.key);
        assert.equal(
          keys !== null,
          ['IT', 'COMPANY_ADMIN'].some(name => asker.permissions.has(name)),
          asker.name,
        );
        assert.equal(hr !== null, asker.permissions.has('HR') || asker.permissions.has('AUDIT'), asker.name);
        if (hr === null) return;
        const companies = asker.organization === organization && asker.hrTenants === 'all' ? 2 : 1;
        const counts = [
          hr.orders.total / ordersOfCompany,
          hr.incidents.total,
          hr.imports.total,
          hr.payroll.companies,
        ];
        assert.deepEqual(counts, [companies, companies, companies, companies], asker.name);
      });
  });

  test('of one company are those of this company, and of one out of scope none', async () => {
    const { tenantA, tenantB } = fixture.testData;
    const { imports, orders } = await hrTasksOf('all permissions', tenantB);
    assert.deepEqual([imports.items.map(({ tenant }) => tenant), orders.total], [[tenantB], ordersOfCompany]);
    const ofOther = await hrTasksOf('HR for company A', tenantB);
    assert.deepEqual([ofOther.orders.total, ofOther.payroll.companies, ofOther.hasEmployees], [0, 0, false]);
    assert.equal((await hrTasksOf('HR for company A', tenantA)).hasEmployees, true);
  });

  test('name the order that waits longest first, with its amount, and when it expires', async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA } = testData;
    await sql`UPDATE tenant SET decision_days = 10 WHERE organization_id = ${organization} AND id = ${tenantA}`;
    const { items } = (await hrTasksOf('HR for company A')).orders;
    assert.deepEqual(
      items.slice(0, 2).map(({ id: _id, ...order }) => order),
      [
        {
          orderNumber: `EARLY-${tenantA}`,
          person: 'Lea Winter',
          salaryConversion: null,
          currency: null,
          submittedAt: '2026-08-01T10:00:00.000Z',
          expiresAt: '2026-08-11T10:00:00.000Z',
        },
        {
          orderNumber: `LATE-${tenantA}`,
          person: 'Lea Winter',
          salaryConversion: '83.10',
          currency: 'EUR',
          submittedAt: '2026-08-31T10:00:00.000Z',
          expiresAt: '2026-09-10T10:00:00.000Z',
        },
      ],
    );
    await sql`UPDATE tenant SET decision_days = NULL WHERE organization_id = ${organization} AND id = ${tenantA}`;
    assert.equal((await hrTasksOf('HR for company A')).orders.items[0]!.expiresAt, null);
  });

  test('do not name an erased person', async () => {
    const { sql, testData } = fixture;
    const place = { organizationId: testData.organization, tenantId: testData.tenantB };
    const [erased] = await storeEmployees(sql, testData.organization, [
      { firstName: 'Emil', lastName: 'Erased', email: 'emil@example.com', tenant: testData.tenantB },
    ]);
    const [order] = await storeOrders(sql, place, [
      orderInput({ employeeId: erased!.id, submittedAt: '2026-07-01T10:00:00Z' }),
    ]);
    await sql`UPDATE employee SET erased_at = now() WHERE organization_id = ${testData.organization} AND id = ${erased!.id}`;
    const [first] = (await hrTasksOf('all permissions')).orders.items;
    assert.deepEqual([first!.id, first!.person], [order!.id, null]);
    await sql`DELETE FROM employee_order WHERE organization_id = ${testData.organization} AND id = ${order!.id}`;
    await sql`DELETE FROM employee WHERE organization_id = ${testData.organization} AND id = ${erased!.id}`;
  });
});

describe('the payroll of the tasks', () => {
  const dueOf = async (): Promise<PayrollDue | undefined> => {
    const { items } = (await hrTasksOf('HR for company A')).payroll;
    return items[0];
  };

  test('is open from the first month on, until the cut-off day of the month at the latest', async () => {
    const { tenantA } = fixture.testData;
    const last = new Date(Date.UTC(Number(present.slice(0, 4)), Number(present.slice(5)), 0));
    const cutOff = last.toISOString().slice(0, 10);
    const due = { tenant: tenantA, period: present, run: null, errors: 0, questions: 0, cutOff };
    const { payroll } = await hrTasksOf('HR for company A');
    assert.deepEqual(payroll, { period: present, companies: 1, open: 1, items: [due] });
  });

  test('has the questions of an open run, and is closed once the month is released', async () => {
    const id = await storeRun('draft', present);
    assert.deepEqual(
      [(await dueOf())!.run, (await dueOf())!.questions, (await dueOf())!.period],
      ['draft', 3, present],
    );
    await fixture.sql`UPDATE payroll_run SET status = 'released', released_at = now() WHERE id = ${id}`;
    const { payroll } = await hrTasksOf('HR for company A');
    assert.deepEqual([payroll.companies, payroll.open, payroll.items], [1, 0, []]);
  });

  test('names a run for the next month, which is not yet due', async () => {
    const id = await storeRun('computing', monthAfter(present));
    const { payroll } = await hrTasksOf('HR for company A');
    assert.deepEqual([payroll.open, payroll.items[0]!.period], [0, monthAfter(present)]);
    await fixture.sql`DELETE FROM payroll_run WHERE id = ${id}`;
  });

  test('has the earliest month that was not released, and no company before its first month', async () => {
    const { sql, testData } = fixture;
    const begin = (firstPeriod: string) => sql`
      UPDATE payroll_settings SET settings = jsonb_set(settings, '{firstPeriod}', to_jsonb(${firstPeriod}::text))
      WHERE organization_id = ${testData.organization} AND tenant_id = ${testData.tenantB}`;
    await begin(monthBefore(present));
    const ofB = async () => (await hrTasksOf('all permissions', testData.tenantB)).payroll;
    assert.deepEqual(
      (await ofB()).items.map(({ period }) => period),
      [monthBefore(present)],
    );
    await begin(monthAfter(present));
    assert.deepEqual((await ofB()).companies, 0);
    await begin(present);
  });
});

describe('the keys of the tasks', () => {
  test('have the outcome of each of ninety days, and those that need attention come first', async () => {
    const { sql, testData } = fixture;
    const { organization } = testData;
    const keyOf = async () => parseKey(await testKey(sql, organization, 'all'))!.id;
    const [fine, failing, expiring] = [await keyOf(), await keyOf(), await keyOf()];
    await sql`UPDATE api_key SET recent_failures = B'1111111111', last_used_at = now() WHERE organization_id = ${organization} AND id = ${failing}`;
    await sql`UPDATE api_key SET expires_at = now() + interval '3 days' WHERE organization_id = ${organization} AND id = ${expiring}`;
    for (const [daysAgo, requests, rejected, failed] of [
      [0, 10, 0, 0],
      [1, 10, 5, 0],
      [2, 10, 4, 2],
      [89, 10, 0, 10],
      [90, 10, 0, 10],
    ] as const)
      await sql`
        INSERT INTO key_usage (organization_id, key_id, day, requests, rejected, limited, failed, last_at)
        VALUES (${organization}, ${fine}, (now() AT TIME ZONE 'UTC')::date - ${daysAgo}::int, ${requests}, ${rejected}, 0,
          ${failed}, now())`;
    const { key } = askers.find(({ name }) => name === 'IT')!;
    const keys = (await tasksOf(key)).keys!;
    assert.deepEqual(
      keys.slice(0, 2).map(({ id, attention }) => [id, attention]),
      [
        [failing, 'failing'],
        [expiring, 'expiring'],
      ],
    );
    const { days, attention } = keys.find(({ id }) => id === fine)! satisfies KeyInUse;
    assert.equal(attention, null);
    assert.deepEqual(
      [days.length, days.at(-1), days.at(-2), days.at(-3), days.at(-4), days[0]],
      [90, 'fine', 'some', 'failed', 'none', 'failed'],
    );
  });
});

async function storeRun(status: string, period: string): Promise<string> {
  const id = newId();
  const { organization, tenantA } = fixture.testData;
  const summary = {
    entries: 0,
    orders: 0,
    errors: 1,
    skipped: 0,
    questions: 3,
    acknowledged: 0,
    sums: [],
    costCenters: [],
  };
  const by = JSON.stringify({ type: 'operator', id: 'operator', name: 'operator' });
  await fixture.sql`
    INSERT INTO payroll_run (organization_id, id, tenant_id, period, formats, status, created_by, created_at, summary)
    VALUES (${organization}, ${id}, ${tenantA}, ${period}, ARRAY['csv'], ${status}, ${by}::jsonb, now(),
      ${JSON.stringify(summary)}::jsonb)`;
  return id;
}

describe('the tasks are found by an index', () => {
  const scope = (): Scope => ({
    organizationId: fixture.testData.organization,
    callerId: '',
    grants: [{ tenantId: fixture.testData.tenantA, divisions: 'all' }],
  });

  /** The plan of a statement where tables are not read as a whole if there is another way. */
  async function planOf(work: (db: Queryable) => Promise<unknown>): Promise<string> {
    let plan = '';
    await fixture.sql.begin(async session => {
      await session.run(ofTest(raw('SET LOCAL enable_seqscan = off')));
      const explain: Queryable = {
        async rows(text: Fragment) {
          const rows = await session.rows<Record<string, string>>(ofTest(statement`EXPLAIN ${text}`));
          plan = rows.map(row => row['QUERY PLAN']!).join('\n');
          return [] as never;
        },
        run: () => Promise.reject(new Error('it reads rows')),
      };
      await work(explain);
    });
    // On a cluster, a shard has the name of its table or index with a number.
    return plan.replaceAll(/_\d{6}\b/g, '');
  }

  for (const [name, work, index] of [
    ['orders', readOrdersToDecide, 'employee_order_due'],
    ['incidents', readIncidentsToComplete, 'incident_draft'],
    ['imports', readOpenImports, 'employee_import_open'],
    ['days of keys', readKeysInUse, 'key_usage_pkey'],
  ] as const)
    test(name, async () => {
      const plan = await planOf(db => work(db, scope(), null));
      assert.ok(plan.includes(`${index} on`), plan);
    });
});
