import { ApiError, type AuditReason, type ErrorCode } from '@kontor/contract';
import type { Caller } from '../../auth/caller.ts';
import { idOfSecret } from '../../auth/secrets.ts';
import { credentialIn } from '../request/headers.ts';
import type { Exchange } from '../request-context.ts';

/** A request that was refused for lack of a right. Nothing of it is secret. */
export interface Denial {
  /** What was refused: a credential, to sign in or to use an invitation, or to a caller a tenant, an organization or an operation. */
  readonly of: 'key' | 'platform_token' | 'sign_in' | 'invitation' | 'tenant' | 'organization' | 'operation';
  /** Identifier of that; of a sign-in and of an invitation that of the user. */
  readonly id: string;
  /** What is known of it already, by the operation that has refused it. */
  readonly known?: KnownDenial;
  /** Null where it is a credential that was refused: nobody was let in. */
  readonly caller: Pick<Caller, 'actor' | 'scope'> | null;
  readonly requestId: string;
  /** Where the connection comes from. */
  readonly address: string;
}

/** To which audit a denial belongs, and why it was refused. */
interface KnownDenial {
  readonly organizationId: string;
  readonly reason: AuditReason;
}

/** What was shown to be let in is refused: only the operation knows whose it would be, and an answer does not tell. */
export class EntryDenied extends ApiError {
  readonly denied: Required<Pick<Denial, 'of' | 'id' | 'known'>>;

  constructor(code: ErrorCode, message: string, denied: EntryDenied['denied']) {
    super(code, message);
    this.denied = denied;
  }
}

/**
 * What the audit hears of a request that ended with an error; null where that is no matter of rights. A credential that is missing or
 * has not the form of one is none: anybody sends that, and no key is tried by it.
 */
export function denialOf(error: unknown, exchange: Exchange): Denial | null {
  const denied = error instanceof ApiError ? deniedBy(error, exchange) : null;
  if (denied === null || denied.id === null) return null;
  const { caller, requestId, address } = exchange;
  return { ...denied, id: denied.id, caller, requestId, address };
}

function deniedBy(
  error: ApiError,
  { request: { headers }, operation, caller, organizationId }: Exchange,
): (Pick<Denial, 'of' | 'known'> & { id: string | null }) | null {
  if (error instanceof EntryDenied) return error.denied;
  switch (error.code) {
    case 'INVALID_API_KEY':
      return { of: 'key', id: idOfSecret(credentialIn(headers, { header: 'X-API-Key' })) };
    case 'INVALID_TOKEN':
      return { of: 'platform_token', id: idOfSecret(credentialIn(headers, { header: 'Authorization' })) };
    case 'PERMISSION_DENIED':
      return { of: 'operation', id: operation };
    case 'TENANT_NOT_IN_SCOPE':
      return { of: 'tenant', id: String(headers['x-tenant-id']).toLowerCase() };
    case 'NOT_FOUND':
      return caller !== null && isForeign(caller, organizationId)
        ? { of: 'organization', id: organizationId }
        : null;
    default:
      return null;
  }
}

/** Whether a path names an organization that its caller does not work for. */
function isForeign({ scope }: Pick<Caller, 'scope'>, named: string | null): named is string {
  if (named === null || !('organizations' in scope)) return false;
  return scope.organizations !== 'all' && !scope.organizations.includes(named);
}
