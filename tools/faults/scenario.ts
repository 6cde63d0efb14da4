import type { TestCluster } from '../../packages/server/test/support/database/cluster.ts';
import type { FaultProxy } from './proxy.ts';
import type { Round } from './round.ts';

/** What a fault can be made with. */
export interface FaultTools {
  readonly primary: TestCluster;
  /** The way of the service to the primary. */
  readonly proxy: FaultProxy;
  /** A standby of the primary, made when it is first asked for. */
  standby(): Promise<TestCluster>;
}

/** A fault that is in progress. */
export interface Stage extends FaultTools {
  readonly round: Round;
  /** Whether the service reports that it is ready. */
  ready(): Promise<boolean>;
  /** Lasts as long as the fault should, or this share of it. @throws the reason when the run is aborted. */
  hold(share?: number): Promise<void>;
  /** Repeats something for as long, every so many milliseconds. */
  repeat(every: number, work: () => Promise<unknown>, share?: number): Promise<void>;
  /** What is still to be undone when the service has been looked at after the end of the fault. */
  readonly afterwards: AsyncDisposableStack;
}

export interface Scenario {
  readonly name: string;
  /** How long the fault lasts. */
  readonly seconds: { readonly short: number; readonly full: number };
  /** Makes the fault, and ends it, also when it throws. */
  readonly strike: (stage: Stage) => Promise<void>;
}
