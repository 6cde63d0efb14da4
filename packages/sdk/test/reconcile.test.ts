import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  ConflictError,
  type CreateOptions,
  type Fetch,
  type Kontor,
  WriteOutcomeUnknown,
} from '../src/index.ts';
import { type Fault, type FaultProxy, faultProxy } from './support/fault-proxy.ts';
import { pdf, useSdkFixture } from './support/fixture.ts';

let proxy: FaultProxy;
let kontor: Kontor;
const fixture = useSdkFixture(async () => {
  proxy = await faultProxy(fixture.service.url);
  kontor = fixture.kontor({ baseUrl: proxy.url, serviceDeadline: 0 });
});
after(() => proxy.close());

/** Lets the next write meet a fault. */
function failNext(fault: Fault): void {
  proxy.next = ({ method }) => {
    if (method === 'GET') return null;
    proxy.next = () => null;
    return fault;
  };
}

/** A write whose answer was lost, and is not asked for again. */
async function lose(fault: Fault, write: (options: { maxRetries: number }) => Promise<unknown>) {
  failNext(fault);
  const error = await write({ maxRetries: 0 }).catch((error: unknown) => error);
  assert.ok(error instanceof WriteOutcomeUnknown, String(error));
  return error;
}

/** A write, and the identifiers of what it has stored. */
interface Write {
  send(options?: CreateOptions): Promise<{ id: string }>;
  stored(): Promise<string[]>;
}

const unique = (name: string) => `${name} ${crypto.randomUUID()}`;
const idsOf = async (list: AsyncIterable<{ id: string }>) =>
  (await Array.fromAsync(list)).map(({ id }) => id);

/** A completed incident, which takes files. */
const reported = async (description = 'Rahmen gebrochen') => {
  const { id: orderId } = await fixture.order();
  const { employeeId } = fixture;
  return { employeeId, orderId, type: 'damage', occurredOn: '2026-09-02', description } as const;
};

/** The writes with a key. Each is another one with each call. */
const writes: Record<string, () => Promise<Write>> = {
  'employees.create': async () => {
    const email = `${crypto.randomUUID()}@Example.com`;
    return {
      send: options => kontor.employees.create({ email, firstName: 'Ina', lastName: 'Neu' }, options),
      stored: () => idsOf(kontor.employees.list({ filter: `email = '${email}'` })),
    };
  },
  'divisions.create': async () => {
    const name = unique('Einkauf');
    return {
      send: options => kontor.divisions.create({ name, parentId: fixture.testData.sales }, options),
      stored: () => idsOf(kontor.divisions.list({ filter: `name = '${name}'` })),
    };
  },
  'incidents.create': async () => {
    const report = await reported(unique('Rahmen'));
    return {
      send: options => kontor.incidents.create(report, options),
      stored: () => idsOf(kontor.incidents.list({ filter: `description = '${report.description}'` })),
    };
  },
  'incidents.uploadAttachment': async () => {
    const { id } = await kontor.incidents.create(await reported());
    return {
      send: options => kontor.incidents.uploadAttachment(id, pdf, options),
      stored: async () => (await kontor.incidents.get(id)).attachments.map(attachment => attachment.id),
    };
  },
  'orders.decide': async () => {
    const { id } = await fixture.order();
    return {
      send: options => kontor.orders.decide(id, { decision: 'approved', comment: 'Budget geprüft' }, options),
      stored: async () => ((await kontor.orders.get(id)).hrHistory === null ? [] : [id]),
    };
  },
};

for (const [name, prepare] of Object.entries(writes))
  describe(name, () => {
    for (const fault of ['before', 'during', 'after', 'truncated', 'late-503', 'rejected'] as const) {
      test(`is stored once, and answered, after the fault: ${fault}`, async () => {
        const { send, stored } = await prepare();
        failNext(fault);
        const { id } = await send();
        assert.deepEqual(await stored(), [id]);
      });
      if (fault === 'rejected') continue;
      test(`is stored once when reconcile() has ended, after the fault: ${fault}`, async () => {
        const { send, stored } = await prepare();
        const error = await lose(fault, send);
        const { outcome, resource } = await error.reconcile();
        assert.equal(outcome, 'happened');
        assert.deepEqual(await stored(), [(resource as { id: string }).id]);
        assert.deepEqual(await error.reconcile(), { outcome, resource });
      });
    }

    test('is stored once when 32 calls have the same key', async () => {
      const { send, stored } = await prepare();
      const idempotencyKey = crypto.randomUUID();
      const answers = await Promise.all(Array.from({ length: 32 }, () => send({ idempotencyKey })));
      assert.deepEqual(await stored(), [...new Set(answers.map(({ id }) => id))]);
    });
  });

describe('a write that the service rejects', () => {
  test('has not happened: another employee has the email', async () => {
    const body = { email: `${crypto.randomUUID()}@example.com`, firstName: 'Ina', lastName: 'Erste' };
    await kontor.employees.create(body);
    const error = await lose('after', options => kontor.employees.create(body, options));
    assert.deepEqual(await error.reconcile(), { outcome: 'not_happened', resource: null });
    failNext('after');
    await assert.rejects(kontor.employees.create(body), {
      name: 'ConflictError',
      code: 'DUPLICATE_RESOURCE',
    });
  });

  test('has not happened: the order was decided otherwise', async () => {
    const { id } = await fixture.order();
    await kontor.orders.decide(id, { decision: 'rejected' });
    const error = await lose('after', options => kontor.orders.decide(id, { decision: 'approved' }, options));
    assert.equal((await error.reconcile()).outcome, 'not_happened');
  });

  test('has another content than the first one with its key', async () => {
    const idempotencyKey = crypto.randomUUID();
    const options = { idempotencyKey };
    await kontor.divisions.create({ name: unique('Lager') }, options);
    await assert.rejects(kontor.divisions.create({ name: unique('Halle') }, options), {
      name: 'UnprocessableError',
      message: /Idempotency-Key/,
    });
  });
});

describe('an update with ifMatch', () => {
  const create = () =>
    kontor.employees.create({
      email: `${crypto.randomUUID()}@example.com`,
      firstName: 'Ina',
      lastName: 'Neu',
    });

  for (const fault of ['before', 'during', 'after', 'truncated', 'late-503'] as const)
    test(`is stored and answered after the fault: ${fault}`, async () => {
      const employee = await create();
      failNext(fault);
      const updated = await kontor.employees.update(employee.id, { city: 'Ulm' }, { ifMatch: employee });
      assert.equal(updated.city, 'Ulm');
      assert.deepEqual(await kontor.employees.get(employee.id), updated);
    });

  for (const [name, read, update] of [
    [
      'employees',
      async () => create(),
      (resource, options) => kontor.employees.update(resource.id, { city: 'Ulm' }, options),
    ],
    [
      'divisions',
      async () => kontor.divisions.create({ name: unique('Lager') }),
      (resource, options) => kontor.divisions.update(resource.id, { costCenter: '4711' }, options),
    ],
    [
      'incidents',
      async () => kontor.incidents.create(await reported()),
      (resource, options) => kontor.incidents.update(resource.id, { policeReference: 'A 1' }, options),
    ],
  ] satisfies [
    string,
    () => Promise<Versioned>,
    (resource: Versioned, options: { ifMatch: Versioned | string }) => Promise<Versioned>,
  ][])
    test(`of ${name} takes a resource or its updatedAt, and names the current version in the conflict`, async () => {
      const old = await read();
      const current = await update(old, { ifMatch: old });
      assert.ok(current.updatedAt > old.updatedAt);
      // Values that are stored already are not a conflict.
      assert.equal((await update(old, { ifMatch: old.updatedAt })).updatedAt, current.updatedAt);
    });

  test('does not replace what another has changed', async () => {
    const employee = await create();
    const changed = await kontor.employees.update(employee.id, { city: 'Bonn' });
    const update = (ifMatch: string) => kontor.employees.update(employee.id, { city: 'Ulm' }, { ifMatch });
    const error = await update(employee.updatedAt).catch((error: unknown) => error);
    assert.ok(error instanceof ConflictError);
    assert.equal(error.current, changed.updatedAt);
    assert.equal((await kontor.employees.get(employee.id)).city, 'Bonn');
    assert.equal((await update(error.current)).city, 'Ulm');
  });

  test('whose answer was lost does not replace what another has changed since', async () => {
    const employee = await create();
    let attempts = 0;
    // The update is stored, another one follows, and then the connection breaks.
    const breaking: Fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (attempts++ > 0) return response;
      await kontor.employees.update(employee.id, { city: 'Bonn' });
      throw new TypeError('the connection broke');
    };
    const broken = fixture.kontor({ fetch: breaking, serviceDeadline: 0 });
    const update = broken.employees.update(employee.id, { city: 'Ulm' }, { ifMatch: employee });
    await assert.rejects(update, ConflictError);
    assert.equal(attempts, 2);
    assert.equal((await kontor.employees.get(employee.id)).city, 'Bonn');
  });
});

interface Versioned {
  readonly id: string;
  readonly updatedAt: string;
}

describe('reconcile() of an update without ifMatch', () => {
  const lost = async (fault: Fault) => {
    const { id } = await kontor.employees.create({
      email: `${crypto.randomUUID()}@example.com`,
      firstName: 'Ina',
      lastName: 'Neu',
    });
    // The values as the service stores them differ from those that were sent.
    const body = { lastName: 'Mu\u0308ller', divisionId: fixture.testData.sales.toUpperCase() };
    return { id, error: await lose(fault, options => kontor.employees.update(id, body, options)) };
  };

  test('finds that it has happened where its values are stored', async () => {
    const { id, error } = await lost('after');
    const { outcome, resource } = await error.reconcile();
    assert.equal(outcome, 'happened');
    assert.deepEqual(resource, await kontor.employees.get(id));
  });

  test('changes nothing where they are not, and leaves it unknown', async () => {
    const { id, error } = await lost('before');
    assert.deepEqual(await error.reconcile(), { outcome: 'unknown', resource: null });
    assert.equal((await kontor.employees.get(id)).lastName, 'Neu');
  });
});
