import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ApiError } from '@kontor/contract';
import { sql as statement } from '../../src/db/sql.ts';
import { createOrganization } from '../../src/features/organizations/store.ts';
import {
  callOf,
  type Decision,
  decision,
  type Expecting,
  operator,
  unchanged,
  type WriteCall,
  Writes,
} from '../../src/write/writes.ts';
import { testDatabase, type TestDatabase, testNodes } from '../support/database/database.ts';
import { lockWaits } from '../support/database/locks.ts';
import type { Sql, TestSession } from '../support/database/sql.ts';

const receivedAt = new Date('2026-09-02T08:15:30.123Z');
const denied = new ApiError('INVALID_STATE_TRANSITION', 'The state is final');

let testing: TestDatabase;
let sql: Sql;
let writes: Writes;
let organization: string;
/** The instants at which a plan was made. */
let plannedAt: Date[];

before(async () => {
  testing = await testDatabase();
  sql = testing.database.sql;
  writes = new Writes(testing.database);
  await sql`
    CREATE TABLE thing (organization_id text COLLATE "C", id text, state text, at timestamptz, PRIMARY KEY (organization_id, id))`;
  // On the node of the clock: elsewhere its rows may be committed after the clock is free.
  if ((await testNodes()) !== null)
    await sql`SELECT create_distributed_table('thing', 'organization_id', colocate_with => 'organization')`;
});
beforeEach(async () => {
  plannedAt = [];
  organization = await createOrganization(sql, 'Eine');
  for (const id of ['a', 'b', 'c']) await insertThing(id, 'new');
  await insertThing('d', 'final');
});
after(() => testing.drop());

interface Change extends Expecting {
  readonly id: string;
  readonly state: string;
}

/** Sets the state of a thing, unless it is final. The state is its version. */
const change = decision({
  targets: ({ id }: Change) => [id],
  async read(db, { id }) {
    const [row] = await db.rows<{ state: string }>(
      statement`SELECT state FROM thing WHERE organization_id = ${organization} AND id = ${id}`,
    );
    return row!.state;
  },
  plan({ state }, before, at) {
    plannedAt.push(at);
    if (state === before) return unchanged(`still ${before}`);
    if (before === 'final') throw denied;
    return { before };
  },
  version: before => before,
  store(write, { before }, { id, state }) {
    write.send(statement`
      UPDATE thing SET state = ${state}, at = ${write.at} WHERE organization_id = ${organization} AND id = ${id}`);
    return `${before} → ${state}`;
  },
});

const call = (more: Partial<WriteCall> = {}): WriteCall => ({
  ...callOf(organization, operator),
  receivedAt,
  ...more,
});
const set = (id: string, state: string, more: Partial<WriteCall> & Expecting = {}) =>
  writes.decide({ ...call(more), id, state, expectedVersion: more.expectedVersion }, change);
const insertThing = (id: string, state: string) =>
  sql`INSERT INTO thing VALUES (${organization}, ${id}, ${state})`;
/** Another write, in the transaction that has the clock. */
const setBy = (holder: TestSession, state: string) =>
  holder`UPDATE thing SET state = ${state} WHERE organization_id = ${organization} AND id = 'a'`;
const stateOf = async (id: string) =>
  (await sql`SELECT state FROM thing WHERE organization_id = ${organization} AND id = ${id}`)[0]!['state'];
const clock = async () =>
  (await sql`SELECT clock FROM organization WHERE id = ${organization}`)[0]!['clock'] as Date;

/** Sends a write while another transaction has the clock, and lets that one work once the write waits for it. */
async function meanwhile<T>(send: () => Promise<T>, work: (holder: TestSession) => Promise<unknown>) {
  let sent: Promise<T> | undefined;
  await sql.begin(async holder => {
    await holder`SELECT FROM organization WHERE id = ${organization} FOR UPDATE`;
    sent = send();
    sent.catch(() => {});
    while ((await lockWaits(sql)) === 0);
    await work(holder);
  });
  return sent!;
}

describe('a decision', () => {
  test('that is rejected or changes nothing ends before it waits for the clock', async () => {
    await sql.begin(async holder => {
      await holder`SELECT FROM organization WHERE id = ${organization} FOR UPDATE`;
      await assert.rejects(set('d', 'new'), denied);
      assert.equal(await set('a', 'new'), 'still new');
    });
    assert.deepEqual(plannedAt, [receivedAt, receivedAt]);
  });

  test('is planned again under the clock, at its instant, on what is read there', async () => {
    const answer = await meanwhile(
      () => set('a', 'done'),
      holder => setBy(holder, 'begun'),
    );
    assert.equal(answer, 'begun → done');
    assert.deepEqual(plannedAt, [receivedAt, await clock()]);
  });

  test('is rejected under the clock where the state has become final', async () => {
    const before = await clock();
    const answer = meanwhile(
      () => set('a', 'done'),
      holder => setBy(holder, 'final'),
    );
    await assert.rejects(answer, denied);
    assert.deepEqual([await stateOf('a'), await clock()], ['final', before]);
  });

  test('stores nothing where another write has made the same change', async () => {
    const before = await clock();
    const answer = await meanwhile(
      () => set('a', 'done'),
      holder => setBy(holder, 'done'),
    );
    assert.deepEqual([answer, await clock()], ['still done', before]);
  });

  test('of twenty at once, each allowed alone, is made once', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => set('a', 'final')));
    const answers = results.map(result => (result.status === 'fulfilled' ? result.value : result.reason));
    assert.equal(answers.filter(answer => answer === 'new → final').length, 1);
    assert.equal(answers.filter(answer => answer === 'still final').length, 19);
  });

  test('without an early check is planned under the clock only', async () => {
    const late = { ...change, early: false } as const;
    await assert.rejects(writes.decide({ ...call(), id: 'd', state: 'new' }, late), denied);
    assert.equal(plannedAt.length, 1);
    assert.notDeepEqual(plannedAt, [receivedAt]);
  });
});

describe('an expected version', () => {
  const conflict = { code: 'INVALID_STATE_TRANSITION', message: /changed at new/ };

  test('that is the stored one lets the change be', async () => {
    assert.equal(await set('a', 'done', { expectedVersion: 'new' }), 'new → done');
  });

  test('is compared before the queue, and in a dry run', async () => {
    for (const dryRun of [false, true])
      await assert.rejects(set('a', 'done', { expectedVersion: 'old', dryRun }), conflict);
    assert.equal(await stateOf('a'), 'new');
  });

  test('is compared under the clock again', async () => {
    const answer = meanwhile(
      () => set('a', 'done', { expectedVersion: 'new' }),
      holder => setBy(holder, 'begun'),
    );
    await assert.rejects(answer, { code: 'INVALID_STATE_TRANSITION', message: /changed at begun/ });
    assert.equal(await stateOf('a'), 'begun');
  });

  test('of two at once lets one through', async () => {
    const sent = ['done', 'begun'].map(state => set('a', state, { expectedVersion: 'new' }));
    const results = await Promise.allSettled(sent);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  });

  test('does not matter where nothing changes, and is reported after a state that forbids the change', async () => {
    assert.equal(await set('a', 'new', { expectedVersion: 'old' }), 'still new');
    await assert.rejects(set('d', 'new', { expectedVersion: 'old' }), denied);
  });
});

describe('batched decisions', () => {
  let reads: number[];
  /** The same change, whose reads and statements are shared. */
  const batched: Decision<Change, string, { before: string }, string> = {
    batched: true,
    early: false,
    targets: change.targets,
    async read(db, inputs) {
      reads.push(inputs.length);
      const ids = inputs.map(({ id }) => id);
      const rows = await db.rows<{ id: string; state: string }>(
        statement`SELECT id, state FROM thing WHERE organization_id = ${organization} AND id = ANY(${ids}::text[])`,
      );
      return ids.map(id => rows.find(row => row.id === id)!.state);
    },
    plan: change.plan,
    store(planned) {
      planned[0]!.write.send(statement`
        UPDATE thing SET state = i.state, at = ${planned[0]!.write.at}
        FROM unnest(${planned.map(({ input }) => input.id)}::text[],
          ${planned.map(({ input }) => input.state)}::text[]) AS i (id, state)
        WHERE thing.organization_id = ${organization} AND thing.id = i.id`);
      return planned.map(({ input, plan }) => `${plan.before} → ${input.state}`);
    },
  };
  const setBatched = (id: string, state: string) => writes.decide({ ...call(), id, state }, batched);
  beforeEach(() => {
    reads = [];
  });

  test('that wait share a read and an instant; a rejected and an unchanged one do not affect the others', async () => {
    let sent: Promise<PromiseSettledResult<string>[]> | undefined;
    await meanwhile(
      () => {
        const first = setBatched('a', 'first');
        const rest = [
          setBatched('a', 'done'),
          setBatched('b', 'new'),
          setBatched('d', 'x'),
          setBatched('c', 'done'),
        ];
        sent = Promise.allSettled([first, ...rest]);
        return first;
      },
      () => Promise.resolve(),
    );
    const answers = (await sent!).map(result =>
      result.status === 'fulfilled' ? result.value : result.reason,
    );
    assert.deepEqual(answers, ['new → first', 'first → done', 'still new', denied, 'new → done']);
    assert.deepEqual(reads, [1, 4]);
    const [row] = await sql`SELECT count(DISTINCT at)::int AS n FROM thing
      WHERE organization_id = ${organization} AND id IN ('a', 'c')`;
    assert.equal(row!['n'], 1);
  });

  test('of one target never share a transaction', async () => {
    const answers = await Promise.all(['1', '2', '3'].map(state => setBatched('a', state)));
    assert.deepEqual(answers, ['new → 1', '1 → 2', '2 → 3']);
    assert.deepEqual(reads, [1, 1, 1]);
  });
});

describe('a dry run of a decision', () => {
  test('answers as the decision would, and leaves everything as it is', async () => {
    const before = await clock();
    const dryRun = true;
    assert.equal(await set('a', 'done', { dryRun }), 'new → done');
    assert.equal(await set('a', 'new', { dryRun }), 'still new');
    await assert.rejects(set('d', 'new', { dryRun }), denied);
    assert.deepEqual([await stateOf('a'), await clock()], ['new', before]);
    assert.ok(plannedAt.every(at => at === receivedAt));
  });
});
