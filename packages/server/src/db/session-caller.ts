import { AsyncLocalStorage } from 'node:async_hooks';

/** The client of a request, or the organization of a background job. Its statements get its share of the sessions. */
export interface SessionCaller {
  readonly organizationId: string;
  /** A key, a user, a token, the network of anonymous clients, or a kind of background work. */
  readonly id: string;
  /** The request that waits for an answer. Absent: background work, or an answer that is being sent. */
  readonly awaited?: AwaitedAnswer;
}

export interface AwaitedAnswer {
  /** When the request arrived, by `performance.now()`. The oldest request of a caller gets the next session. */
  readonly since: number;
  /** When its answer is too late, by `performance.now()`. */
  readonly until: number;
  /** Aborted when no client waits for the answer. */
  readonly signal: AbortSignal;
}

/** A request, which gets its caller while it is handled, or a job. */
export interface WithCaller {
  /** Null: the statements are the service's own, such as those that authenticate a request. */
  readonly sessionCaller: SessionCaller | null;
}

const current = new AsyncLocalStorage<WithCaller>();

/** Runs work whose statements are those of the caller that `request` has at the time. */
export function runWithCaller<T>(request: WithCaller, work: () => T): T {
  return current.run(request, work);
}

/** Runs work for an organization without a request. */
export function runForOrganization<T>(organizationId: string, id: string, work: () => T): T {
  return runWithCaller({ sessionCaller: { organizationId, id } }, work);
}

/** Runs work of the service itself, whatever request it was begun in. */
export function runForService<T>(work: () => T): T {
  return runWithCaller({ sessionCaller: null }, work);
}

export function currentCaller(): SessionCaller | null {
  return current.getStore()?.sessionCaller ?? null;
}
