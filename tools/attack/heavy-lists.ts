import { type Answer, apiClient } from '../../packages/server/test/support/client.ts';
import { storeEmployees } from '../../packages/server/test/support/employees.ts';
import { countSearches, slowDownSearch } from '../../packages/server/test/support/slow-search.ts';
import { testKey } from '../../packages/server/test/support/test-data.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

const rounds = 3;
const atOnce = 48;

/** Asks for 48 heavy lists with one key at once: several must be answered, and light lists of another key all along. */
export async function attackHeavyLists(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  const { sql, testData } = target;
  await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA, lastName: 'Heavy' }]);
  await slowDownSearch(sql);
  const service = await target.start();
  const other = await testKey(sql, testData.organization, 'all');
  const client = apiClient(service.url, { key: testData.keys.all });
  const findings: string[] = [];
  let answered = 0;
  let light = 0;
  let slowestLight = 0;
  for (let round = 1; round <= rounds; round++) {
    const over = new AbortController();
    const heavy = Promise.all(
      Array.from({ length: atOnce }, (_, n): Promise<Answer<any>> => {
        const filter = `lastName CONTAINS 'ea' AND lastName != 'x${round}.${n}'`;
        return client.get('/employees', { query: { filter } });
      }),
    ).finally(() => over.abort());
    while (!over.signal.aborted) {
      const began = performance.now();
      const { status } = await client.get('/divisions', { key: other });
      slowestLight = Math.max(slowestLight, performance.now() - began);
      light++;
      if (status !== 200) findings.push(`round ${round}: a light list of another key was answered ${status}`);
    }
    const statuses = (await heavy).map(({ status }) => status);
    const succeeded = statuses.filter(status => status === 200).length;
    answered += succeeded;
    if (succeeded < 3) findings.push(`round ${round}: ${succeeded} of ${atOnce} heavy lists were answered`);
    const odd = statuses.filter(status => status !== 200 && status !== 503);
    if (odd.length > 0) findings.push(`round ${round}: heavy lists were answered ${odd.join(', ')}`);
    log(`round ${round}: ${succeeded} of ${atOnce} heavy lists were answered`);
  }
  client.close();
  const searches = await countSearches(sql);
  return {
    findings,
    figures: {
      rounds,
      heavy: rounds * atOnce,
      answered,
      searches,
      light,
      'slowest light, ms': Math.round(slowestLight),
    },
  };
}
