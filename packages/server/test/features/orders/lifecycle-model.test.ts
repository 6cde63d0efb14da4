import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Order } from '@kontor/contract';
import fc from 'fast-check';
import type { Sql } from '../../support/database/sql.ts';
import { type ApiClient, apiClient } from '../../support/contract/client.ts';
import { type TestDatabase, testDatabase } from '../../support/database/database.ts';
import { storeEmployees } from '../../support/data/employees.ts';
import {
  contractInput,
  historyInput,
  orderCounters,
  orderInput,
  storeOrders,
} from '../../support/data/orders.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { testToken } from '../../support/data/tokens.ts';
import { insertTestData, type TestData } from '../../support/data/test-data.ts';
import { atScale } from '../../support/service/scale.ts';

let database: TestDatabase;
let sql: Sql;
let service: TestService;
let client: ApiClient;
let platform: ApiClient;

before(async () => {
  database = await testDatabase();
  sql = database.database.sql;
  service = await startService(sql);
  client = apiClient(service.url);
  platform = apiClient(service.managementUrl, { api: 'platform', key: await testToken(sql) });
});

after(async () => {
  client?.close();
  platform?.close();
  await service?.stop();
  await database?.drop();
});

type Place = 'north' | 'support' | 'none';
type KeyName = 'all' | 'sales' | 'salesAndSupport';
type Decision = 'approved' | 'rejected';

/** What is known without looking: every document as it must be. */
interface Model {
  readonly employees: { blocked: boolean; place: Place }[];
  readonly orders: { employee: number; document: Order }[];
  /** What a poller has seen so far, and the last row of it. */
  readonly seen: Map<string, Order>;
  last: Pick<Order, 'id' | 'updatedAt'>;
}

interface Real {
  readonly testData: TestData;
  readonly employees: readonly string[];
}

type Command = fc.AsyncCommand<Model, Real>;

const seenBy: Readonly<Record<KeyName, readonly Place[]>> = {
  all: ['north', 'support', 'none'],
  sales: ['north'],
  salesAndSupport: ['north', 'support'],
};

const starts = ['under_review', 'under_review', 'under_review', 'expired', 'approved', 'active'] as const;

/** The way of orders on the platform: the states that an action leads from, and the one that it leads to. */
const actions = {
  readiness: { from: ['approved'], to: 'ready_for_pickup' },
  handover: { from: ['ready_for_pickup'], to: 'active' },
  completion: { from: ['active'], to: 'completed' },
  cancellation: { from: ['under_review', 'approved', 'ready_for_pickup'], to: 'cancelled' },
  expiry: { from: ['under_review'], to: 'expired' },
} as const satisfies Record<string, { from: readonly Order['status'][]; to: Order['status'] }>;
type Action = keyof typeof actions;

/** The days that an order of 36 months is handed over with. */
const days = { startDate: '2026-10-01', endDate: '2029-09-30' };

class Submit implements Command {
  readonly employee: number;
  readonly status: (typeof starts)[number];
  readonly contract: boolean;

  constructor(employee: number, status: (typeof starts)[number], contract: boolean) {
    this.employee = employee;
    this.status = status;
    this.contract = contract;
  }
  check = () => true;
  async run(model: Model, { testData, employees }: Real) {
    const target = { organizationId: testData.organization, tenantId: testData.tenantA };
    const { status } = this;
    const hrHistory = ['approved', 'active'].includes(status) ? historyInput('approved') : null;
    const employeeId = employees[this.employee]!;
    const contract = this.contract ? contractInput() : null;
    const [document] = await storeOrders(sql, target, [
      orderInput({ employeeId, status, hrHistory, contract }),
    ]);
    assert.equal(document!.status, this.status);
    model.orders.push({ employee: this.employee, document: document! });
  }
  toString = () => `submit(${this.employee}, ${this.status}${this.contract ? '' : ', no contract'})`;
}

class Decide implements Command {
  readonly index: number;
  readonly decision: Decision;
  readonly key: KeyName | 'platform';
  readonly dryRun: boolean;

  constructor(index: number, decision: Decision, key: KeyName | 'platform', dryRun: boolean) {
    this.index = index;
    this.decision = decision;
    this.key = key;
    this.dryRun = dryRun;
  }
  check = ({ orders }: Readonly<Model>) => orders.length > 0;
  async run(model: Model, { testData }: Real) {
    const order = model.orders[this.index % model.orders.length]!;
    const { document } = order;
    const expected = this.expected(model, order);
    const { decision, key } = this;
    const path = `/orders/${document.id}/decision`;
    const query = { dryRun: this.dryRun };
    const answer =
      key === 'platform'
        ? await platform.post(`/organizations/${testData.organization}${path}`, { decision }, { query })
        : await client.post(path, { decision }, { key: testData.keys[key], query });
    assert.equal(answer.body.error?.code ?? 'decided', expected);
    if (expected !== 'decided') return;
    const { updatedAt } = answer.body;
    const source = key === 'platform' ? 'automatic' : 'api_key';
    const history = { decision, decisionBy: null, source, comment: null } as const;
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
    if (this.key !== 'platform' && !seenBy[this.key].includes(place)) return 'NOT_FOUND';
    if (document.hrHistory !== null) return 'ORDER_ALREADY_DECIDED';
    if (document.status !== 'under_review') return 'INVALID_STATE_TRANSITION';
    return blocked && this.decision === 'approved' ? 'EMPLOYEE_BLOCKED' : 'decided';
  }
  toString = () => `decide(${this.index}, ${this.decision}, ${this.key}${this.dryRun ? ', dry run' : ''})`;
}

class Move implements Command {
  readonly index: number;
  readonly action: Action;
  readonly dryRun: boolean;

  constructor(index: number, action: Action, dryRun: boolean) {
    this.index = index;
    this.action = action;
    this.dryRun = dryRun;
  }
  check = ({ orders }: Readonly<Model>) => orders.length > 0;
  async run(model: Model, { testData }: Real) {
    const order = model.orders[this.index % model.orders.length]!;
    const { document } = order;
    const isHandover = this.action === 'handover';
    const answer = await platform.post(
      `/organizations/${testData.organization}/orders/${document.id}/${this.action}`,
      isHandover ? { startDate: days.startDate } : undefined,
      { query: { dryRun: this.dryRun } },
    );
    const expected = this.expected(document);
    assert.equal(answer.body.error?.code ?? 'moved', expected);
    if (expected !== 'moved') return;
    const { updatedAt } = answer.body;
    assert.ok(this.dryRun || updatedAt > document.updatedAt);
    const contract = isHandover ? { ...document.contract!, ...days } : document.contract;
    const moved: Order = { ...document, status: actions[this.action].to, contract, updatedAt };
    assert.deepEqual(answer.body, moved);
    if (!this.dryRun) order.document = moved;
  }
  expected({ status, contract }: Order): string {
    const { from }: { from: readonly Order['status'][] } = actions[this.action];
    if (!from.includes(status)) return 'INVALID_STATE_TRANSITION';
    return this.action === 'handover' && contract === null ? 'VALIDATION_ERROR' : 'moved';
  }
  toString = () => `move(${this.index}, ${this.action}${this.dryRun ? ', dry run' : ''})`;
}

/** Asks for what is new, as a client does that follows changes; it must then know every order as it is. */
class Poll implements Command {
  check = () => true;
  async run(model: Model, { testData }: Real) {
    for (;;) {
      const { id, updatedAt } = model.last;
      const filter = `updatedAt >= ${updatedAt} AND (updatedAt > ${updatedAt} OR id > ${id})`;
      const query = { filter, sort: 'updatedAt', pageSize: 2 };
      const { items } = (await client.get('/orders', { key: testData.keys.all, query })).body;
      if (items.length === 0) break;
      for (const order of items) model.seen.set(order.id, order);
      model.last = items.at(-1);
    }
    const documents = model.orders.map(({ document }) => [document.id, document] as const);
    assert.deepEqual(model.seen, new Map(documents));
  }
  toString = () => 'poll';
}

class Change implements Command {
  readonly employee: number;
  readonly change: { blocked: boolean } | { place: Place };

  constructor(employee: number, change: { blocked: boolean } | { place: Place }) {
    this.employee = employee;
    this.change = change;
  }
  check = () => true;
  async run(model: Model, { testData, employees }: Real) {
    const { change } = this;
    const places = { north: testData.north, support: testData.support, none: null };
    const body = 'place' in change ? { divisionId: places[change.place] } : change;
    const key = testData.keys.all;
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
  async run(model: Model, { testData }: Real) {
    const { body } = await client.get('/orders', { key: testData.keys[this.key] });
    const visible = model.orders.filter(({ employee }) =>
      seenBy[this.key].includes(model.employees[employee]!.place),
    );
    assert.deepEqual(
      body.items,
      visible.map(({ document }) => document),
    );
    assert.equal(body.totalElements, visible.length);
    const { kept, real } = await orderCounters(sql, testData.organization);
    assert.deepEqual(kept, real);
  }
  toString = () => `list(${this.key})`;
}

const employee = fc.nat({ max: 1 });
const key = fc.constantFrom<KeyName>('all', 'sales', 'salesAndSupport');
const decider = fc.constantFrom<KeyName | 'platform'>('all', 'sales', 'salesAndSupport', 'platform');
const action = fc.constantFrom(...(Object.keys(actions) as Action[]));
const index = fc.nat({ max: 5 });
const mostly = fc.constantFrom(true, true, true, false);
const commands = [
  fc.tuple(employee, fc.constantFrom(...starts), mostly).map(args => new Submit(...args)),
  fc
    .tuple(index, fc.constantFrom<Decision>('approved', 'rejected'), decider, fc.boolean())
    .map(args => new Decide(...args)),
  fc.tuple(index, action, fc.boolean()).map(args => new Move(...args)),
  fc.tuple(index, action).map(args => new Move(...args, false)),
  fc.constant(new Poll()),
  fc.tuple(employee, fc.record({ blocked: fc.boolean() })).map(args => new Change(...args)),
  fc
    .tuple(employee, fc.record({ place: fc.constantFrom<Place>('north', 'support', 'none') }))
    .map(args => new Change(...args)),
  key.map(name => new List(name)),
];

test('orders equal a model: decisions, every transition of the platform, blocked employees, moves, access of keys, and pollers', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async sequence => {
      const testData = await insertTestData(sql);
      const { tenantA: tenant, north: divisionId } = testData;
      const staff = await storeEmployees(sql, testData.organization, [{ tenant }, { tenant, divisionId }]);
      const setup = () => ({
        model: {
          employees: [
            { blocked: false, place: 'none' as Place },
            { blocked: false, place: 'north' as Place },
          ],
          orders: [],
          seen: new Map(),
          last: { id: '0', updatedAt: '2026-01-01T00:00:00.000Z' },
        },
        real: { testData, employees: staff.map(person => person.id) },
      });
      await fc.asyncModelRun(setup, sequence);
    }),
    { numRuns: atScale(10, 25) },
  );
});
