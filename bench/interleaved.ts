import type { Load } from './wrk.ts';

/** Puts the database under load for a second or more. */
export type Run<Measured extends Load = Load> = (seconds: number) => Promise<Measured>;

/** Seconds that are not counted: connections open, plans and machine code are made, and what is counted once is counted. */
const warmUp = 3;

/**
 * Measures each of the runs for so many slices of a second, one after the other and every second time in the opposite order, so
 * that a machine that is slower for a while is so for all. Returns the slices of each run.
 */
export async function interleave<Measured extends Load>(
  runs: readonly Run<Measured>[],
  slices: number,
): Promise<Measured[][]> {
  for (const run of runs) await run(warmUp);
  const measured: Measured[][] = runs.map(() => []);
  for (let slice = 0; slice < slices; slice++) {
    const order = [...runs.entries()];
    for (const [index, run] of slice % 2 === 0 ? order : order.reverse()) measured[index]!.push(await run(1));
  }
  return measured;
}

/** The middle one of the slices, number by number: a stall of the host that hits one of them does not count. */
export function middle(loads: readonly Load[]): Load {
  const of = (name: 'perSecond' | 'mebibytes' | 'p50' | 'p99') => median(loads.map(load => load[name]));
  return {
    perSecond: of('perSecond'),
    mebibytes: of('mebibytes'),
    p50: of('p50'),
    p99: of('p99'),
    core: median(loads.map(load => load.core ?? 0)),
    failures: loads.reduce((sum, load) => sum + load.failures, 0),
  };
}

/** What share of the requests a second of others these are, slice by slice, the middle one: 0.5 is half of them. */
export function shareOf(own: readonly Load[], others: readonly Load[]): number {
  return median(own.map((load, slice) => load.perSecond / others[slice]!.perSecond));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2;
}
