import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { setAuditDays, setTenantAuditDays } from '../../src/features/audit/retention.ts';
import { pruneAudit, sweepOn } from '../../src/features/audit/sweep.ts';
import { parseKey } from '../../src/features/keys/rules.ts';
import { createTenant } from '../../src/features/organizations/store.ts';
import { deleteUser } from '../../src/features/users/store.ts';
import { besideClock, operator } from '../../src/write/writes.ts';
import { storeEmployees } from '../support/employees.ts';
import { orderInput, storeOrders } from '../support/orders.ts';
import { storePayrollDocument } from '../support/payroll-documents.ts';
import { invitedUser } from '../support/users.ts';
import { testKey } from '../support/test-data.ts';
import { usePlatform } from './support.ts';

/** What entries are about: its tenants, by their place in `tenants`; none: the organization; null: all, or nobody can tell. */
interface Target {
  readonly type: string;
  readonly id: string;
  readonly tenants: readonly number[] | null;
}

let tenants: string[];
let targets: Target[];

const fixture = usePlatform(async ({ sql, testData, client }) => {
  const { organization, tenantA, tenantB } = testData;
  tenants = [tenantA, tenantB, await createTenant(sql, organization, 'Muster Wien GmbH')];
  const places = [{ tenant: tenantA }, { tenant: tenantB }, { tenant: null }];
  const [inA, inB, inNone] = (await storeEmployees(sql, organization, places)).map(({ id }) => id);
  const place = { organizationId: organization, tenantId: tenantA };
  const [order] = await storeOrders(sql, place, [orderInput({ employeeId: inA })]);
  await sql`UPDATE employee SET activated_at = ${new Date()} WHERE organization_id = ${organization} AND id = ${inB!}`;
  const incident = (await client.post('/incidents', { employeeId: inB, type: 'other' })).body;
  const payroll = await storePayrollDocument(sql, organization, { tenant: tenants[2]! });
  const key = async (of: readonly number[]) =>
    parseKey(await testKey(sql, organization, { tenants: of.map(n => tenants[n]!) }))!.id;
  const user = async (permissions: ('HR' | 'IT')[], of: readonly number[] | null) =>
    invitedUser(sql, organization, { permissions, hrTenants: of && of.map(n => tenants[n]!) });
  const gone = await user(['HR'], [0]);
  await besideClock(sql, organization, operator, turn => deleteUser(turn, gone));
  targets = [
    { type: 'employee', id: inA!, tenants: [0] },
    { type: 'employee', id: inB!, tenants: [1] },
    { type: 'employee', id: inNone!, tenants: [] },
    { type: 'order', id: order!.id, tenants: [0] },
    { type: 'incident', id: incident.id, tenants: [1] },
    { type: 'division', id: testData.sales, tenants: [0] },
    { type: 'payroll_export_document', id: payroll.id, tenants: [2] },
    { type: 'tenant', id: tenants[2]!, tenants: [2] },
    { type: 'tenant', id: testData.foreign.tenant, tenants: [] },
    { type: 'audit', id: tenantB, tenants: [1] },
    { type: 'audit', id: 'platform', tenants: [] },
    { type: 'organization', id: organization, tenants: [] },
    { type: 'operation', id: 'listEmployees', tenants: [] },
    { type: 'session', id: 'a'.repeat(24), tenants: [] },
    { type: 'passkey', id: 'b'.repeat(24), tenants: [] },
    { type: 'key', id: await key([0]), tenants: [0] },
    { type: 'key', id: await key([0, 1]), tenants: [0, 1] },
    { type: 'key', id: await key([1, 2]), tenants: [1, 2] },
    { type: 'key', id: parseKey(testData.keys.all)!.id, tenants: null },
    { type: 'key', id: 'others', tenants: null },
    { type: 'user', id: (await user(['HR'], [1])).id, tenants: [1] },
    { type: 'user', id: (await user(['HR'], [0, 2])).id, tenants: [0, 2] },
    { type: 'user', id: (await user(['HR'], null)).id, tenants: null },
    { type: 'user', id: (await user(['HR', 'IT'], [0])).id, tenants: null },
    { type: 'user', id: gone.id, tenants: null },
    { type: 'employee', id: 'f'.repeat(24), tenants: null },
    { type: 'strange', id: 'e'.repeat(24), tenants: null },
  ];
});

/** For how many days what is kept; null: for ever, and of a tenant as long as its organization says. */
interface Days {
  organization: number | null;
  readonly tenants: (number | null)[];
}

interface Entry {
  readonly target: Target;
  readonly age: number;
}

/** The model: for how many days an entry is kept, Infinity for ever. */
function daysOf({ tenants: of }: Target, { organization, tenants: own }: Days): number {
  const usual = organization ?? Infinity;
  const each = (of ?? own.map((_, n) => n)).map(n => own[n] ?? usual);
  return of !== null && of.length > 0 ? Math.max(...each) : Math.max(usual, ...(of === null ? each : []));
}

const ages = [0.5, 1.5, 4.5, 5.5, 9.5, 10.5, 29.5, 30.5, 100];
const days = fc.option(fc.constantFrom(1, 5, 10, 30), { freq: 3 });
const step = fc.oneof(
  fc.record({ kind: fc.constant('organization' as const), days }),
  fc.record({ kind: fc.constant('tenant' as const), tenant: fc.nat(2), days }),
  fc.record({
    kind: fc.constant('slices' as const),
    count: fc.constantFrom(1, 3, 100),
    max: fc.constantFrom(1, 5, 200),
  }),
  fc.record({ kind: fc.constant('prune' as const) }),
);
const plan = fc.record({
  entries: fc.uniqueArray(fc.record({ target: fc.nat(26), age: fc.constantFrom(...ages) }), {
    selector: ({ target, age }) => `${target} ${age}`,
    minLength: 20,
    maxLength: 120,
    size: 'max',
  }),
  steps: fc.array(step, { minLength: 4, maxLength: 16, size: 'max' }),
});

const nameOf = ({ target, age }: Entry) => `${target.type} ${target.id} ${age}`;

/** The organization of the world, whose audit has only entries of the plan beside young ones. */
class Audit {
  readonly #base = Date.now();
  readonly #id = fixture.testData.organization;

  async fill(entries: readonly Entry[]): Promise<void> {
    const { sql } = fixture;
    await sql`DELETE FROM audit WHERE organization_id = ${this.#id} AND outcome = 'done'`;
    const column = (value: (entry: Entry) => string) => entries.map(value);
    await sql`
      INSERT INTO audit (organization_id, at, target_id, action, actor, fields, request_id)
      SELECT ${this.#id}::text, at, target_id, action, 'operator', '{}', name
      FROM unnest(${column(({ age }) => new Date(this.#base - age * 86_400_000).toISOString())}::timestamptz[],
        ${column(({ target }) => target.id)}::text[], ${column(({ target }) => `${target.type}.update`)}::text[],
        ${column(nameOf)}::text[]) AS entry (at, target_id, action, name)`;
  }

  async left(): Promise<Set<string>> {
    const rows = await fixture.sql<{ name: string }[]>`
      SELECT request_id AS name FROM audit WHERE organization_id = ${this.#id} AND request_id IS NOT NULL`;
    return new Set(rows.map(({ name }) => name));
  }

  /** How many were removed, by the target of what says so. */
  async told(): Promise<Map<string, number>> {
    const rows = await fixture.sql<{ id: string; n: number }[]>`
      SELECT target_id AS id, sum(n)::int AS n FROM audit
      WHERE organization_id = ${this.#id} AND action = 'audit.remove' GROUP BY target_id`;
    return new Map(rows.map(({ id, n }) => [id, n]));
  }

  setOrganization(days: number | null): Promise<void> {
    return besideClock(fixture.sql, this.#id, operator, turn => setAuditDays(turn, days));
  }

  setTenant(tenantId: string, days: number | null): Promise<void> {
    return besideClock(fixture.sql, this.#id, operator, (turn, session) =>
      setTenantAuditDays(turn, session, { tenantId, days }),
    );
  }

  slice(max: number) {
    return besideClock(fixture.sql, this.#id, operator, (turn, session) => sweepOn(turn, session, max));
  }

  prune(): Promise<number> {
    const { signal } = new AbortController();
    return pruneAudit(fixture.sql, this.#id, { author: operator, signal });
  }
}

test('an entry goes when each of its tenants and the organization say so, as a plain model has it, never before, and is accounted for', async () => {
  const property = fc.asyncProperty(plan, async ({ entries: planned, steps }) => {
    const audit = new Audit();
    const set: Days = { organization: null, tenants: [null, null, null] };
    await audit.setOrganization(null);
    for (const tenant of tenants) await audit.setTenant(tenant, null);
    let living: Entry[] = planned.map(({ target, age }) => ({ target: targets[target]!, age }));
    await audit.fill(living);
    const removed = new Map<string, number>();
    const check = async (isWhole: boolean) => {
      const left = await audit.left();
      const gone = living.filter(entry => !left.has(nameOf(entry)));
      const due = living.filter(({ target, age }) => age > daysOf(target, set));
      for (const entry of gone) assert.ok(due.includes(entry), `${nameOf(entry)} went too early`);
      if (isWhole) assert.deepEqual(new Set(gone.map(nameOf)), new Set(due.map(nameOf)));
      living = living.filter(entry => left.has(nameOf(entry)));
      for (const { target } of gone) {
        const [only] = target.tenants?.length === 1 ? target.tenants : [];
        const isOwn = only !== undefined && set.tenants[only] !== null;
        const name = isOwn ? tenants[only]! : fixture.testData.organization;
        removed.set(name, (removed.get(name) ?? 0) + 1);
      }
      assert.deepEqual(await audit.told(), removed);
    };
    for (const one of steps)
      if (one.kind === 'organization') {
        set.organization = one.days;
        await audit.setOrganization(one.days);
      } else if (one.kind === 'tenant') {
        set.tenants[one.tenant] = one.days;
        await audit.setTenant(tenants[one.tenant]!, one.days);
      } else if (one.kind === 'slices') {
        let isLast = false;
        for (let n = 0; n < one.count && !isLast; n++) ({ isLast } = await audit.slice(one.max));
        await check(isLast);
      } else {
        await audit.prune();
        await check(true);
      }
  });
  await fc.assert(property, { numRuns: 60 });
});

describe('the audit retention of a tenant by the platform', () => {
  const path = () => `/organizations/${fixture.testData.organization}/tenants/${tenants[0]}/audit-retention`;

  test('PATCH 200: has days of its own, or goes by the organization again; what is so already is not audited', async () => {
    const { own, sql, testData } = fixture;
    await new Audit().setOrganization(400);
    await new Audit().setTenant(tenants[0]!, null);
    const before = { tenantId: tenants[0], days: null, organizationDays: 400 };
    assert.deepEqual((await own.get(path())).body, before);
    const entries = async () =>
      (
        await sql<{ fields: string[] }[]>`
          SELECT fields FROM audit WHERE organization_id = ${testData.organization} AND target_id = ${tenants[0]!}
            AND action = 'audit.keep' AND actor_type = 'platform_token'`
      ).length;
    const audited = await entries();
    const dry = await own.patch(path(), { days: 90 }, { query: { dryRun: true } });
    assert.deepEqual([dry.status, dry.body], [200, { ...before, days: 90 }]);
    assert.deepEqual((await own.get(path())).body, before);
    for (const days of [90, 90, null, null])
      assert.deepEqual((await own.patch(path(), { days })).body, { ...before, days });
    assert.equal((await entries()) - audited, 2);
  });

  for (const days of [0, -1, 36_501, 1.5, '90'])
    test(`PATCH 400 VALIDATION_ERROR: ${JSON.stringify(days)} days`, async () => {
      const { status, body } = await fixture.own.patch(path(), { days });
      assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
    });

  test('404 NOT_FOUND: the tenant under another organization', async () => {
    const { platform, testData } = fixture;
    const strange = path().replace(testData.organization, testData.foreign.organization);
    assert.equal((await platform.patch(strange, { days: 1 })).status, 404);
    assert.equal((await platform.get(strange)).status, 404);
  });
});
