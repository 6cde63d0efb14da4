import { coreTime } from './core-time.ts';
import type { Side } from './cluster-sides.ts';
import { type Load, load, type Target } from './wrk.ts';

const clients = 32;
const seconds = 5;
/** How often each case is measured on each side. */
const rounds = 3;

/** Where it is measured. */
export interface Place {
  /** For files of the load generator. */
  readonly folder: string;
  /** The first processes of all PostgreSQL servers. */
  readonly servers: readonly number[];
}

/** What is compared with another one. */
interface Contender {
  readonly side: Side;
  readonly target: () => Target;
  /** Done before each measurement. */
  readonly before?: () => Promise<unknown>;
}

export interface Measured extends Load {
  /** Milliseconds of a core that a request takes in the service, and in all servers of the database. */
  readonly serviceTime: number;
  readonly databaseTime: number;
}

/** Measures the contenders by turns; of each the run in the middle counts, with the failures of all. */
export async function byTurns(place: Place, contenders: readonly Contender[]): Promise<Measured[]> {
  const measured: Measured[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, { side, target, before }] of contenders.entries()) {
      await before?.();
      measured[index]!.push(await measure(place, side, target()));
    }
  return measured.map(middle);
}

function middle(runs: readonly Measured[]): Measured {
  const failures = runs.reduce((sum, run) => sum + run.failures, 0);
  const sorted = runs.toSorted((a, b) => a.perSecond - b.perSecond);
  return { ...sorted[Math.floor(runs.length / 2)]!, failures };
}

async function measure({ folder, servers }: Place, side: Side, target: Target): Promise<Measured> {
  loop();
  const spent = () => [coreTime([side.pid]), coreTime(servers)] as const;
  const before = spent();
  const measured = await load(folder, target, clients, seconds);
  const after = spent();
  const requests = measured.perSecond * seconds;
  return {
    ...measured,
    serviceTime: (after[0] - before[0]) / requests,
    databaseTime: (after[1] - before[1]) / requests,
  };
}

/** Requests a second, with the failures when there are any, then p50 and p99 in milliseconds. */
export function cells({ perSecond, p50, p99, failures }: Measured): string[] {
  const failed = failures > 0 ? ` **${failures} failed**` : '';
  return [`${Math.round(perSecond)}${failed}`, p50.toFixed(1), p99.toFixed(1)];
}

const looped: number[] = [];

/** Takes the same work each time: how long it takes says how much of a core was left to us. */
function loop(): void {
  const began = performance.now();
  let sum = 0;
  for (let n = 0; n < 3e7; n++) sum = (sum + n * n) % 1_000_003;
  const took = performance.now() - began;
  // So that the sum is needed.
  if (sum >= 0) looped.push(took);
}

/** How noisy the machine was. */
export function loops(): string {
  const sorted = looped.toSorted((a, b) => a - b).map(Math.round);
  const [best, half, worst] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)];
  return `The same loop before each run took ${best} ms at best, ${half} in the middle, ${worst} at worst.`;
}
