import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, apiClient } from '../support/contract/client.ts';

/** How many answers of a kind clients have received. */
export interface Answers {
  readonly reads: Map<number, number>;
  readonly writes: Map<number, number>;
  /** The `Retry-After` of the answers that have it. */
  readonly pauses: Set<number>;
}

export interface Load {
  /** Since the last call. */
  take(): Answers;
  /** Resolves when each client has sent more requests. */
  more(requests?: number): Promise<void>;
  stop(): Promise<void>;
}

const clients = 8;

const noAnswers = (): Answers => ({ reads: new Map(), writes: new Map(), pauses: new Set() });

/** Asserts that requests succeeded, or found the machine of the tests too busy (503): none was rejected. */
export function assertServed({ reads, writes }: Answers): void {
  const statuses = [...reads.keys(), ...writes.keys()];
  const rejected = statuses.filter(status => ![200, 201, 503].includes(status));
  assert.deepEqual(rejected, []);
  assert.ok(reads.has(200) && writes.has(201));
}

/** Eight clients that read a list and create an employee by turns. A request without an answer fails the test. */
export function startLoad(url: string, key: string, divisionId: string, name = 'load'): Load {
  let answers = noAnswers();
  const sent = Array.from({ length: clients }, () => 0);
  const stopping = new AbortController();
  const count = (of: Map<number, number>, status: number) => of.set(status, (of.get(status) ?? 0) + 1);
  const work = async (client: ApiClient, n: number) => {
    while (!stopping.signal.aborted) {
      const read = await client.get('/employees', { query: { pageSize: 1 } });
      count(answers.reads, read.status);
      const email = `${name}.${n}.${sent[n]}@example.com`;
      const write = await client.post('/employees', { email, firstName: 'A', lastName: 'B', divisionId });
      count(answers.writes, write.status);
      if (write.headers['retry-after']) answers.pauses.add(Number(write.headers['retry-after']));
      sent[n]!++;
    }
    client.close();
  };
  const working = Promise.all(sent.map((_, n) => work(apiClient(url, { key }), n)));
  working.catch(() => {});
  return {
    take() {
      const taken = answers;
      answers = noAnswers();
      return taken;
    },
    async more(requests = 5) {
      const enough = sent.map(so => so + requests);
      while (sent.some((so, n) => so < enough[n]!)) await Promise.race([working, delay(5)]);
    },
    async stop() {
      stopping.abort();
      await working;
    },
  };
}
