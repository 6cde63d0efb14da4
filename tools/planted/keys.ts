import type { Fault } from './fault.ts';

/** API keys, sessions and what proves the identity of a user. */
export const keyFaults: readonly Fault[] = [
  {
    name: 'key-deleted',
    breaks: 'a deleted key stays deleted',
    before: 'deleted:  { deactivate: null,       reactivate: null,     delete',
    after: "deleted:  { deactivate: null,       reactivate: 'active', delete",
    caughtBy: ['keys/rules'],
  },
  {
    name: 'key-expired',
    breaks: 'an expired key is not accepted',
    before: "remaining !== null && remaining <= 0 ? 'expired' : status",
    after: "remaining !== null && remaining > 0 ? 'expired' : status",
    caughtBy: ['auth/api-keys'],
  },
  {
    name: 'key-inactive',
    breaks: 'an inactive key is not accepted',
    before: "if (status !== 'active') return status === 'inactive'",
    after: "if (status === 'deleted') return status === 'inactive'",
    caughtBy: ['auth/api-keys'],
  },
  {
    name: 'key-checksum',
    breaks: 'a wrong checksum is found without a query',
    before: 'match[1] !== prefix || checksum(text.slice(0, -7)) !== match[4]',
    after: 'match[1] !== prefix',
    caughtBy: ['auth/api-keys', 'auth/secrets'],
  },
  {
    name: 'key-no-hash',
    breaks: 'no hash matches an unknown secret',
    before: 'timingSafeEqual(hash, stored ?? unknownHash) && stored !== null;',
    after: 'timingSafeEqual(hash, stored ?? unknownHash);',
    caughtBy: ['auth/api-keys', 'auth/secrets'],
  },
  {
    name: 'key-notified',
    breaks: 'a change of a key reaches all processes at once',
    before: 'SELECT pg_notify(${keyChannel}, ${id})',
    after: "SELECT pg_notify(${keyChannel}, '')",
    caughtBy: ['auth/api-keys'],
  },
  {
    name: 'key-grants-cover',
    breaks: 'a grant of all divisions covers single ones',
    before: "divisions.length < granted.length ? 'all' : divisions",
    after: 'divisions',
    caughtBy: ['auth/api-keys'],
  },
  {
    name: 'key-granted-tenant',
    breaks: 'nobody gives a key more than they see',
    before: 'if (!tenants.has(tenant) || !grantsWholeTenant(scope, tenant))',
    after: 'if (!tenants.has(tenant))',
    caughtBy: ['portal/api-keys'],
  },
  {
    name: 'key-health-order',
    breaks: 'a key that fails is shown as failing while it is being replaced',
    before: "WHEN ${isFailing(organization)} THEN 'failing'",
    after:
      "WHEN ${isBeingReplaced(organization)} THEN 'being_replaced' WHEN ${isFailing(organization)} THEN 'failing'",
    caughtBy: ['keys/health-state'],
  },
  {
    name: 'key-error-loop',
    breaks: 'a loop of errors pushes out no errors of other operations',
    before: 'alike.length > groupsKeptPerCode ? alike[0] : all.length > groupsKept ? all[0]',
    after: 'all.length > groupsKept ? all[0]',
    caughtBy: ['keys/usage/health'],
  },
  {
    name: 'session-idle',
    breaks: 'a session ends that is not used for an hour',
    before:
      'const isAlive = sql`(s.expires_at > clock_timestamp() AND s.last_seen_at > ${ago(sessionLimits.idle)})`;',
    after: 'const isAlive = sql`(s.expires_at > clock_timestamp())`;',
    caughtBy: ['portal/sessions'],
  },
  {
    name: 'session-own',
    breaks: 'users see their own sessions only',
    before: 'WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId} AND ${isAlive}`;',
    after: 'WHERE s.organization_id = ${organizationId} AND ${userId} IS NOT NULL AND ${isAlive}`;',
    caughtBy: ['portal/sessions'],
  },
  {
    name: 'session-fresh',
    breaks: 'a sign-in is fresh for ten minutes',
    before: 's.authenticated_at > ${ago(sessionLimits.fresh)} AS "isFresh"',
    after: 's.authenticated_at <= clock_timestamp() AS "isFresh"',
    caughtBy: ['portal/permissions'],
  },
  {
    name: 'session-cookie',
    breaks: 'no script reads the cookie of a session',
    before: "const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';",
    after: "const attributes = 'Path=/; Secure; SameSite=Strict';",
    caughtBy: ['portal/sign-in'],
  },
  {
    name: 'challenge-purpose',
    breaks: 'a challenge serves the purpose that it was made for',
    before: 'AND purpose = ${purpose} AND session_id = ${sessionId} AND expires_at > statement_timestamp()',
    after: 'AND ${purpose} <> ${sessionId} AND expires_at > statement_timestamp()',
    caughtBy: ['portal/passkeys'],
  },
  {
    name: 'user-own-permissions',
    breaks: 'the last administrator cannot take the permission from themselves',
    before: "if (callerId === userId && permissions && !permissions.includes('COMPANY_ADMIN'))",
    after: "if (callerId !== userId && permissions && !permissions.includes('COMPANY_ADMIN'))",
    caughtBy: ['portal/users'],
  },
];
