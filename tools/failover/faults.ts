import { setTimeout as delay } from 'node:timers/promises';
import {
  type Cluster,
  type Node,
  postmasterOf,
  processesOf,
  query,
  type Roles,
  signal,
  times,
} from './cluster.ts';
import type { Service } from './services.ts';

/** A fault works on these. */
export interface Stage extends Roles {
  readonly services: readonly Service[];
}

/** Longer than the leader may keep its key without an answer. */
const longerThanKey = (times.ttl + times.loop_wait + 10) * 1_000;

/** Milliseconds in which commits wait for a standby: longer than a statement and a request may take. */
const standbyAway = 15_000;

/** Milliseconds in which clients work before the fault. */
export const before = 3_000;

/** Lets processes stand still for a while. They run again also when the wait is aborted. */
async function freeze(pids: readonly number[], milliseconds: number): Promise<void> {
  signal(pids, 'SIGSTOP');
  try {
    await delay(milliseconds);
  } finally {
    signal(pids, 'SIGCONT');
  }
}

/** The faults by name. Each resolves when it is over; the cluster may still recover. */
export const faults: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'primary killed': async ({ leader }) => signal([postmasterOf(leader)!, ...children(leader)], 'SIGKILL'),

  'primary frozen': ({ leader }) => freeze(processesOf(leader), longerThanKey),

  switchover: async ({ leader, standby }) => {
    const answer = await fetch(`http://127.0.0.1:${leader.agentPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name, candidate: standby.name }),
    });
    if (!answer.ok) throw new Error(`Patroni rejected the switchover: ${await answer.text()}`);
  },

  'standbys lost': ({ standby, other }) =>
    freeze([...processesOf(standby), ...processesOf(other)], standbyAway),

  // The server lives on and answers, and its agent cannot stop it.
  'primary cut off': ({ leader }) => freeze([leader.agent.pid!], longerThanKey),

  'Kontor killed': ({ services }) => services[0]!.restart(),
};

/** PostgreSQL of a node without its agent. */
function children(node: Node): number[] {
  return processesOf(node).filter(pid => pid !== node.agent.pid);
}

/** Watches which server a new connection through HAProxy reaches. */
export class RouteWatch {
  /** The instant at which another server than at first answered, as a primary; null as long as none did. */
  changedAt: number | null = null;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor({ url }: Cluster, first: Node) {
    this.#running = this.#watch(url, first.port);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #watch(url: string, first: number): Promise<void> {
    const text = 'SELECT inet_server_port() AS port, pg_is_in_recovery() AS "isStandby"';
    while (!this.#stopping.signal.aborted && this.changedAt === null) {
      const [row] = await query<{ port: number; isStandby: boolean }>(url, text).catch(() => []);
      if (row && row.port !== first && !row.isStandby) this.changedAt = performance.now();
      await delay(100);
    }
  }
}
