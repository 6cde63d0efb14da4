import type { Fault } from './fault.ts';

/** Bounds of requests, quotas, queues and guessing. */
export const limitFaults: readonly Fault[] = [
  {
    name: 'quota-last-request',
    breaks: 'a quota lets exactly its requests pass',
    before: 'allowed: count <= policy.requests,',
    after: 'allowed: count < policy.requests,',
    caughtBy: ['http/quota'],
  },
  {
    name: 'quota-remaining',
    breaks: 'the rest of a quota is never negative',
    before: 'remaining: Math.max(0, policy.requests - count),',
    after: 'remaining: policy.requests - count,',
    caughtBy: ['http/quota'],
  },
  {
    name: 'quota-own',
    breaks: 'the quota of a key comes before the default one',
    before: 'const policy = ownPolicy ?? defaultPolicy;',
    after: 'const policy = ownPolicy === null ? defaultPolicy : defaultPolicy;',
    caughtBy: ['http/quota'],
  },
  {
    name: 'json-nesting',
    breaks: 'a body is nested 64 levels deep at most',
    before: 'if (open.length === nestingLimit) throw tooDeep();',
    after: 'if (open.length > nestingLimit) throw tooDeep();',
    caughtBy: ['http/json'],
  },
  {
    name: 'json-members',
    breaks: 'a body has 10,000 members at most',
    before: 'if (++values > maxMembers + 1) throw tooManyMembers(maxMembers);',
    after: 'if (++values > maxMembers + 2) throw tooManyMembers(maxMembers);',
    caughtBy: ['http/json'],
  },
  {
    name: 'queue-share',
    breaks: 'a caller has its share of the sessions only',
    before: 'usage.allows(isBrief, this.#isThrottled(caller) ? 1 : max.caller)',
    after: 'usage.allows(isBrief, this.#isThrottled(caller) ? 1 : max.organization)',
    caughtBy: ['db/session-queue'],
  },
  {
    name: 'body-share',
    breaks: 'the large bodies of one caller leave places to others',
    before: "limiterOf({ inAll: 12, perKey: 3 }, 'large bodies'",
    after: "limiterOf({ inAll: 12, perKey: 12 }, 'large bodies'",
    caughtBy: ['http/slow-bodies'],
  },
  {
    name: 'client-address',
    breaks: 'an address that a stranger has written into X-Forwarded-For does not count',
    before: '      if (!trusts(address, 0)) break;',
    after: '',
    caughtBy: ['http/client-address'],
  },
  {
    name: 'sign-in-failures',
    breaks: 'a password is tried five times from a network',
    before: 'if (count <= failures) continue;',
    after: 'if (count <= failures + 1) continue;',
    caughtBy: ['security/login-throttle'],
  },
  {
    name: 'same-site',
    breaks: 'a write of the portal comes from a page of the portal',
    before: ": site === 'same-origin') return;",
    after: ": site !== 'cross-site') return;",
    caughtBy: ['security/origin'],
  },
  {
    name: 'page-beyond-number',
    breaks: 'a whole number of the query stays within its bounds',
    before: 'if (!(value >= min && value <= max))',
    after: 'if (!(value >= min))',
    caughtBy: ['http/query'],
  },
];
