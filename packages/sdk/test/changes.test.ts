import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Changes, Employee, Kontor } from '../src/index.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { type FaultProxy, faultProxy } from './support/fault-proxy.ts';
import { useSdkFixture } from './support/fixture.ts';

let proxy: FaultProxy;
let kontor: Kontor;
const fixture = useSdkFixture(async () => {
  const { sql, testData, service } = fixture;
  const employees = Array.from({ length: 7 }, (_, n) => ({ tenant: testData.tenantA, lastName: `L${n}` }));
  // All of them share one instant.
  await storeEmployees(sql, testData.organization, employees);
  proxy = await faultProxy(service.url);
  kontor = fixture.kontor({ baseUrl: proxy.url });
});
after(() => proxy.close());

/** Reads all changes. Returns them with the checkpoint behind them. */
async function read<T extends { id: string; updatedAt: string }>(changes: Changes<T>) {
  const items: T[] = await Array.fromAsync(changes);
  return { items, checkpoint: changes.checkpoint };
}

/** The versions of all employees, in the order of the changes. */
async function versions(): Promise<string[]> {
  const all = await Array.fromAsync(fixture.kontor().employees.list({ sort: 'updatedAt' }));
  return all.map(versionOf);
}
const versionOf = ({ id, updatedAt }: Employee) => `${updatedAt} ${id}`;

describe('changes()', () => {
  for (const pageSize of [1, 2, 8, 1000])
    test(`answers everything at first, then nothing, then what has changed, in pages of ${pageSize}`, async () => {
      const { items, checkpoint } = await read(kontor.employees.changes({ pageSize }));
      assert.deepEqual(items.map(versionOf), await versions());
      assert.deepEqual((await read(kontor.employees.changes({ since: checkpoint, pageSize }))).items, []);
      const changed = items.slice(2, 5);
      for (const { id } of changed) await kontor.employees.update(id, { city: `City ${pageSize}` });
      const since = await read(kontor.employees.changes({ since: checkpoint, pageSize }));
      assert.deepEqual(
        since.items.map(({ id }) => id),
        changed.map(({ id }) => id),
      );
      assert.notEqual(since.checkpoint, checkpoint);
    });

  test('keeps the checkpoint where nothing has changed', async () => {
    const { checkpoint: since } = await read(kontor.employees.changes());
    assert.equal((await read(kontor.employees.changes({ since }))).checkpoint, since);
  });

  test('answers the one that was in work again after a loop that was left', async () => {
    const changes = kontor.employees.changes({ pageSize: 3 });
    const begun: string[] = [];
    for await (const employee of changes) {
      begun.push(employee.id);
      if (begun.length === 5) break;
    }
    const rest = await read(kontor.employees.changes({ since: changes.checkpoint, pageSize: 3 }));
    assert.equal(rest.items[0]!.id, begun[4]);
  });

  test('moves its checkpoint by batches behind the one whose work was done', async () => {
    const changes = kontor.employees.changes({ pageSize: 3 });
    const checkpoints: string[] = [];
    for await (const { items, checkpoint } of changes.pages()) {
      assert.ok(items.length > 0);
      assert.equal(changes.checkpoint, checkpoints.at(-1));
      checkpoints.push(checkpoint);
    }
    assert.equal(changes.checkpoint, checkpoints.at(-1));
  });

  test('reports a row that changes meanwhile in its newest version, at the end', async () => {
    const seen: Employee[] = [];
    for await (const employee of kontor.employees.changes({ pageSize: 2 })) {
      if (seen.length === 0) await kontor.employees.update(employee.id, { city: 'Meanwhile' });
      seen.push(employee);
    }
    assert.equal(seen.at(-1)!.id, seen[0]!.id);
    assert.equal(seen.at(-1)!.city, 'Meanwhile');
  });

  test('goes through a broken connection and an answer that is cut', async () => {
    const script = (['before', 'truncated', null, 'after', null, 'late-503'] as const).values();
    proxy.next = () => script.next().value ?? null;
    const { items } = await read(kontor.employees.changes({ pageSize: 3 }));
    assert.deepEqual(items.map(versionOf), await versions());
  });

  test('is there for every type of resource that has updatedAt', async () => {
    await fixture.order();
    await kontor.incidents.create({ employeeId: fixture.employeeId, type: 'other' });
    for (const type of ['divisions', 'orders', 'incidents', 'payrollExportDocuments'] as const) {
      const changes: Changes<{ id: string; updatedAt: string }> = kontor[type].changes();
      const { items, checkpoint } = await read(changes);
      assert.ok(items.length > 0, type);
      assert.deepEqual((await read(kontor[type].changes({ since: checkpoint }) as typeof changes)).items, []);
    }
  });

  test('rejects what is no checkpoint before it asks', () => {
    for (const since of ['', '2026-09-02T00:00:00Z', "2026-09-02T00:00:00Z/' OR id != '"])
      assert.throws(() => kontor.employees.changes({ since }), TypeError);
  });
});

describe('list()', () => {
  test('iterates all, in pages of the size that is asked for', async () => {
    const expected = (await versions()).sort();
    for (const pageSize of [1, 3, 8, 100]) {
      const listed = await Array.fromAsync(kontor.employees.list({ pageSize, sort: 'lastName' }));
      assert.deepEqual(listed.map(versionOf).sort(), expected);
    }
    const pages = await Array.fromAsync(kontor.employees.list({ pageSize: 3 }).pages());
    assert.deepEqual(
      pages.map(({ page, items }) => [page, items.length]),
      [
        [1, 3],
        [2, 3],
        [3, 2],
      ],
    );
  });

  test('asks only for the pages that are iterated', async () => {
    const before = proxy.forwarded;
    const list = kontor.employees.list({ pageSize: 3 });
    assert.equal(proxy.forwarded, before);
    for await (const _employee of list) break;
    assert.equal(proxy.forwarded, before + 1);
  });

  test('first() is one resource, or undefined', async () => {
    assert.equal((await kontor.employees.list({ filter: "lastName = 'L3'" }).first())!.lastName, 'L3');
    assert.equal(await kontor.employees.list({ filter: "lastName = 'nobody'" }).first(), undefined);
  });

  test('page() has the totals', async () => {
    const { totalElements, totalPages } = await kontor.employees.list({ pageSize: 3 }).page(2);
    assert.deepEqual([totalElements, totalPages], [8, 3]);
  });
});
