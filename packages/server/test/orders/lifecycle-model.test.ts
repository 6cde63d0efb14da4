import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Order } from '@kontor/contract';
import fc from 'fast-check';
import type { Sql } from '../support/sql.ts';
import { type ApiClient, apiClient } from '../support/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { storeEmployees } from '../support/employees.ts';
import { historyInput, orderCounters, orderInput, storeOrders } from '../support/orders.ts';
import { startService, type TestService } from '../support/service.ts';
import { createWorld, type World } from '../support/world.ts';

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

type Place = 'north' | 'support' | 'none';
type KeyName = 'all' | 'sales' | 'salesAndSupport';
type Decision = 'approved' | 'rejected';

/** What is known without looking: every document as it must be. */
interface Model {
  readonly employees: { blocked: boolean; place: Place }[];
  readonly orders: { employee: number; document: Order }[];
}

interface Real {
  readonly world: World;
  readonly employees: readonly string[];
}

type Command = fc.AsyncCommand<Model, Real>;

const seenBy: Readonly<Record<KeyName, readonly Place[]>> = {
  all: ['north', 'support', 'none'],
  sales: ['north'],
  salesAndSupport: ['north', 'support'],
};

const starts = ['under_review', 'under_review', 'expired', 'cancelled', 'active'] as const;

class Submit implements Command {
  readonly employee: number;
  readonly status: (typeof starts)[number];

  constructor(employee: number, status: (typeof starts)[number]) {
    this.employee = employee;
    this.status = status;
  }
  check = () => true;
  async run(model: Model, { world, employees }: Real) {
    const target = { organizationId: world.organization, tenantId: world.tenantA };
    const hrHistory = this.status === 'active' ? historyInput('approved') : null;
    const employeeId = employees[this.employee]!;
    const [document] = await storeOrders(sql, target, [
      orderInput({ employeeId, status: this.status, hrHistory }),
    ]);
    assert.equal(document!.status, this.status);
    model.orders.push({ employee: this.employee, document: document! });
  }
  toString = () => `submit(${this.employee}, ${this.status})`;
}

class Decide implements Command {
  readonly index: number;
  readonly decision: Decision;
  readonly key: KeyName;
  readonly dryRun: boolean;

  constructor(index: number, decision: Decision, key: KeyName, dryRun: boolean) {
    this.index = index;
    this.decision = decision;
    this.key = key;
    this.dryRun = dryRun;
  }
  check = ({ orders }: Readonly<Model>) => orders.length > 0;
  async run(model: Model, { world }: Real) {
    const order = model.orders[this.index % model.orders.length]!;
    const { document } = order;
    const expected = this.expected(model, order);
    const { decision } = this;
    const answer = await client.post(
      `/orders/${document.id}/decision`,
      { decision },
      { key: world.keys[this.key], query: { dryRun: this.dryRun } },
    );
    assert.equal(answer.body.error?.code ?? 'decided', expected);
    if (expected !== 'decided') return;
    const { updatedAt } = answer.body;
    const history = { decision, decisionBy: null, source: 'api_key', comment: null } as const;
    const decided: Order = {
      ...document,
      status: decision,
      hrHistory: { ...history, decidedAt: updatedAt },
      updatedAt,
    };
    assert.deepEqual(answer.body, decided);
    if (!this.dryRun) order.document = decided;
  }
  expected(model: Model, { employee, document }: Model['orders'][number]): string {
    const { place, blocked } = model.employees[employee]!;
    if (!seenBy[this.key].includes(place)) return 'NOT_FOUND';
    if (document.hrHistory !== null) return 'ORDER_ALREADY_DECIDED';
    if (document.status !== 'under_review') return 'INVALID_STATE_TRANSITION';
    return blocked && this.decision === 'approved' ? 'EMPLOYEE_BLOCKED' : 'decided';
  }
  toString = () => `decide(${this.index}, ${this.decision}, ${this.key}${this.dryRun ? ', dry run' : ''})`;
}

class Change implements Command {
  readonly employee: number;
  readonly change: { blocked: boolean } | { place: Place };

  constructor(employee: number, change: { blocked: boolean } | { place: Place }) {
    this.employee = employee;
    this.change = change;
  }
  check = () => true;
  async run(model: Model, { world, employees }: Real) {
    const { change } = this;
    const places = { north: world.north, support: world.support, none: null };
    const body = 'place' in change ? { divisionId: places[change.place] } : change;
    const key = world.keys.all;
    const answer = await client.patch(`/employees/${employees[this.employee]}`, body, { key });
    assert.equal(answer.status, 200);
    Object.assign(model.employees[this.employee]!, change);
  }
  toString = () => `change(${this.employee}, ${JSON.stringify(this.change)})`;
}

class List implements Command {
  readonly key: KeyName;

  constructor(key: KeyName) {
    this.key = key;
  }
  check = () => true;
  async run(model: Model, { world }: Real) {
    const { body } = await client.get('/orders', { key: world.keys[this.key] });
    const visible = model.orders.filter(({ employee }) =>
      seenBy[this.key].includes(model.employees[employee]!.place),
    );
    assert.deepEqual(
      body.items,
      visible.map(({ document }) => document),
    );
    assert.equal(body.totalElements, visible.length);
    const { kept, real } = await orderCounters(sql, world.organization);
    assert.deepEqual(kept, real);
  }
  toString = () => `list(${this.key})`;
}

const employee = fc.nat({ max: 1 });
const key = fc.constantFrom<KeyName>('all', 'sales', 'salesAndSupport');
const commands = [
  fc.tuple(employee, fc.constantFrom(...starts)).map(args => new Submit(...args)),
  fc
    .tuple(fc.nat({ max: 5 }), fc.constantFrom<Decision>('approved', 'rejected'), key, fc.boolean())
    .map(args => new Decide(...args)),
  fc.tuple(employee, fc.record({ blocked: fc.boolean() })).map(args => new Change(...args)),
  fc
    .tuple(employee, fc.record({ place: fc.constantFrom<Place>('north', 'support', 'none') }))
    .map(args => new Change(...args)),
  key.map(name => new List(name)),
];

test('orders live as the model says: decisions, blocked employees, moves and what each key sees', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 30, size: 'max' }), async sequence => {
      const world = await createWorld(sql);
      const { tenantA: tenant, north: divisionId } = world;
      const people = await storeEmployees(sql, world.organization, [{ tenant }, { tenant, divisionId }]);
      const setup = () => ({
        model: {
          employees: [
            { blocked: false, place: 'none' as Place },
            { blocked: false, place: 'north' as Place },
          ],
          orders: [],
        },
        real: { world, employees: people.map(person => person.id) },
      });
      await fc.asyncModelRun(setup, sequence);
    }),
    { numRuns: 25 },
  );
});
