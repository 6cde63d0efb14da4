import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Division } from '@kontor/contract';
import fc from 'fast-check';
import { atScale } from '../../support/service/scale.ts';
import type { Sql } from '../../support/database/sql.ts';
import { createOrganization, createTenant } from '../../../src/features/organizations/store.ts';
import { type Answer, type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { checkTables } from '../../support/data/divisions.ts';
import {
  divisionLanding,
  divisionMoveRejection,
  lineOf,
  type ModelGrant,
  type ModelOrganization,
  canAccessDivision,
} from '../../support/data/scope-model.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { stateOf, testDivision, testKey } from '../../support/data/test-data.ts';

let database: TestDatabase;
let sql: Sql;
let services: TestService[];
let clients: ApiClient[];

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  services = [await startService(sql), await startService(sql)];
  clients = services.map(service => apiClient(service.url));
});

after(async () => {
  for (const client of clients) client.close();
  for (const service of services) await service.stop();
  await database.drop();
});

/** What the API shows of a division, apart from its timestamps; `parent` is `parentId`. */
interface Node {
  readonly id: string;
  readonly tenant: string;
  parent: string | null;
  name: string;
  order: number;
  costCenter: string | null;
}

/** The tree as it should be. */
interface Tree {
  readonly id: string;
  readonly tenants: readonly string[];
  nodes: Node[];
}

interface Key {
  readonly text: string;
  readonly grants: 'all' | readonly ModelGrant[];
}

interface Real {
  readonly keys: readonly Key[];
}

type Patch = Partial<Pick<Division, 'name' | 'parentId' | 'order' | 'costCenter'>>;

const statuses: Record<string, number> = {
  NOT_FOUND: 404,
  DIVISION_CYCLE: 409,
  DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL: 409,
  INVALID_REFERENCE: 422,
  TENANT_CONTEXT_AMBIGUOUS: 422,
  VALIDATION_ERROR: 422,
};

const pick = <T>(all: readonly T[], number: number): T => all[number % all.length]!;
const deepest = 20;

const organizationOf = (tree: Tree): ModelOrganization => ({
  id: tree.id,
  tenants: tree.tenants,
  divisions: tree.nodes,
});

function heightOf(tree: Tree, id: string): number {
  const below = tree.nodes.filter(node => node.parent === id);
  return 1 + Math.max(0, ...below.map(node => heightOf(tree, node.id)));
}

/** Names differ by more than letter case on each level. */
function isTaken(tree: Tree, place: { tenant: string; parent: string | null }, name: string, id?: string) {
  return tree.nodes.some(
    node =>
      node.tenant === place.tenant &&
      node.parent === place.parent &&
      node.id !== id &&
      node.name.toUpperCase() === name.toUpperCase(),
  );
}

/** Changes the tree as the update should, or answers the code of its rejection. */
function update(tree: Tree, { grants }: Key, id: string, patch: Patch): string | null {
  const organization = organizationOf(tree);
  const node = tree.nodes.find(other => other.id === id);
  if (!node || !canAccessDivision({ organization, grants }, null, node)) return 'NOT_FOUND';
  const { parentId = node.parent, name = node.name } = patch;
  const rejection = divisionMoveRejection({ organization, grants }, node, parentId);
  if (rejection) return rejection;
  const above = parentId === null ? 0 : lineOf(organization, parentId).length;
  if (above + heightOf(tree, id) > deepest) return 'VALIDATION_ERROR';
  if (isTaken(tree, { tenant: node.tenant, parent: parentId }, name, id))
    return 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL';
  const { order = node.order, costCenter = node.costCenter } = patch;
  Object.assign(node, { parent: parentId, name, order, costCenter });
  return null;
}

const copyOf = (tree: Tree): Tree => ({ ...tree, nodes: tree.nodes.map(node => ({ ...node })) });

function assertAnswer({ status, body }: Answer<any>, code: string | null, success: number): void {
  const expected = code === null ? success : statuses[code];
  assert.deepEqual([status, body.error?.code ?? null], [expected, code], JSON.stringify(body));
}

type Command = fc.AsyncCommand<Tree, Real>;

/** A command that is always possible; its text names the random choice. */
function command(text: string, run: (tree: Tree, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => text };
}

interface CreatePlan {
  readonly key: number;
  readonly tenant: number | null;
  readonly parent: number | null;
  readonly name: string;
  readonly order: number | null;
  readonly dryRun: boolean;
}

async function create(plan: CreatePlan, tree: Tree, { keys }: Real): Promise<void> {
  const key = pick(keys, plan.key);
  const { name, dryRun } = plan;
  const parentId = plan.parent === null ? null : pick(tree.nodes, plan.parent).id;
  const selected = plan.tenant === null || key.grants !== 'all' ? null : pick(tree.tenants, plan.tenant);
  const body = { name, parentId, ...(plan.order !== null && { order: plan.order }) };
  const options = { key: key.text, ...(selected !== null && { tenant: selected }), query: { dryRun } };
  const before = dryRun ? await stateOf(sql) : null;
  const answer = await clients[0]!.post('/divisions', body, options);
  if (dryRun) assert.equal(await stateOf(sql), before);
  const organization = organizationOf(tree);
  const landed = divisionLanding({ organization, grants: key.grants }, selected, parentId);
  if (typeof landed === 'string') return assertAnswer(answer, landed, 201);
  const place = { tenant: landed.tenant, parent: parentId };
  if (parentId !== null && lineOf(organization, parentId).length >= deepest)
    return assertAnswer(answer, 'VALIDATION_ERROR', 201);
  if (isTaken(tree, place, name)) return assertAnswer(answer, 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL', 201);
  assertAnswer(answer, null, dryRun ? 200 : 201);
  const siblings = tree.nodes.filter(node => node.tenant === place.tenant && node.parent === parentId);
  const last = siblings.length === 0 ? 0 : Math.max(...siblings.map(node => node.order));
  const order = plan.order ?? last + 1;
  assert.deepEqual([answer.body.order, answer.body.tenant], [order, place.tenant]);
  if (!dryRun) tree.nodes.push({ id: answer.body.id, ...place, name, order, costCenter: null });
}

interface UpdatePlan {
  readonly key: number;
  readonly node: number;
  readonly parent: number | null | undefined;
  readonly name: string | undefined;
  readonly order: number | undefined;
  readonly dryRun: boolean;
}

function patchOf({ parent, name, order }: UpdatePlan, tree: Tree): Patch {
  return {
    ...(parent !== undefined && { parentId: parent === null ? null : pick(tree.nodes, parent).id }),
    ...(name !== undefined && { name }),
    ...(order !== undefined && { order }),
  };
}

async function change(plan: UpdatePlan, tree: Tree, { keys }: Real): Promise<void> {
  const key = pick(keys, plan.key);
  const { id } = pick(tree.nodes, plan.node);
  const patch = patchOf(plan, tree);
  if (Object.keys(patch).length === 0) return;
  const { dryRun } = plan;
  const before = dryRun ? await stateOf(sql) : null;
  const answer = await clients[1]!.patch(`/divisions/${id}`, patch, { key: key.text, query: { dryRun } });
  if (dryRun) assert.equal(await stateOf(sql), before);
  const after = dryRun ? copyOf(tree) : tree;
  assertAnswer(answer, update(after, key, id, patch), 200);
  if (answer.status === 200) assert.equal(answer.body.parentId, after.nodes.find(n => n.id === id)!.parent);
}

interface MovePlan {
  readonly node: number;
  readonly parent: number | null;
}

function permutationsOf<T>(all: readonly T[]): T[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((one, n) => permutationsOf(all.toSpliced(n, 1)).map(rest => [one, ...rest]));
}

/** Moves at once, through two processes: they end as in one of the orders in which they could have come. */
async function moveAtOnce(plans: readonly MovePlan[], tree: Tree, { keys }: Real): Promise<void> {
  const [key] = keys as [Key];
  const moves = plans.map(({ node, parent }) => ({
    id: pick(tree.nodes, node).id,
    parentId: parent === null ? null : pick(tree.nodes, parent).id,
  }));
  const answers = await Promise.all(
    moves.map(({ id, parentId }, n) =>
      clients[n % 2]!.patch(`/divisions/${id}`, { parentId }, { key: key.text }),
    ),
  );
  const got = answers.map(answer => answer.body.error?.code ?? null);
  const rows = await sql<{ id: string; parent: string | null }[]>`
    SELECT id, parent_id AS parent FROM division WHERE organization_id = ${tree.id}`;
  const stored = new Map(rows.map(row => [row.id, row.parent]));
  const outcomes = permutationsOf(moves.map((_, n) => n)).map(order => {
    const after = copyOf(tree);
    const codes: (string | null)[] = [];
    for (const n of order) codes[n] = update(after, key, moves[n]!.id, { parentId: moves[n]!.parentId });
    return { after, codes };
  });
  const outcome = outcomes.find(
    ({ after, codes }) =>
      codes.every((code, n) => code === got[n]) &&
      after.nodes.every(node => stored.get(node.id) === node.parent),
  );
  assert.ok(outcome, `no order of the moves gives ${got.join(', ')}`);
  tree.nodes = outcome.after.nodes;
}

/** The list of each key, and the tables behind it, equal the tree. */
async function check(tree: Tree, { keys }: Real): Promise<void> {
  const organization = organizationOf(tree);
  for (const { text, grants } of keys) {
    const { body } = await clients[0]!.get('/divisions', { key: text, query: { pageSize: 1000 } });
    const seen = tree.nodes.filter(node => canAccessDivision({ organization, grants }, null, node));
    const listed = body.items.map((item: Division) => {
      const { id, tenant, parentId, name, order, costCenter } = item;
      return { id, tenant, parent: parentId, name, order, costCenter };
    });
    const sorted = seen.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(listed, sorted);
    assert.equal(body.totalElements, seen.length);
  }
  await checkTables(sql, tree.id);
}

/** Two tenants; in the first a line that is nearly as deep as it may be; and keys from all of it to single divisions. */
async function setUp(): Promise<{ model: Tree; real: Real }> {
  const id = await createOrganization(sql, 'Model');
  const tenants = [await createTenant(sql, id, 'A'), await createTenant(sql, id, 'B')];
  const nodes: Node[] = [];
  const add = async (tenant: string, parent: string | null, name: string, order: number) => {
    const place = { organizationId: id, tenantId: tenant, parentId: parent };
    const division = await testDivision(sql, place, name);
    nodes.push({ id: division, tenant, parent, name, order, costCenter: null });
    return division;
  };
  let parent: string | null = null;
  for (let level = 1; level <= 18; level++) parent = await add(tenants[0]!, parent, `L${level}`, 1);
  const branch = await add(tenants[0]!, null, 'Ast', 2);
  const leaf = await add(tenants[0]!, branch, 'Blatt', 1);
  await add(tenants[0]!, leaf, 'Ader', 1);
  await add(tenants[1]!, null, 'Anders', 1);
  const grantsOfKeys: (readonly ModelGrant[])[] = [
    [{ tenant: tenants[0]!, division: null }],
    [branch, nodes[4]!.id].map(division => ({ tenant: tenants[0]!, division })),
    [
      { tenant: tenants[0]!, division: leaf },
      { tenant: tenants[1]!, division: null },
    ],
  ];
  const keys: Key[] = [{ text: await testKey(sql, id, 'all'), grants: 'all' }];
  for (const grants of grantsOfKeys) {
    const text = await testKey(sql, id, {
      tenants: grants.flatMap(grant => (grant.division === null ? [grant.tenant] : [])),
      divisions: grants.flatMap(({ tenant, division }) =>
        division === null ? [] : [{ tenant, id: division }],
      ),
    });
    keys.push({ text, grants });
  }
  return { model: { id, tenants, nodes }, real: { keys } };
}

const name = fc.constantFrom('Süd', 'SÜD', 'Maß', 'MASS', 'mass', 'Ost', 'ost', 'West', 'Blatt', 'L2');
const order = fc.constantFrom(0, 1, 1.5, -2, 0.1, 1e21, 5e-324);
const parent = fc.option(fc.nat(), { freq: 5, nil: null });
const dryRun = fc.constantFrom(false, false, false, true);
/** Mostly the key of the whole organization, so that much happens. */
const key = fc.constantFrom(0, 0, 0, 1, 2, 3);

const commands = fc.commands(
  [
    fc
      .record({
        key,
        tenant: fc.option(fc.nat(), { nil: null }),
        parent,
        name,
        order: fc.option(order, { nil: null }),
        dryRun,
      })
      .map(plan => command(`create ${JSON.stringify(plan)}`, (tree, real) => create(plan, tree, real))),
    fc
      .record({
        key,
        node: fc.nat(),
        parent: fc.constant(undefined),
        name: fc.option(name, { nil: undefined }),
        order: fc.option(order, { nil: undefined }),
        dryRun,
      })
      .map(plan => command(`change ${JSON.stringify(plan)}`, (tree, real) => change(plan, tree, real))),
    fc
      .record({
        key,
        node: fc.nat(),
        parent,
        name: fc.option(name, { freq: 1, nil: undefined }),
        order: fc.constant(undefined),
        dryRun,
      })
      .map(plan => command(`move ${JSON.stringify(plan)}`, (tree, real) => change(plan, tree, real))),
    fc
      .array(fc.record({ node: fc.nat(), parent }), { minLength: 2, maxLength: 4 })
      .map(plans =>
        command(`at once ${JSON.stringify(plans)}`, (tree, real) => moveAtOnce(plans, tree, real)),
      ),
    fc.constant(command('check', check)),
  ],
  { size: '+1', maxCommands: 60 },
);

test(
  'whatever is created, changed and moved, also at once, the tree and what keys see of it are those of the model',
  { timeout: 120_000 },
  () =>
    fc.assert(
      fc.asyncProperty(commands, async rendered => {
        const { model, real } = await setUp();
        await fc.asyncModelRun(() => ({ model, real }), rendered);
        await check(model, real);
      }),
      { numRuns: atScale(8, 20), endOnFailure: true },
    ),
);
