import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, apiClient } from '../../packages/server/test/support/client.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

const rounds = 10;
const writers = 16;
/** Creates that are acknowledged in a round before the service is killed. */
const acknowledgedAtLeast = 500;

/** Errors of a connection to a service that was killed. */
const lost = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/** Kills the service (SIGKILL) again and again while clients write: everything acknowledged must be there, as it was answered. */
export async function attackKillWrites(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  const acknowledged = new Map<string, unknown>();
  for (let round = 1; round <= rounds; round++) {
    const service = await target.start();
    const client = apiClient(service.url, { key: target.testData.keys.all });
    const enough = acknowledged.size + acknowledgedAtLeast;
    const writing = Promise.all(
      Array.from({ length: writers }, (_, n) =>
        create(client, { name: `${round}.${n}`, divisionId: target.testData.north }, acknowledged),
      ),
    );
    while (acknowledged.size < enough) await Promise.race([writing, delay(5)]);
    await service.end('SIGKILL');
    await writing;
    client.close();
    log(`round ${round}: ${acknowledged.size} writes acknowledged`);
  }
  const service = await target.start();
  const client = apiClient(service.url, { key: target.testData.keys.all });
  const stored = await readAll(client);
  client.close();
  const findings = [...acknowledged]
    .filter(([id, employee]) => JSON.stringify(stored.get(id)) !== JSON.stringify(employee))
    .map(([id]) => `employee ${id} was acknowledged and is lost or different`);
  return { findings, figures: { rounds, acknowledged: acknowledged.size, stored: stored.size } };
}

/** Creates employees until the service is gone. */
async function create(
  client: ApiClient,
  { name, divisionId }: { name: string; divisionId: string },
  acknowledged: Map<string, unknown>,
): Promise<void> {
  for (let n = 0; ; n++) {
    const body = { email: `${name}.${n}@example.com`, firstName: 'A', lastName: 'B', divisionId };
    try {
      const answer = await client.post('/employees', body);
      if (answer.status === 201) acknowledged.set(answer.body.id, answer.body);
      else if (answer.status !== 503) throw new Error(`a create was answered ${answer.status}`);
    } catch (error) {
      if (lost.includes((error as NodeJS.ErrnoException).code ?? '')) return;
      throw error;
    }
  }
}

async function readAll(client: ApiClient): Promise<Map<string, unknown>> {
  const stored = new Map<string, unknown>();
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await client.get('/employees', { query: { page, pageSize: 1000 } });
    pages = body.totalPages;
    for (const item of body.items) stored.set(item.id, item);
  }
  return stored;
}
