import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ApiError } from '@kontor/contract';
import { connect, type Database } from '../../src/db/connect.ts';
import { isUnavailable } from '../../src/db/failure.ts';
import type { Queryable } from '../../src/db/session.ts';
import { sql as statement } from '../../src/db/sql.ts';
import { createOrganization } from '../../src/features/organizations/store.ts';
import {
  callOf,
  decision,
  operator,
  unchanged,
  type Write,
  type WriteCall,
  Writes,
} from '../../src/write/writes.ts';
import { testDatabase, type TestDatabase } from '../support/database/database.ts';
import { lockWaits } from '../support/database/locks.ts';
import type { Sql } from '../support/database/sql.ts';

const receivedAt = new Date('2026-09-02T08:15:30.123Z');
const forGood = (organizationId = organization): WriteCall => callOf(organizationId, operator);
const dryRun = (): WriteCall => ({ ...forGood(), dryRun: true, receivedAt });

let testing: TestDatabase;
let sql: Sql;
/** The pools of the writes under test, of which the sessions have a name of their own. */
let pool: Database;
let writes: Writes;
let organization: string;
let other: string;

before(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
  pool = connect({ url: testing.url }, { applicationName: 'writes' });
  writes = new Writes(pool);
  await sql`
    CREATE TABLE note (number serial, organization text, text text UNIQUE, at timestamptz, seen int, tx bigint)`;
});
beforeEach(async () => {
  await sql`TRUNCATE note RESTART IDENTITY`;
  organization = await createOrganization(sql, 'Eine');
  other = await createOrganization(sql, 'Andere');
});
after(async () => {
  await pool.close();
  await testing.drop();
});

const countTexts = async (db: Queryable, place: string) => {
  const [row] = await db.rows<{ n: number }>(
    statement`SELECT count(*)::int AS n FROM note WHERE organization = ${place}`,
  );
  return row!.n;
};

const insertText = (write: Write, text: string, seen: number) =>
  write.send(statement`
    INSERT INTO note (organization, text, at, seen, tx)
    VALUES (${write.organizationId}, ${text}, ${write.at}, ${seen}, pg_current_xact_id()::text::bigint)`);

/** A decision that counts the notes of its organization under the clock and adds one, or applies `check` to the number. */
function recording(text: string, place = organization, check?: (seen: number) => void) {
  return decision({
    early: false,
    targets: () => [],
    read: db => countTexts(db, place),
    plan(_call, seen) {
      check?.(seen);
      return { seen };
    },
    store(write, { seen }) {
      insertText(write, text, seen);
      return text;
    },
  });
}

const record = (text: string, place = organization) => writes.decide(forGood(place), recording(text, place));
const records = () =>
  sql<{ text: string; seen: number; at: Date; tx: string }[]>`SELECT * FROM note ORDER BY number`;
const clockOf = async (id: string) =>
  (await sql`SELECT clock FROM organization WHERE id = ${id}`)[0]!['clock'] as Date;

/** Lets `work` run while another session has the clock of the organization, once `first` waits for it. */
async function holding<T>(first: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  return sql.begin(async holder => {
    await holder`SELECT FROM organization WHERE id = ${organization} FOR UPDATE`;
    const waiting = first();
    waiting.catch(() => {});
    while ((await lockWaits(sql)) === 0);
    return work();
  });
}

describe('writes of one organization', () => {
  test('that wait are committed together, in the order of arrival, each seeing those before it', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const answers = await Promise.all(names.map(name => record(name)));
    assert.deepEqual(answers, names);
    const rows = await records();
    assert.deepEqual(
      rows.map(row => [row.text, row.seen]),
      names.map((name, n) => [name, n]),
    );
    assert.equal(new Set(rows.map(row => row.tx)).size, 2);
    assert.equal(new Set(rows.map(row => row.at.getTime())).size, 2);
  });

  test('stamp the clock, which then is at the last of them', async () => {
    const before = await clockOf(organization);
    await Promise.all(['a', 'b', 'c'].map(name => record(name)));
    const instants = (await records()).map(row => row.at);
    assert.ok(instants.every(at => at > before));
    assert.deepEqual(instants.at(-1), await clockOf(organization));
  });

  test('keep one connection however many wait, so that those of others go on; all succeed in order', async () => {
    const waiting: Promise<string>[] = [];
    const ask = () => {
      waiting.push(...Array.from({ length: 30 }, (_, n) => record(`held ${n}`)));
      return Promise.all(waiting);
    };
    await holding(ask, async () => {
      assert.deepEqual(await Promise.all([record('x', other), record('y', other)]), ['x', 'y']);
      assert.equal(await lockWaits(sql), 1);
    });
    assert.equal((await Promise.all(waiting)).length, 30);
    assert.deepEqual(
      (await records()).map(row => row.text),
      ['x', 'y', ...waiting.map((_, n) => `held ${n}`)],
    );
  });

  test('answer 503 when they did not begin within 5 s, and store nothing', async () => {
    const waiting: Promise<unknown>[] = [];
    const ask = () => {
      waiting.push(...Array.from({ length: 12 }, (_, n) => record(`late ${n}`)));
      return waiting[0]!;
    };
    const results = await holding(ask, () => Promise.allSettled(waiting));
    for (const result of results) {
      assert.equal(result.status, 'rejected');
      const { reason } = result;
      assert.ok(reason instanceof ApiError ? reason.status === 503 : isUnavailable(reason));
    }
    assert.deepEqual([...(await records())], []);
  });

  test('are none the worse for a rejected one', async () => {
    const rejection = new ApiError('NOT_FOUND', 'gone meanwhile');
    const reject = () => {
      throw rejection;
    };
    const results = await Promise.allSettled([
      record('a'),
      record('b'),
      writes.decide(forGood(), recording('never', organization, reject)),
      record('c'),
    ]);
    assert.deepEqual(
      results.map(result => (result.status === 'fulfilled' ? result.value : result.reason)),
      ['a', 'b', rejection, 'c'],
    );
    assert.deepEqual(
      (await records()).map(row => row.text),
      ['a', 'b', 'c'],
    );
  });

  test('are written again without the one that the database rejects', async () => {
    const results = await Promise.allSettled(['a', 'b', 'a', 'c'].map(name => record(name)));
    assert.deepEqual(
      results.map(result => (result.status === 'fulfilled' ? result.value : result.reason.code)),
      ['a', 'b', '23505', 'c'],
    );
    assert.deepEqual(
      (await records()).map(row => [row.text, row.seen]),
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
      ],
    );
  });

  test('that change nothing leave the clock where it is', async () => {
    const before = await clockOf(organization);
    const write = decision({
      early: false,
      targets: () => [],
      read: () => Promise.resolve('as it is'),
      plan: (_call, found) => unchanged(found),
      store: () => assert.fail('nothing is stored'),
    });
    assert.equal(await writes.decide(forGood(), write), 'as it is');
    const reject = () => {
      throw new Error('rejected');
    };
    await assert.rejects(writes.decide(forGood(), recording('x', organization, reject)), /rejected/);
    assert.deepEqual(await clockOf(organization), before);
  });

  test('are not written again when their connection is lost', async () => {
    const waiting: Promise<string>[] = [];
    const ask = () => {
      waiting.push(...['a', 'b', 'c'].map(name => record(name)));
      return Promise.allSettled(waiting);
    };
    const [results] = await holding(ask, async () => {
      const end = () => sql`
        SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE application_name = 'writes' AND state = 'active'`;
      await end();
      await Promise.allSettled([waiting[0]]);
      while ((await lockWaits(sql)) === 0);
      await end();
      return [await Promise.allSettled(waiting)] as const;
    });
    for (const result of results) assert.ok(isUnavailable((result as PromiseRejectedResult).reason));
    assert.deepEqual([...(await records())], []);
  });
});

describe('a write with a file', () => {
  const stage = async (db: Queryable) => {
    await db.run(statement`INSERT INTO note (text) VALUES ('staged')`);
  };
  const file = { put: stage, discard: () => Promise.resolve() };

  test('has its first part done before the write, and is committed as one', async () => {
    const staged = Promise.withResolvers<void>();
    let answer: Promise<string> | undefined;
    const begin = (db: Queryable) => stage(db).then(staged.resolve);
    const ask = () => (answer = writes.decide(forGood(), recording('rest'), { ...file, put: begin }));
    await holding(ask, () => staged.promise);
    assert.equal(await answer, 'rest');
    assert.deepEqual(
      (await records()).map(row => row.text),
      ['staged', 'rest'],
    );
  });

  test('that is rejected in its write stores nothing', async () => {
    const reject = () => {
      throw new ApiError('NOT_FOUND', 'gone meanwhile');
    };
    const write = recording('rest', organization, reject);
    await assert.rejects(writes.decide(forGood(), write, file), { code: 'NOT_FOUND' });
    assert.equal(await record('next'), 'next');
    assert.deepEqual(
      (await records()).map(row => row.text),
      ['next'],
    );
  });
});

describe('a write that depends on an authority', () => {
  const denied = new ApiError('PERMISSION_DENIED', 'changed meanwhile');
  /** An authority that holds, or not, and notes that it was asked in the transaction. */
  const withAuthority = (call: WriteCall, holds: boolean): WriteCall => {
    const authority = {
      userId: 'f'.repeat(24),
      async check(db: Queryable) {
        await db.run(statement`INSERT INTO note (text) VALUES ('checked')`);
        if (!holds) throw denied;
      },
    };
    return { ...call, caller: { ...call.caller, authority } };
  };
  const recorded = async () => (await records()).map(({ text }) => text);
  const methods: Record<string, (call: WriteCall) => Promise<unknown>> = {
    'by itself': call => writes.decide(call, recording('done')),
    'with a file': call =>
      writes.decide(call, recording('done'), {
        put: async db => void (await db.run(statement`SELECT 1`)),
        discard: () => Promise.resolve(),
      }),
    'without the clock': call =>
      writes.runWithoutClock(call, write =>
        write.send(statement`INSERT INTO note (text, at) VALUES ('done', ${write.at})`),
      ),
  };
  for (const [name, send] of Object.entries(methods)) {
    test(`${name}: is checked first, in the same transaction`, async () => {
      await send(withAuthority(forGood(), true));
      assert.deepEqual(await recorded(), ['checked', 'done']);
    });

    test(`${name}: stores nothing where the authority does not hold any more, nor does a dry run`, async () => {
      for (const call of [forGood(), dryRun()])
        await assert.rejects(send(withAuthority(call, false)), denied);
      assert.deepEqual(await recorded(), []);
    });
  }
});

describe('a dry run', () => {
  test('answers and stamps the instant of the request, without a change and without its file', async () => {
    const state = await clockOf(organization);
    let instant: Date | undefined;
    const put = () => Promise.reject(new Error('a dry run stores no file'));
    const projected = decision({
      targets: () => [],
      read: () => Promise.resolve(null),
      plan: (_call, _found, at) => at,
      store(write, at) {
        instant = at;
        insertText(write, 'never', 0);
        write.count('order', [''], 1);
        write.audit({ id: organization, action: 'order.create' });
        return 'projection';
      },
    });
    const answer = await writes.decide(dryRun(), projected, { put, discard: () => Promise.resolve() });
    assert.deepEqual([answer, instant], ['projection', receivedAt]);
    assert.deepEqual([...(await records())], []);
    assert.deepEqual(await clockOf(organization), state);
  });

  test('waits neither for the clock nor for the writes that do', async () => {
    await holding(
      () => record('held'),
      async () => assert.equal(await writes.decide(dryRun(), recording('dry')), 'dry'),
    );
  });

  test('is rejected when it meets a lock', async () => {
    await record('taken');
    await sql.begin(async holder => {
      await holder`LOCK TABLE note IN EXCLUSIVE MODE`;
      await assert.rejects(writes.decide(dryRun(), recording('dry')), { code: '55P03' });
    });
  });
});
