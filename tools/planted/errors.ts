import type { Fault } from './fault.ts';

/** The mapping of errors: codes, statuses, headers, and whether something may have been stored. */
export const errorFaults: readonly Fault[] = [
  {
    name: 'error-statement-timeout',
    breaks: 'a statement that took too long is answered with 503',
    before: "'57014', // query_canceled: statement_timeout",
    after: '// query_canceled: statement_timeout',
    caughtBy: ['http/failure'],
  },
  {
    name: 'error-uncertain-write',
    breaks: 'only a write that may have been stored asks to read first',
    before: "if (!mayStore) return 'try again later';",
    after: 'if (mayStore === undefined) return "";',
    caughtBy: ['http/failure'],
  },
  {
    name: 'error-retry-after',
    breaks: 'a 503 says when to try again',
    before: 'if (status === 503) return unavailableHeaders;',
    after: 'if (status === 503) return noHeaders;',
    caughtBy: ['http/failure'],
  },
  {
    name: 'error-request-id',
    breaks: 'an error carries the identifier of its request',
    before:
      'return JSON.stringify({ error: { code, message, requestId, ...(namesFields && rejectedField) } });',
    after: 'return JSON.stringify({ error: { code, message, requestId: code } });',
    caughtBy: ['http/failure'],
  },
  {
    name: 'error-lost-session',
    breaks: 'a session that the server has ended is given up',
    before: "const finalStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03']);",
    after: "const finalStates = new Set(['57P02', '57P03', '57P05', '25P03']);",
    caughtBy: ['db/failure'],
  },
  {
    name: 'error-doubtful-commit',
    breaks: 'a commit that no standby has confirmed counts as uncertain',
    before: "if (code === '57P01') return true;",
    after: "if (code === '57P01') return false;",
    caughtBy: ['db/transaction'],
  },
  {
    name: 'error-missing-permission',
    breaks: 'an operation takes its permission',
    before: 'name !== undefined && !permissions.has(name));',
    after: 'name !== undefined && permissions.size === 0);',
    caughtBy: ['platform/permissions'],
  },
  {
    name: 'session-of-other-user',
    breaks: 'a page of one user does nothing in the session of another one',
    before: 'if (session === undefined || expected === undefined || expected === actor.id) return;',
    after: 'if (session === undefined || expected === undefined || expected.length > 0) return;',
    caughtBy: ['security/session-tokens'],
  },
];
