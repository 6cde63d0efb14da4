import { interleave, middle, shareOf } from './interleaved.ts';
import { readCoreTime } from './processes.ts';
import type { Side } from './cluster-sides.ts';
import { type Load, load, type Target } from './wrk.ts';

const clients = 32;
/** Slices of a second of each case on each side. */
const slices = 14;

/** Where it is measured. */
export interface Place {
  /** For files of the load generator. */
  readonly folder: string;
  /** The first processes of all PostgreSQL servers. */
  readonly servers: readonly number[];
}

/** What is compared with another one. */
export interface Contender {
  readonly side: Side;
  readonly target: () => Target;
}

export interface Measured extends Load {
  /** Milliseconds of a core that a request takes in the service, and in all servers of the database. */
  readonly serviceTime: number;
  readonly databaseTime: number;
}

/** Two contenders, the middle slice of each, and what share of the first one's pace the second has. */
export interface Comparison {
  readonly one: Measured;
  readonly other: Measured;
  readonly share: number;
}

/** Measures two contenders interleaved, in slices of a second. */
export async function compare(place: Place, one: Contender, other: Contender): Promise<Comparison> {
  loop();
  const runs = [one, other].map(contender => (seconds: number) => measure(place, contender, seconds));
  const [ours, theirs] = (await interleave(runs, slices)) as [Measured[], Measured[]];
  return { one: summed(ours), other: summed(theirs), share: shareOf(theirs, ours) };
}

/** Measures a contender by itself. */
export async function measureOne(place: Place, contender: Contender): Promise<Measured> {
  loop();
  const [measured] = await interleave([seconds => measure(place, contender, seconds)], slices);
  return summed(measured!);
}

/** The middle slice; time is that of all slices, since it is counted in hundredths of a second only. */
function summed(measured: readonly Measured[]): Measured {
  const requests = measured.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const time = (of: 'serviceTime' | 'databaseTime') =>
    measured.reduce((sum, slice) => sum + slice[of] * slice.perSecond, 0) / requests;
  return {
    ...middle(measured),
    serviceTime: time('serviceTime'),
    databaseTime: time('databaseTime'),
  };
}

async function measure(
  { folder, servers }: Place,
  { side, target }: Contender,
  seconds: number,
): Promise<Measured> {
  const spent = () => [readCoreTime([side.pid]), readCoreTime(servers)] as const;
  const before = spent();
  const measured = await load(folder, target(), clients, seconds);
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

/** Takes the same work each time: its duration shows how much of a core was left. */
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
