import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { useSdkFixture } from './support/fixture.ts';

// A file of its own: quota.test.ts mocks the timers, which the service needs.
const fixture = useSdkFixture();

test('writes that exceed the quota of the real service do not end as unknown', async () => {
  const quota = { requests: 60, seconds: 2 };
  const apiKey = await testKey(fixture.sql, fixture.testData.organization, 'all', quota);
  const kontor = fixture.kontor({ apiKey });
  const emails = Array.from({ length: 200 }, (_, number) => `night.${number}@example.com`).values();
  const work = async () => {
    for (const email of emails) await kontor.employees.create({ email, firstName: 'Ina', lastName: 'Nacht' });
  };
  await Promise.all(Array.from({ length: 8 }, work));
  const { totalElements } = await fixture.kontor().employees.list({ filter: "lastName = 'Nacht'" }).page();
  assert.equal(totalElements, 200);
});
