import type { Counted } from '../http/counting.ts';

/** Where the processes of a service answer, all of them alike. */
export interface Addresses {
  readonly baseUrl: string;
  readonly referenceUrl: string;
}

/** A call of `Counting` that the primary process makes for a worker; `seconds` belongs to `add`. */
export interface CountingCall {
  readonly method: 'add' | 'giveBack' | 'reset';
  readonly name: string;
  readonly seconds: number;
}

/** The values of a metric, as prom-client writes them. */
export interface MetricValues {
  readonly values: readonly { readonly labels: Readonly<Record<string, unknown>> }[];
}

/** What a worker tells the primary process. `ask` numbers a question, and what is said to it. */
export type ToPrimary =
  | { readonly kind: 'started' }
  | { readonly kind: 'listening'; readonly addresses: Addresses }
  | { readonly kind: 'count'; readonly ask: number; readonly calls: readonly CountingCall[] }
  | { readonly kind: 'metrics'; readonly ask: number; readonly metrics: readonly MetricValues[] };

/** What the primary process tells a worker. */
export type ToWorker =
  | { readonly kind: 'start'; readonly port: number }
  | { readonly kind: 'counted'; readonly ask: number; readonly counted: readonly (Counted | null)[] }
  | { readonly kind: 'show metrics'; readonly ask: number }
  | { readonly kind: 'stop' };
