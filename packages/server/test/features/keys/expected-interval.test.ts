import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sql as fragment } from '../../../src/db/sql.ts';
import { computedInterval, usageDays } from '../../../src/features/keys/activity.ts';
import { useFixture } from '../../support/service/fixture.ts';

const fixture = useFixture();
const hour = 3600;
const today = '2026-11-22';
const dayBefore = (days: number) =>
  new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);

/** A pause that ended so many days before the last success. */
interface Pause {
  readonly days: number;
  readonly seconds: number;
}

const pauses = (seconds: Readonly<Record<number, number>>): Pause[] =>
  Object.entries(seconds).map(([days, longest]) => ({ days: Number(days), seconds: longest }));

/** The intervals of keys with these pauses, as the database computes them. */
async function intervalsOf(keys: readonly (readonly Pause[])[]): Promise<(number | null)[]> {
  const { sql, testData } = fixture;
  const place = testData.organization;
  const ids = keys.map((_, index) => `pauses${String(index).padStart(6, '0')}`);
  const rows = keys.flatMap((given, index) =>
    [...Map.groupBy(given, ({ days }) => days)].map(([days, found]) => ({
      id: ids[index]!,
      day: dayBefore(days),
      seconds: Math.max(...found.map(({ seconds }) => seconds)),
    })),
  );
  await sql`
    INSERT INTO api_key (organization_id, id, name, folded_name, secret_hash, whole_organization, last_four,
      created_by_type, created_by, last_success_at)
    SELECT ${place}, id, 'Pauses', 'pauses', ''::bytea, true, '0000', 'operator', 'operator', ${`${today}T12:00:00Z`}::timestamptz FROM unnest(${ids}::text[]) AS id`;
  await sql`
    INSERT INTO key_usage (organization_id, key_id, day, requests, rejected, limited, failed, last_at, longest_pause)
    SELECT ${place}, id, day, 1, 0, 0, 0, day, seconds FROM unnest(${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ day }) => day)}::date[], ${rows.map(({ seconds }) => seconds)}::int[]) AS row (id, day, seconds)`;
  try {
    const found = await sql.rows<{ computed: number | null }>(fragment`
      SELECT ${computedInterval(fragment`${place}`)} AS computed FROM api_key k
      WHERE k.organization_id = ${place} AND k.id = ANY(${ids}::text[]) ORDER BY k.id`);
    return found.map(({ computed }) => computed);
  } finally {
    await sql`DELETE FROM key_usage WHERE organization_id = ${place} AND key_id = ANY(${ids}::text[])`;
    await sql`DELETE FROM api_key WHERE organization_id = ${place} AND id = ANY(${ids}::text[])`;
  }
}

const intervalOf = async (seconds: Readonly<Record<number, number>>) =>
  (await intervalsOf([pauses(seconds)]))[0];

/** The interval of a usual pause. */
const intervalAfter = (usual: number) => Math.max(15 * 60, Math.ceil(usual * 1.5));

describe('the computed interval', () => {
  test('is half as long again as the longest pause of four weeks, but for the day with the very longest', async () => {
    assert.equal(await intervalOf({ 0: 60, 1: 5 * hour, 9: 1300, 20: 120 }), 1950);
    assert.equal(await intervalOf({ 0: 60, 1: 5 * hour, 9: 4 * hour, 20: 120 }), 6 * hour);
    assert.equal(await intervalOf({ 0: 60, 1: 5 * hour, 9: 1301, 20: 120 }), 1952);
  });

  test('is a quarter of an hour at least', async () => {
    assert.equal(await intervalOf({ 0: 6, 1: 6, 20: 6 }), 900);
  });

  test('of what runs on working days at night covers a week-end', async () => {
    const nights = Array.from({ length: 26 }, (_, days) => days)
      .map(days => [days, new Date(dayBefore(days)).getUTCDay()] as const)
      .filter(([, weekday]) => weekday !== 0 && weekday !== 6)
      .map(([days, weekday]) => [days, (weekday === 1 ? 72 : 24) * hour] as const);
    assert.equal(await intervalOf(Object.fromEntries(nights)), 108 * hour);
  });

  test('of what runs once a week covers a week', async () => {
    assert.equal(await intervalOf({ 1: 168 * hour, 8: 168 * hour, 15: 168 * hour }), 252 * hour);
  });

  test('is not known before two week-ends and three days were seen', async () => {
    const found = await intervalsOf([
      [],
      pauses({ 0: 60, 1: 60, 2: 60, 13: 60 }),
      pauses({ 0: 60, 14: 60 }),
      pauses({ 0: 60, 1: 60, 14: 60 }),
    ]);
    assert.deepEqual(found, [null, null, null, 900]);
  });

  const anyPauses = fc.array(
    fc.record({ days: fc.nat({ max: 60 }), seconds: fc.nat({ max: 20 * 24 * hour }) }),
    { maxLength: 80 },
  );

  /** The interval by a plain model. */
  function modelOf(given: readonly Pause[]): number | null {
    const longest = Array.from({ length: usageDays }, (_, days) =>
      given.filter(pause => pause.days === days).map(({ seconds }) => seconds),
    );
    const days = longest.flatMap((found, age) =>
      found.length > 0 ? [{ age, max: Math.max(...found) }] : [],
    );
    if (days.length < 3 || !days.some(({ age }) => age >= 14)) return null;
    const max = days.map(day => day.max);
    max.splice(max.indexOf(Math.max(...max)), 1);
    return intervalAfter(Math.max(...max));
  }

  test('equals that of a plain model, for any pauses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPauses, { minLength: 1, maxLength: 20 }), async keys => {
        assert.deepEqual(await intervalsOf(keys), keys.map(modelOf));
      }),
      { numRuns: 30 },
    );
  });

  test('is not changed by one outage, however long', async () => {
    const regular = fc.tuple(
      fc.integer({ min: 60, max: 24 * hour }),
      fc.nat({ max: 27 }),
      fc.nat({ max: 60 * 24 * hour }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(regular, { minLength: 1, maxLength: 20 }), async cases => {
        const keys = cases.map(([pause, at, outage]) => {
          const days = Object.fromEntries(Array.from({ length: 28 }, (_, n) => [n, pause]));
          return pauses({ ...days, [at]: pause + outage });
        });
        assert.deepEqual(
          await intervalsOf(keys),
          cases.map(([pause]) => intervalAfter(pause)),
        );
      }),
      { numRuns: 20 },
    );
  });
});
