import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Division, Employee } from '@kontor/contract';
import fc from 'fast-check';
import type { Sql } from '../../src/database/connect.ts';
import { newId } from '../../src/database/ids.ts';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { type ApiClient, apiClient } from '../support/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { countersOf, storeEmployees } from '../support/employees.ts';
import {
  landing,
  lineOf,
  maySelect,
  type ModelDivision,
  type ModelKey,
  type ModelOrganization,
  moved,
  sees,
  seesDivision,
} from '../support/scope-model.ts';
import { startService, type TestService } from '../support/service.ts';
import { moveDivision } from '../support/tree.ts';
import { testDivision, testKey } from '../support/world.ts';

let database: TestDatabase;
let sql: Sql;
let service: TestService;
let client: ApiClient;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  service = await startService(sql);
  client = apiClient(service.url);
});

after(async () => {
  client.close();
  await service.stop();
  await database.drop();
});

/** Numbers stand for one of what there is, modulo its count; null for none. */
const choice = fc.option(fc.nat(), { freq: 3, nil: null });

interface OrganizationPlan {
  tenants: number;
  divisions: { tenant: number; parent: number | null }[];
  employees: { tenant: number | null; division: number | null }[];
  keys: ('all' | { tenant: number; division: number | null }[])[];
  moves: { division: number; parent: number | null }[];
}

/** Everything; any tenants and divisions; or divisions of one tenant, of which some may be below others. */
const key: fc.Arbitrary<OrganizationPlan['keys'][number]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('all' as const) },
  {
    weight: 3,
    arbitrary: fc.array(fc.record({ tenant: fc.nat(), division: choice }), { minLength: 1, maxLength: 4 }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(), fc.array(fc.nat(), { minLength: 1, maxLength: 3 }))
      .map(([tenant, divisions]) => divisions.map(division => ({ tenant, division }))),
  },
);

const plan: fc.Arbitrary<OrganizationPlan> = fc.record({
  tenants: fc.integer({ min: 1, max: 3 }),
  divisions: fc.array(fc.record({ tenant: fc.nat(), parent: choice }), { minLength: 1, maxLength: 9 }),
  employees: fc.array(fc.record({ tenant: fc.option(fc.nat(), { freq: 8, nil: null }), division: choice }), {
    minLength: 4,
    maxLength: 9,
  }),
  keys: fc.array(key, { minLength: 3, maxLength: 4 }),
  moves: fc.array(fc.record({ division: fc.nat(), parent: choice }), { minLength: 1, maxLength: 3 }),
});

const pick = <T>(all: readonly T[], number: number): T => all[number % all.length]!;
const pickOrNull = <T>(all: readonly T[], number: number | null): T | null =>
  number === null || all.length === 0 ? null : pick(all, number);

async function build(planned: OrganizationPlan): Promise<ModelOrganization> {
  const id = await createOrganization(sql, 'Random');
  const tenants: string[] = [];
  for (let n = 0; n < planned.tenants; n++) tenants.push(await createTenant(sql, id, `Tenant ${n}`));
  const divisions: ModelDivision[] = [];
  for (const [n, division] of planned.divisions.entries()) {
    const tenant = pick(tenants, division.tenant);
    const siblings = divisions.filter(other => other.tenant === tenant);
    const parent = pickOrNull(siblings, division.parent)?.id ?? null;
    const place = { organizationId: id, tenantId: tenant, parentId: parent };
    divisions.push({ id: await testDivision(sql, place, `Division ${n}`), tenant, parent });
  }
  const places = planned.employees.map(employee => {
    const tenant = pickOrNull(tenants, employee.tenant);
    const inTenant = divisions.filter(division => division.tenant === tenant);
    return { tenant, divisionId: pickOrNull(inTenant, employee.division)?.id ?? null };
  });
  const employees = (await storeEmployees(sql, id, places)).map(employee => ({
    id: employee.id,
    tenant: employee.tenant,
    division: employee.divisionId,
  }));
  return { id, tenants, divisions, employees };
}

type TestedKey = ModelKey & { readonly text: string };

/** A grant of a division that its tenant does not have is one of the whole tenant. */
async function makeKey(
  organization: ModelOrganization,
  planned: OrganizationPlan['keys'][number],
): Promise<TestedKey> {
  if (planned === 'all')
    return { organization, grants: 'all', text: await testKey(sql, organization.id, 'all') };
  const chosen = planned.map(grant => {
    const tenant = pick(organization.tenants, grant.tenant);
    const inTenant = organization.divisions.filter(division => division.tenant === tenant);
    return { tenant, division: pickOrNull(inTenant, grant.division)?.id ?? null };
  });
  const grants = [...new Map(chosen.map(grant => [`${grant.tenant} ${grant.division}`, grant])).values()];
  const text = await testKey(sql, organization.id, {
    tenants: grants.filter(grant => grant.division === null).map(grant => grant.tenant),
    divisions: grants.flatMap(({ tenant, division }) =>
      division === null ? [] : [{ tenant, id: division }],
    ),
  });
  return { organization, grants, text };
}

/** One key with all that it may be asked about: the targets and tenants of both organizations, and what does not exist. */
interface Case {
  readonly key: TestedKey;
  readonly other: ModelOrganization;
  readonly selections: readonly (string | null)[];
}

function casesOf(keys: readonly TestedKey[], organizations: readonly ModelOrganization[]): Case[] {
  return keys.map(key => {
    const other = organizations.find(organization => organization !== key.organization)!;
    return { key, other, selections: [null, ...key.organization.tenants, other.tenants[0]!, newId()] };
  });
}

const request = (key: TestedKey, selected: string | null) => ({
  key: key.text,
  ...(selected !== null && { tenant: selected }),
});

async function checkLists({ key, selections }: Case): Promise<void> {
  for (const selected of selections)
    for (const filter of [undefined, 'email IS NULL OR id IS NOT NULL AND tenant IS NOT NULL']) {
      const query = { pageSize: 1000, ...(filter && { filter }) };
      const { status, body } = await client.get('/employees', { ...request(key, selected), query });
      if (selected !== null && !maySelect(key, selected)) {
        assert.deepEqual([status, body.error.code], [403, 'TENANT_NOT_IN_SCOPE']);
        continue;
      }
      assert.equal(status, 200);
      const expected = key.organization.employees
        .filter(employee => sees(key, selected, employee))
        .filter(employee => !filter?.includes('tenant') || employee.tenant !== null);
      assert.deepEqual(
        body.items.map((item: Employee) => item.id),
        expected.map(employee => employee.id).toSorted(),
      );
      assert.equal(body.totalElements, expected.length);
    }
}

async function checkDivisions({ key, other, selections }: Case): Promise<void> {
  for (const selected of selections) {
    if (selected !== null && !maySelect(key, selected)) continue;
    const expected = key.organization.divisions.filter(division => seesDivision(key, selected, division));
    for (const filter of [undefined, 'parentId IS NULL OR order IS NOT NULL']) {
      const query = { pageSize: 1000, ...(filter && { filter }) };
      const { body } = await client.get('/divisions', { ...request(key, selected), query });
      assert.deepEqual(
        body.items.map((item: Division) => item.id),
        expected.map(division => division.id).toSorted(),
      );
      assert.equal(body.totalElements, expected.length);
    }
    const seen = new Set(expected);
    for (const division of [...key.organization.divisions, other.divisions[0]!]) {
      const { status } = await client.get(`/divisions/${division.id}`, request(key, selected));
      assert.equal(status, seen.has(division) ? 200 : 404);
    }
  }
}

async function checkReads({ key, other, selections }: Case): Promise<void> {
  const targets = [...key.organization.employees, ...other.employees.slice(0, 2)];
  for (const [n, employee] of targets.entries())
    for (const selected of [null, pick(selections, n)]) {
      const { status, body } = await client.get(`/employees/${employee.id}`, request(key, selected));
      if (selected !== null && !maySelect(key, selected)) assert.equal(status, 403);
      else if (key.organization.employees.includes(employee) && sees(key, selected, employee)) {
        assert.equal(status, 200);
        assert.deepEqual(
          [body.id, body.tenant, body.divisionId],
          [employee.id, employee.tenant, employee.division],
        );
      } else assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND']);
    }
}

/** Whether a write is tried out by a dry run or made; what it answers is the same but for the status of a create. */
interface Mode {
  readonly dryRun: boolean;
}

async function checkCreates({ key, other, selections }: Case, { dryRun }: Mode): Promise<void> {
  const { organization } = key;
  const divisions = [
    null,
    ...organization.divisions.map(division => division.id),
    other.divisions[0]!.id,
    newId(),
  ];
  for (const [n, selected] of selections.entries())
    for (const divisionId of [
      null,
      pick(divisions, n),
      pick(divisions, n + 1),
      divisions.at(-1 - (n % 2))!,
    ]) {
      const person = { email: `${newId()}@example.com`, firstName: 'A', lastName: 'B' };
      const body = divisionId === null ? person : { ...person, divisionId };
      const answer = await client.post('/employees', body, { ...request(key, selected), query: { dryRun } });
      if (selected !== null && !maySelect(key, selected)) {
        assert.equal(answer.status, 403);
        continue;
      }
      const expected = landing(key, selected, divisionId);
      if (typeof expected === 'string')
        assert.deepEqual([answer.status, answer.body.error?.code], [422, expected]);
      else {
        const { id, tenant, divisionId: landed } = answer.body;
        assert.deepEqual([answer.status, { tenant, divisionId: landed }], [dryRun ? 200 : 201, expected]);
        if (!dryRun) organization.employees.push({ id, tenant, division: landed });
      }
    }
}

async function checkUpdates({ key, other, selections }: Case, { dryRun }: Mode): Promise<void> {
  const { organization } = key;
  const divisions = [
    null,
    ...organization.divisions.map(division => division.id),
    other.divisions[0]!.id,
    newId(),
  ];
  const targets = dryRun
    ? [...organization.employees.slice(0, 4), other.employees[0]!]
    : organization.employees.slice(0, 4);
  for (const [n, employee] of targets.entries())
    for (const divisionId of dryRun ? divisions : [pick(divisions, n)]) {
      const selected = pick(selections, n);
      const answer = await client.patch(
        `/employees/${employee.id}`,
        { divisionId },
        { ...request(key, selected), query: { dryRun } },
      );
      if (selected !== null && !maySelect(key, selected)) assert.equal(answer.status, 403);
      else if (employee === other.employees[0] || !sees(key, selected, employee))
        assert.deepEqual([answer.status, answer.body.error?.code], [404, 'NOT_FOUND']);
      else {
        const expected = moved(key, employee, divisionId);
        if (typeof expected === 'string')
          assert.deepEqual([answer.status, answer.body.error?.code], [422, expected]);
        else {
          assert.deepEqual([answer.status, answer.body.divisionId], [200, expected.divisionId]);
          if (!dryRun) employee.division = expected.divisionId;
        }
      }
    }
}

/** Moves divisions as planned, but for moves below themselves. */
async function moveAround(organization: ModelOrganization, moves: OrganizationPlan['moves']): Promise<void> {
  for (const move of moves) {
    const division = pick(organization.divisions, move.division);
    const inTenant = organization.divisions.filter(other => other.tenant === division.tenant);
    const parent = pickOrNull(inTenant, move.parent)?.id ?? null;
    if (parent !== null && lineOf(organization, parent).includes(division.id)) continue;
    await moveDivision(sql, organization.id, { id: division.id, parentId: parent });
    division.parent = parent;
  }
}

async function checkAll(cases: readonly Case[]): Promise<void> {
  await Promise.all(
    cases.map(async tested => {
      await checkLists(tested);
      await checkReads(tested);
      await checkDivisions(tested);
      await checkCreates(tested, { dryRun: true });
      await checkUpdates(tested, { dryRun: true });
    }),
  );
}

async function checkPlans(plans: readonly [OrganizationPlan, OrganizationPlan]): Promise<void> {
  const organizations = [await build(plans[0]), await build(plans[1])];
  const keys: TestedKey[] = [];
  for (const [n, organization] of organizations.entries())
    for (const planned of plans[n]!.keys) keys.push(await makeKey(organization, planned));
  const cases = casesOf(keys, organizations);
  await checkAll(cases);
  for (const [n, organization] of organizations.entries()) await moveAround(organization, plans[n]!.moves);
  await checkAll(cases);
  for (const tested of cases) {
    await checkUpdates(tested, { dryRun: false });
    await checkCreates(tested, { dryRun: false });
    await checkLists(tested);
  }
  for (const organization of organizations) {
    const { kept, real } = await countersOf(sql, organization.id);
    assert.deepEqual(kept, real);
  }
}

test(
  'what each key lists, reads, creates and updates is what the model of scopes says',
  { timeout: 240_000 },
  () => fc.assert(fc.asyncProperty(fc.tuple(plan, plan), checkPlans), { numRuns: 8, endOnFailure: true }),
);
