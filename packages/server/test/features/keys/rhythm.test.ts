import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { allowedPause, type Pause, rhythmDays, usualPause } from '../../../src/features/keys/rhythm.ts';

const hour = 3600;
const today = '2026-11-22';
const dayBefore = (days: number) =>
  new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);

/** Pauses that ended so many days before today. */
const pauses = (seconds: Readonly<Record<number, number>>): Pause[] =>
  Object.entries(seconds).map(([days, longest]) => ({ day: dayBefore(Number(days)), seconds: longest }));

describe('the usual pause', () => {
  test('is the longest one of the last four weeks, but for the day with the very longest', () => {
    assert.equal(usualPause(pauses({ 0: 60, 1: 5 * hour, 9: 300, 20: 120 }), today), 300);
    assert.equal(usualPause(pauses({ 0: 60, 1: 5 * hour, 9: 4 * hour, 20: 120 }), today), 4 * hour);
  });

  test('of what runs on working days at night is that over a week-end', () => {
    const nights = Array.from({ length: 26 }, (_, days) => days)
      .map(days => [days, new Date(dayBefore(days)).getUTCDay()] as const)
      .filter(([, weekday]) => weekday !== 0 && weekday !== 6)
      .map(([days, weekday]) => [days, (weekday === 1 ? 72 : 24) * hour] as const);
    assert.equal(usualPause(pauses(Object.fromEntries(nights)), today), 72 * hour);
  });

  test('of what runs once a week is a week', () => {
    assert.equal(usualPause(pauses({ 1: 168 * hour, 8: 168 * hour, 15: 168 * hour }), today), 168 * hour);
  });

  test('is not known before two week-ends and three days were seen', () => {
    assert.equal(usualPause([], today), null);
    assert.equal(usualPause(pauses({ 0: 60, 1: 60, 2: 60, 13: 60 }), today), null);
    assert.equal(usualPause(pauses({ 0: 60, 14: 60 }), today), null);
    assert.equal(usualPause(pauses({ 0: 60, 1: 60, 14: 60 }), today), 60);
  });

  const anyPauses = fc.array(
    fc.record({ days: fc.nat({ max: 60 }), seconds: fc.nat({ max: 20 * 24 * hour }) }),
    { maxLength: 80 },
  );

  test('is as a plain model says, whatever pauses there were, in any order', () => {
    fc.assert(
      fc.property(anyPauses, given => {
        const list = given.map(({ days, seconds }) => ({ day: dayBefore(days), seconds }));
        const longest = Array.from({ length: rhythmDays }, (_, days) =>
          given.filter(pause => pause.days === days).map(({ seconds }) => seconds),
        );
        const days = longest.flatMap((found, age) =>
          found.length > 0 ? [{ age, max: Math.max(...found) }] : [],
        );
        const isKnown = days.length >= 3 && days.some(({ age }) => age >= 14);
        const max = days.map(day => day.max);
        max.splice(max.indexOf(Math.max(...max)), 1);
        assert.equal(usualPause(list, today), isKnown ? Math.max(...max) : null);
        assert.equal(usualPause(list.toReversed(), today), usualPause(list, today));
      }),
    );
  });

  test('is not changed by one outage, however long', () => {
    const regular = fc.tuple(
      fc.integer({ min: 60, max: 24 * hour }),
      fc.nat({ max: 27 }),
      fc.nat({ max: 60 * 24 * hour }),
    );
    fc.assert(
      fc.property(regular, ([pause, at, outage]) => {
        const days = Object.fromEntries(Array.from({ length: 28 }, (_, n) => [n, pause]));
        assert.equal(usualPause(pauses({ ...days, [at]: pause + outage }), today), pause);
      }),
    );
  });
});

describe('the pause after which a key is silent', () => {
  test('is what a user expects, else half as much again as is usual, and a quarter of an hour at least', () => {
    assert.equal(allowedPause({ expected: 300, usual: 24 * hour }), 300);
    assert.equal(allowedPause({ expected: null, usual: 24 * hour }), 36 * hour);
    assert.equal(allowedPause({ expected: null, usual: 6 }), 900);
    assert.equal(allowedPause({ expected: null, usual: null }), null);
  });
});
