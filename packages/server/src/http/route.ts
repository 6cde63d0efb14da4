import type { Operation } from '@kontor/contract';
import type { CheckedList } from '../collection/check.ts';
import type { Scope } from '../scope.ts';
import type { QuotaPolicy } from './quota.ts';

/** A request that has passed every stage of the pipeline before the handler. Identifiers are in lower case. */
export interface Call {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly scope: Scope;
  /** The tenant of `X-Tenant-ID`, which is in scope; null when none was sent. */
  readonly tenant: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  /** The query by the types of the operation, with defaults filled in. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The body as the operation declares it; undefined where it declares none. */
  readonly body: unknown;
  readonly dryRun: boolean;
  /** The checked filter, sort and page of a collection; null elsewhere. */
  readonly list: CheckedList | null;
}

/** What a handler answers; `body` is JSON text. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation of the contract, bound to its handler. */
export interface Route {
  readonly operation: Operation;
  readonly operationId: string;
  /** Answers the call, or throws an {@link ApiError}; any other error becomes 503 or 500. */
  handle(call: Call): Promise<Answer>;
}

/** A valid, active key, with what it may see and its own quota; null: the default quota. */
export interface AuthenticatedKey {
  readonly id: string;
  readonly scope: Scope;
  readonly quota: QuotaPolicy | null;
}
