import { setTimeout } from 'node:timers/promises';
import { newId } from '../packages/server/src/db/ids.ts';
import type { Population } from './seed.ts';

/** Creates ten employees a second through the API until the answer is called. */
export function startTrickle(service: string, key: string, population: Population): () => Promise<void> {
  const stop = new AbortController();
  const done = (async () => {
    for (let next = performance.now(); !stop.signal.aborted; next += 100) {
      await create(service, key, population.tenants[3]!);
      await setTimeout(Math.max(0, next + 100 - performance.now()));
    }
  })();
  return () => {
    stop.abort();
    return done;
  };
}

async function create(service: string, key: string, tenant: string): Promise<void> {
  const answer = await fetch(`${service}/v1/employees`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'X-Tenant-ID': tenant, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `trickle.${newId()}@example.com`, firstName: 'Otto', lastName: 'Tropf' }),
  });
  if (answer.status !== 201) throw new Error(`create answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
