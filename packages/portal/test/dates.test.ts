import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { i18n } from '@lingui/core';
import { day, distance, parseDay, typedDay } from '../src/kit/dates.ts';

const hour = 3_600_000;
const away = (hours: number) => distance(new Date(Date.now() + hours * hour + 1000).toISOString());

describe('how far away something is', () => {
  test('is counted in time that goes by, not by the calendar: 47 hours ago are not yesterday', () => {
    i18n.load({ en: {}, de: {} });
    i18n.activate('en');
    assert.deepEqual([0, -25, -47, 47, -45 * 24, -500 * 24].map(away), [
      'this minute',
      '1 day ago',
      '1 day ago',
      'in 2 days',
      '1 month ago',
      '1 year ago',
    ]);
    i18n.activate('de');
    assert.deepEqual([0, -47, 47].map(away), ['in dieser Minute', 'vor 1 Tag', 'in 2 Tagen']);
  });

  test('is rounded when it is ahead: a key that expires a moment before three days does not expire in two', () => {
    i18n.load({ en: {}, de: {} });
    const ahead = (hours: number) => distance(new Date(Date.now() + hours * hour - 1000).toISOString());
    i18n.activate('en');
    assert.deepEqual([72, 60, 58, 24 * 30].map(ahead), ['in 3 days', 'in 2 days', 'in 2 days', 'in 30 days']);
    i18n.activate('de');
    assert.equal(ahead(72), 'in 3 Tagen');
  });

  test('is a day of the language: British English and German', () => {
    i18n.load({ en: {}, de: {} });
    i18n.activate('en');
    assert.equal(day('2026-09-03'), '3 Sept 2026');
    i18n.activate('de');
    assert.equal(day('2026-09-03'), '03.09.2026');
  });

  test('has a year of four digits, also the year 26', () => {
    i18n.load({ en: {}, de: {} });
    i18n.activate('en');
    assert.deepEqual([day('0026-11-01'), typedDay('0026-11-01')], ['1 Nov 0026', '01/11/0026']);
    i18n.activate('de');
    assert.deepEqual([day('0026-11-01'), typedDay('0026-11-01')], ['01.11.0026', '01.11.0026']);
  });
});

describe('a typed day', () => {
  const november = [
    '01 11 26',
    '1.11.26',
    '1.11.26.',
    '1. 11. 2026',
    '01.11.2026',
    '01/11/2026',
    '1/11/26',
    '1-11-2026',
    '011126',
    '01112026',
    ' 2026-11-01 ',
  ];
  for (const text of november)
    test(`${text} is 1 November 2026`, () => assert.equal(parseDay(text), '2026-11-01'));

  test('may be the leap day of a leap year', () => {
    assert.deepEqual(['29.2.28', '29.2.27', '290228'].map(parseDay), ['2028-02-29', null, '2028-02-29']);
  });

  for (const text of [
    '',
    '1.11.',
    '1.11.6',
    '1.11.026',
    '31.2.26',
    '13/13/2026',
    '0.1.26',
    '11126',
    'morgen',
    '2026-13-01',
  ])
    test(`is not "${text}"`, () => assert.equal(parseDay(text), null));

  test('is shown as it can be typed again', () => {
    i18n.load({ en: {}, de: {} });
    for (const language of ['en', 'de']) {
      i18n.activate(language);
      assert.equal(parseDay(typedDay('2026-11-01')), '2026-11-01');
    }
  });
});
