import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { i18n } from '@lingui/core';
import { distance } from '../src/kit/dates.ts';

const hour = 3_600_000;
const away = (hours: number) => distance(new Date(Date.now() + hours * hour + 1000).toISOString());

describe('how far away something is', () => {
  test('is counted in time that goes by, not by the calendar: 47 hours are not yesterday', () => {
    i18n.load({ en: {}, de: {} });
    i18n.activate('en');
    assert.deepEqual([0, -25, -47, 47, -45 * 24, -500 * 24].map(away), [
      'this minute',
      '1 day ago',
      '1 day ago',
      'in 1 day',
      '1 month ago',
      '1 year ago',
    ]);
    i18n.activate('de');
    assert.deepEqual([0, -47, 47].map(away), ['in dieser Minute', 'vor 1 Tag', 'in 1 Tag']);
  });
});
