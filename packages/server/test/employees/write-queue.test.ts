import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@kontor/contract';
import { reserveSession, type Sql } from '../support/sql.ts';
import { isConstraintViolation, isRefused, isUnavailable } from '../../src/database/failure.ts';
import { newId } from '../../src/database/ids.ts';
import { WriteTurns } from '../../src/database/write-turns.ts';
import { WriteQueue } from '../../src/database/write-queue.ts';
import { employeeRow } from '../../src/features/employees/record.ts';
import { type Insertion, insertEmployees, type Written } from '../../src/features/employees/store.ts';
import { apiClient } from '../support/client.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { countersOf, employeeData } from '../support/employees.ts';
import { startService } from '../support/service.ts';
import { createWorld, type World } from '../support/world.ts';

class Refused extends Error {}

/** A queue whose batches wait until the test ends them, by a clock that the test moves. */
function heldQueue() {
  const batches: {
    organization: string;
    inputs: string[];
    patience: number;
    end: PromiseWithResolvers<void>;
  }[] = [];
  const clock = { now: 0 };
  const queue = new WriteQueue<string, string>(
    async (organization, inputs, patience) => {
      const end = Promise.withResolvers<void>();
      batches.push({ organization, inputs, patience, end });
      await end.promise;
      if (inputs.includes('bad')) throw new Refused();
      return inputs.map(input => input.toUpperCase());
    },
    error => error instanceof Refused,
    { turns: new WriteTurns(), now: () => clock.now },
  );
  /** Ends all batches, also those still to come, and answers what became of the submitted. */
  const settle = async (submitted: Promise<unknown>[]) => {
    const ending = setInterval(() => batches.forEach(batch => batch.end.resolve()), 0);
    const results = await Promise.allSettled(submitted);
    clearInterval(ending);
    return results.map(result => (result.status === 'fulfilled' ? result.value : result.reason));
  };
  return { queue, batches, clock, settle };
}

describe('the write queue', () => {
  test('writes what gathers during a write together, in order, and answers each its own', async () => {
    const { queue, batches, settle } = heldQueue();
    const submitted = ['a', 'b', 'c', 'd'].map(input => queue.submit('o', input));
    assert.deepEqual(
      batches.map(batch => batch.inputs),
      [['a']],
    );
    assert.deepEqual(await settle(submitted), ['A', 'B', 'C', 'D']);
    assert.deepEqual(
      batches.map(batch => batch.inputs),
      [['a'], ['b', 'c', 'd']],
    );
  });

  test('writes at most 100 together', async () => {
    const { queue, batches, settle } = heldQueue();
    await settle(Array.from({ length: 251 }, (_, n) => queue.submit('o', `i${n}`)));
    assert.deepEqual(
      batches.map(batch => batch.inputs.length),
      [1, 100, 100, 50],
    );
  });

  test('a refused input does not take the others of its batch with it', async () => {
    const { queue, batches, settle } = heldQueue();
    const [first, a, bad, b] = await settle(['x', 'a', 'bad', 'b'].map(input => queue.submit('o', input)));
    assert.deepEqual([first, a, b], ['X', 'A', 'B']);
    assert.ok(bad instanceof Refused);
    assert.deepEqual(
      batches.map(batch => batch.inputs),
      [['x'], ['a', 'bad', 'b'], ['a'], ['bad'], ['b']],
    );
  });

  test('an input that has waited for 5 s is refused with 503 and never written', async () => {
    const { queue, batches, clock, settle } = heldQueue();
    const first = queue.submit('o', 'first');
    const late = queue.submit('o', 'late');
    clock.now = 4999;
    const inTime = queue.submit('o', 'in time');
    clock.now = 5000;
    const [, error, written] = await settle([first, late, inTime]);
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.status, written], ['SERVICE_UNAVAILABLE', 503, 'IN TIME']);
    assert.deepEqual(
      batches.map(batch => batch.inputs),
      [['first'], ['in time']],
    );
  });

  test('the patience of a batch is what is left to the one that has waited longest', async () => {
    const { queue, batches, clock, settle } = heldQueue();
    const first = queue.submit('o', 'first');
    clock.now = 1000;
    const second = queue.submit('o', 'second');
    clock.now = 3000;
    const third = queue.submit('o', 'third', 500);
    await settle([first, second, third]);
    assert.deepEqual(
      batches.map(batch => batch.patience),
      [5000, 2500],
    );
  });

  test('a write that began to wait elsewhere counts that time too', async () => {
    const { queue, batches, clock, settle } = heldQueue();
    clock.now = 6000;
    const [error] = await settle([queue.submit('o', 'x', 1000)]);
    assert.equal((error as ApiError).code, 'SERVICE_UNAVAILABLE');
    assert.deepEqual(batches, []);
  });

  test('a batch that ended without an answer is not written again', async () => {
    const batches: string[][] = [];
    const lost = Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' });
    const queue = new WriteQueue<string, string>(
      async (_, inputs) => {
        batches.push(inputs);
        if (inputs.includes('b')) throw lost;
        return inputs;
      },
      isConstraintViolation,
      { turns: new WriteTurns() },
    );
    const results = await Promise.allSettled(['a', 'b', 'c'].map(input => queue.submit('o', input)));
    assert.deepEqual(batches, [['a'], ['b', 'c']]);
    assert.deepEqual(
      results.map(result => result.status),
      ['fulfilled', 'rejected', 'rejected'],
    );
    assert.deepEqual(await queue.submit('o', 'd'), 'd');
  });

  test('a slow organization does not hold up another one', async () => {
    const { queue, batches, settle } = heldQueue();
    const slow = queue.submit('slow', 'a');
    const quick = queue.submit('quick', 'b');
    batches.find(batch => batch.organization === 'quick')!.end.resolve();
    assert.equal(await quick, 'B');
    assert.deepEqual(await settle([slow]), ['A']);
  });
});

describe('the write queue on the database', () => {
  let database: TestDatabase;
  let sql: Sql;
  let world: World;
  let batches: number[];
  let queue: WriteQueue<Insertion, Written>;

  before(async () => {
    database = await testDatabase();
    sql = database.database.sql;
    world = await createWorld(sql);
    queue = new WriteQueue(
      (organizationId, inputs, patience) => {
        batches.push(inputs.length);
        return insertEmployees(sql, organizationId, inputs, patience);
      },
      isRefused,
      { turns: new WriteTurns() },
    );
  });

  after(() => database.drop());

  function insertion(divisionId: string | null = null, more: Partial<Insertion> = {}): Insertion {
    const data = employeeData({ tenant: world.tenantA, divisionId });
    return {
      row: employeeRow(newId(), data),
      author: { actor: 'test', requestId: null },
      treeVersion: null,
      ...more,
    };
  }

  /** Holds the clock of an organization, and with it all of its writes, while `work` runs. */
  async function holding<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    const connection = await reserveSession(sql);
    try {
      await connection`BEGIN`;
      await connection`UPDATE organization SET clock = clock WHERE id = ${organizationId}`;
      return await work();
    } finally {
      await connection`ROLLBACK`;
      connection.release();
    }
  }

  /** Resolves with a session other than `earlier` that waits for a lock, as soon as there is one. */
  async function waitingSession(earlier = 0): Promise<number> {
    for (;;) {
      const [row] = await sql<{ pid: number }[]>`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND pid <> ${earlier}`;
      if (row) return row.pid;
      await delay(5);
    }
  }

  async function submitAll(insertions: readonly Insertion[]): Promise<PromiseSettledResult<Written>[]> {
    batches = [];
    return Promise.allSettled(insertions.map(each => queue.submit(world.organization, each)));
  }

  test('writes of one batch share one transaction and one instant, and count once each', async () => {
    const results = await submitAll(Array.from({ length: 30 }, () => insertion(world.sales)));
    const instants = results.map(result => JSON.parse((result as { value: string }).value).updatedAt);
    assert.deepEqual(batches, [1, 29]);
    assert.equal(new Set(instants).size, 2);
    assert.ok(instants[0]! < instants[1]!);
    const { kept, real } = await countersOf(sql, world.organization);
    assert.deepEqual(kept, real);
  });

  test('a row that the database refuses does not take the others with it', async () => {
    const wrong = insertion('f'.repeat(24));
    const rows = [insertion(), insertion(), wrong, insertion()];
    const results = await submitAll(rows);
    assert.deepEqual(
      results.map(result => result.status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(batches, [1, 3, 1, 1, 1]);
    const stored =
      await sql`SELECT id FROM employee WHERE id = ANY(${rows.map(each => each.row.id)}::text[])`;
    assert.equal(stored.length, 3);
  });

  test('a row that rests on an older tree, or has a value that is taken, is answered null', async () => {
    const taken = insertion();
    const same = insertion(null, { row: { ...insertion().row, email_key: taken.row.email_key } });
    const older = insertion(null, { treeVersion: '0' });
    const results = await submitAll([taken, insertion(), same, older]);
    assert.deepEqual(
      results.map(result => (result as { value: Written }).value === null),
      [false, false, true, true],
    );
  });

  test('a write whose connection is broken is refused, not repeated', async () => {
    await holding(world.organization, async () => {
      const submitted = submitAll([insertion(), insertion(), insertion()]);
      const first = await waitingSession();
      await sql`SELECT pg_terminate_backend(${first})`;
      await sql`SELECT pg_terminate_backend(${await waitingSession(first)})`;
      const results = await submitted;
      assert.deepEqual(batches, [1, 2]);
      for (const result of results) assert.ok(isUnavailable((result as PromiseRejectedResult).reason));
    });
  });

  test('a write that does not get the lock in its time is refused as unavailable', async () => {
    await holding(world.organization, async () => {
      const writing = insertEmployees(sql, world.organization, [insertion()], 20);
      await assert.rejects(
        writing,
        error => isUnavailable(error) && (error as { code?: string }).code === '55P03',
      );
    });
  });

  test('a write is not refused because another one of its batch has waited too long', async () => {
    batches = [];
    const submit = (waited: number) =>
      queue.submit(world.organization, insertion(), performance.now() - waited);
    const last = await holding(world.organization, async () => {
      const results = [submit(4900), submit(4500)].map(written => assert.rejects(written));
      const patient = submit(0);
      await Promise.all(results);
      return { patient };
    });
    assert.notEqual(await last.patient, null);
    assert.deepEqual(batches, [1, 2, 1]);
  });

  test('over HTTP, an organization whose clock is held leaves another one alone, and dry runs too', async () => {
    const service = await startService(sql);
    const client = apiClient(service.url, { key: world.keys.all });
    const person = () => ({ email: `${newId()}@example.com`, firstName: 'A', lastName: 'B' });
    const waiting = await holding(world.organization, async () => {
      const held = client.post('/employees', person(), { tenant: world.tenantA });
      await waitingSession();
      const other = await client.post('/employees', person(), { key: world.keys.foreign });
      assert.equal(other.status, 201);
      const dry = await client.post('/employees', person(), {
        tenant: world.tenantA,
        query: { dryRun: true },
      });
      assert.equal(dry.status, 200);
      assert.equal((await client.get('/employees')).status, 200);
      return { held };
    });
    assert.equal((await waiting.held).status, 201);
    client.close();
    await service.stop();
  });
});
