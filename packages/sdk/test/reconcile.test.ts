import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Kontor, type Outcome, WriteOutcomeUnknown } from '../src/index.ts';
import { type Fault, type FaultProxy, faultProxy } from './support/fault-proxy.ts';
import { pdf, useSdkFixture } from './support/fixture.ts';

let proxy: FaultProxy;
let kontor: Kontor;
const fixture = useSdkFixture(async () => {
  proxy = await faultProxy(fixture.service.url);
  kontor = fixture.kontor({ baseUrl: proxy.url, serviceDeadline: 0 });
});
after(() => proxy.close());

let count = 0;
const unique = (name: string) => `${name}-${++count}`;

/** Sends a write with a fault, and answers what reconciling says. */
async function outcomeOf(fault: Fault, write: () => Promise<unknown>): Promise<Outcome> {
  proxy.next = ({ method }) => {
    if (method === 'GET') return null;
    proxy.next = () => null;
    return fault;
  };
  const error = await write().catch((error: unknown) => error);
  assert.ok(error instanceof WriteOutcomeUnknown, String(error));
  return (await error.reconcile()).outcome;
}

/** Writes whose outcome a read proves. Each is another one with each call. */
const proven: Record<string, () => Promise<() => Promise<unknown>>> = {
  'employees.create': async () => {
    const body = { email: `${unique('Maria')}@Example.com`, firstName: 'Maria', lastName: 'Mu\u0308ller' };
    return () => kontor.employees.create(body);
  },
  'employees.update with a number': async () => {
    const employeeNumber = unique('N');
    return () => kontor.employees.update(fixture.employeeId, { employeeNumber, city: "L'Aquila" });
  },
  'divisions.create of a root': async () => {
    const name = unique('Einkauf');
    return () => kontor.divisions.create({ name, costCenter: '4711' });
  },
  'divisions.create below another': async () => {
    const name = unique("O'Neill \\");
    return () => kontor.divisions.create({ name, parentId: fixture.testData.sales.toUpperCase() });
  },
  'divisions.update with a name': async () => {
    const { id } = await kontor.divisions.create({ name: unique('Lager') });
    const name = unique('Halle');
    return () => kontor.divisions.update(id, { name, parentId: fixture.testData.sales });
  },
  'orders.decide': async () => {
    const { id } = await fixture.order();
    return () => kontor.orders.decide(id, { decision: 'approved', comment: 'Budget geprüft' });
  },
};

for (const [name, prepare] of Object.entries(proven))
  describe(name, () => {
    for (const fault of ['after', 'during', 'truncated', 'late-503'] as const)
      test(`has happened when the answer was lost: ${fault}`, async () => {
        assert.equal(await outcomeOf(fault, await prepare()), 'happened');
      });

    test('has not happened when the service never got it', async () => {
      const write = await prepare();
      assert.equal(await outcomeOf('before', write), 'not_happened');
      await write();
    });
  });

describe('what proves nothing is unknown', () => {
  const writes: Record<string, () => Promise<unknown>> = {
    'employees.update without a number': () => kontor.employees.update(fixture.employeeId, { city: 'Ulm' }),
    'divisions.update without a name': () => kontor.divisions.update(fixture.testData.sales, { order: 7 }),
    'incidents.create': () => kontor.incidents.create({ employeeId: fixture.employeeId, type: 'other' }),
  };
  for (const [name, write] of Object.entries(writes))
    test(name, async () => {
      assert.equal(await outcomeOf('before', write), 'unknown');
      assert.equal(await outcomeOf('after', write), 'unknown');
    });

  test('incidents.uploadAttachment', async () => {
    const { id: orderId } = await fixture.order();
    const { id } = await kontor.incidents.create({
      employeeId: fixture.employeeId,
      orderId,
      type: 'damage',
      occurredOn: '2026-09-02',
      description: 'Rahmen gebrochen',
    });
    assert.equal(await outcomeOf('after', () => kontor.incidents.uploadAttachment(id, pdf)), 'unknown');
  });
});

describe('others', () => {
  test('who took the email before have made the write fail', async () => {
    const email = `${unique('taken')}@example.com`;
    await kontor.employees.create({ email, firstName: 'Ina', lastName: 'Erste' });
    const write = () => kontor.employees.create({ email, firstName: 'Ina', lastName: 'Zweite' });
    assert.equal(await outcomeOf('after', write), 'not_happened');
  });

  test('who change the employee afterwards leave no proof', async () => {
    const email = `${unique('changed')}@example.com`;
    const { id } = await kontor.employees.create({ email, firstName: 'Ina', lastName: 'Erste' });
    await kontor.employees.update(id, { lastName: 'Dritte' });
    const write = () => kontor.employees.create({ email, firstName: 'Ina', lastName: 'Zweite' });
    assert.equal(await outcomeOf('after', write), 'unknown');
  });

  test('who decided otherwise have made the decision fail', async () => {
    const { id } = await fixture.order();
    await kontor.orders.decide(id, { decision: 'rejected' });
    assert.equal(
      await outcomeOf('after', () => kontor.orders.decide(id, { decision: 'approved' })),
      'not_happened',
    );
  });
});

test('reconcile() waits out the deadline of the service first', async () => {
  const patient = fixture.kontor({ baseUrl: proxy.url, serviceDeadline: 300 });
  const before = performance.now();
  const email = `${unique('late')}@example.com`;
  const write = () => patient.employees.create({ email, firstName: 'Ina', lastName: 'Neu' });
  assert.equal(await outcomeOf('after', write), 'happened');
  assert.ok(performance.now() - before >= 299);
});
