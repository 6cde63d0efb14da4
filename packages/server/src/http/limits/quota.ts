import type { QuotaPolicy } from '../../auth/caller.ts';
import type { Counting } from '../../lib/counting.ts';

export interface QuotaState {
  readonly allowed: boolean;
  readonly policy: QuotaPolicy;
  /** Requests left in the window. */
  readonly remaining: number;
  /** Whole seconds, at least 1, until the window ends. */
  readonly resetSeconds: number;
}

export interface Quota {
  /** Counts one request of a caller by its own policy, else the default one. Never rejects. */
  consume(callerId: string, policy: QuotaPolicy | null): Promise<QuotaState>;
}

export function quotaOf(counting: Counting, defaultPolicy: QuotaPolicy): Quota {
  return {
    async consume(callerId, ownPolicy) {
      const policy = ownPolicy ?? defaultPolicy;
      const { count, milliseconds } = await counting.add(`quota:${callerId}`, policy.seconds);
      return {
        allowed: count <= policy.requests,
        policy,
        remaining: Math.max(0, policy.requests - count),
        resetSeconds: Math.max(1, Math.ceil(milliseconds / 1000)),
      };
    },
  };
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11, sections 3 and 4). */
export function quotaHeaders({
  policy,
  remaining,
  resetSeconds,
}: QuotaState): [policy: string, state: string] {
  return [`"default";q=${policy.requests};w=${policy.seconds}`, `"default";r=${remaining};t=${resetSeconds}`];
}
