import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { departures, recordedSession } from './recorded.ts';
import { recordSession } from './session.ts';

let recorded: string[];
let readRecorded: string[];
before(async () => {
  recorded = await recordedSession();
  readRecorded = await recordSession();
});

test('/v1 answers the recorded session as before: status, headers in their order, and body', () => {
  assert.ok(recorded.length > 250, String(recorded.length));
  assert.deepEqual(
    departures(recorded, readRecorded),
    [],
    `/v1 answers otherwise than recorded.http. If clients are meant to see that, run "node tools/record-session.ts":\n${departures(recorded, readRecorded).join('\n')}`,
  );
});

describe('a departure is found out', () => {
  const faults: [name: string, plant: (entry: string) => string][] = [
    ['a word in a message', entry => entry.replace('Send a valid', 'Please send a valid')],
    ['the order of headers', entry => entry.replace(/^(Content-Type: .*\n)(Content-Length: .*\n)/m, '$2$1')],
    ['the case of a header', entry => entry.replace('X-Request-ID:', 'x-request-id:')],
    ['a header more', entry => entry.replace('\n\n{', '\nX-Powered-By: one\n\n{')],
  ];
  for (const [name, plant] of faults)
    test(name, () => {
      const planted = recorded.map((entry, at) => (at === rejected() ? plant(entry) : entry));
      assert.notDeepEqual(planted, recorded);
      assert.equal(departures(recorded, planted).length, 1);
    });
  const rejected = () => recorded.findIndex(entry => entry.includes('INVALID_API_KEY'));

  test('an exchange that is missing', () => {
    assert.equal(departures(recorded, recorded.slice(1)).length, 1);
  });
});
