import type { IncomingHttpHeaders } from 'node:http';
import {
  type Api,
  ApiError,
  type Credential,
  keyMayCall,
  keyPermissionOf,
  keyPermissionWords,
  missingPermission,
  type Operation,
} from '@kontor/contract';
import {
  anonymous,
  type Caller,
  checkFreshness,
  checkPasskey,
  noOrganization,
  type QuotaPolicy,
} from '../auth/caller.ts';
import type { CredentialLookups, LookUp } from '../auth/credential-lookups.ts';
import {
  type KnownRejection,
  RejectedError,
  type Rejection,
  type UnknownRejection,
} from '../auth/rejection.ts';
import { idOfSecret } from '../auth/secrets.ts';
import type { Counting } from '../lib/counting.ts';
import { credentialIn } from './request/headers.ts';
import type { QuotaState, RequestContext } from './request-context.ts';
import type { Telemetry } from './telemetry.ts';

/** How the requests of an API are admitted. */
export interface Admission {
  readonly api: Api;
  /** Returns the caller, why a known credential is rejected, or null for a missing or unknown one. `lookUp` reads one that is not cached. */
  authenticate(credential: string | undefined, lookUp: LookUp): Promise<Caller | KnownRejection | null>;
  readonly lookups: CredentialLookups;
  /** Null: the API has no quotas. */
  readonly quota: Quota | null;
}

/** Runs again after a body that arrived for up to two minutes: the session may have ended. With quotas it does not: each run is charged. */
export async function admit(
  context: RequestContext,
  operation: Operation,
  parts: Admission,
): Promise<Caller> {
  const caller = await authenticate(context, parts);
  if (parts.quota) await spendQuota(context, caller, parts.quota);
  checkKeyPermissions(caller, operation);
  checkPasskey(caller, operation);
  checkPermission(caller, operation);
  if (operation.needsFreshSignIn) checkFreshness(caller);
  return caller;
}

async function authenticate(
  context: RequestContext,
  { api: { credential }, authenticate, lookups }: Admission,
): Promise<Caller> {
  const sent = credentialIn(context.request.headers, credential);
  const caller = await authenticate(sent, read => lookups.from(context.address)(read));
  if (caller === null || 'reason' in caller) throw rejectedCredential(credential, sent, caller);
  checkExpectedUser(context.request.headers, caller);
  context.caller = caller;
  return caller;
}

/** An unknown session is neither logged nor counted: sessions expire every day. */
function rejectedCredential(
  { header, rejection: { code, message } }: Credential,
  sent: string | undefined,
  known: KnownRejection | null,
): ApiError {
  if (known === null && header === 'Cookie') return new ApiError(code, message);
  return new RejectedError(code, message, known ?? { reason: faultOf(sent) });
}

function faultOf(sent: string | undefined): UnknownRejection['reason'] {
  if (sent === undefined) return 'missing';
  return idOfSecret(sent) === null ? 'malformed' : 'unknown';
}

/** A page may show another user, as all tabs share one cookie and each sign-in replaces it. @throws ApiError INVALID_SESSION */
function checkExpectedUser(headers: IncomingHttpHeaders, { actor, session }: Caller): void {
  const expected = headers['x-expected-user'];
  if (session === undefined || expected === undefined || expected === actor.id) return;
  throw new ApiError('INVALID_SESSION', 'Another user has signed in in this browser; load the page again');
}

async function spendQuota(context: RequestContext, { actor, quota }: Caller, spend: Quota): Promise<void> {
  context.quota = await spend.consume(actor.id, quota);
  if (!context.quota.allowed)
    throw new ApiError(
      'RATE_LIMIT_EXCEEDED',
      `The quota of the key is used up; wait ${context.quota.resetSeconds} seconds, as Retry-After says`,
    );
}

/** After the quota: the key is valid, so the request costs one. The client cannot use the key for this, so the answer calls it unusable. */
function checkKeyPermissions({ actor, scope, keyPermissions = null }: Caller, operation: Operation): void {
  if (keyMayCall(keyPermissions, operation)) return;
  const allowed = keyPermissions!.map(keyPermissionWords).join(', ');
  const needed = keyPermissionWords(keyPermissionOf(operation));
  throw new RejectedError('INVALID_API_KEY', `This key may only ${allowed}; use a key that may ${needed}`, {
    action: 'key.use',
    id: actor.id,
    organizationId: 'organizationId' in scope ? scope.organizationId : noOrganization,
    reason: 'permission_missing',
  });
}

function checkPermission({ permissions, session }: Caller, operation: Operation): void {
  const missing = missingPermission(permissions, operation);
  if (missing === undefined) return;
  const advice = session ? 'ask an administrator of the organization for it' : 'use a token that has it';
  throw new ApiError('PERMISSION_DENIED', `The permission ${missing} is missing; ${advice}`);
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

/** If the error is a rejection, counts it and audits it. The rejection of an unknown credential is logged instead. */
export function reportRejection(error: unknown, context: RequestContext, telemetry: Telemetry): void {
  const rejection = error instanceof ApiError ? rejectionOf(error, context) : null;
  if (rejection === null) return;
  const { metrics, logger, rejected } = telemetry;
  const { requestId, operation, address, caller } = context;
  const { reason } = rejection;
  metrics.rejected(reason);
  if ('action' in rejection)
    rejected?.({ ...rejection, requestId, address, actor: (caller ?? anonymous).actor });
  else if (reason !== 'missing')
    logger.warn({ requestId, operation, reason, claim: rejection.claim }, 'rejected an unknown credential');
}

function rejectionOf(error: ApiError, context: RequestContext): Rejection | null {
  if (error instanceof RejectedError) return error.rejection;
  const { request, operation, caller, organizationId: named } = context;
  if (caller === null) return null;
  const { scope } = caller;
  const organizationId = 'organizationId' in scope ? scope.organizationId : noOrganization;
  switch (error.code) {
    case 'PERMISSION_DENIED':
      return { action: 'operation.call', id: operation, organizationId, reason: 'permission_missing' };
    case 'TENANT_NOT_IN_SCOPE': {
      const id = String(request.headers['x-tenant-id']).toLowerCase();
      return { action: 'tenant.select', id, organizationId, reason: 'tenant_not_in_scope' };
    }
    case 'NOT_FOUND':
      return named !== null && isForeign(caller, named)
        ? { action: 'organization.select', id: named, organizationId, reason: 'organization_not_in_scope' }
        : null;
    default:
      return null;
  }
}

/** Whether the organization of the path is outside of the caller's access. */
function isForeign({ scope }: Pick<Caller, 'scope'>, named: string): boolean {
  return 'organizations' in scope && scope.organizations !== 'all' && !scope.organizations.includes(named);
}
