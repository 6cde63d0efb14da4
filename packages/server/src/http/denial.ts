import { ApiError } from '@kontor/contract';
import type { Caller } from '../caller.ts';
import { idOfSecret } from '../secrets.ts';
import { credentialIn } from './credential.ts';
import type { Exchange } from './exchange.ts';

/** A request that was refused for lack of a right. Nothing of it is secret. */
export interface Denial {
  /** What was refused: a credential, or to its caller a tenant, an organization or an operation. */
  readonly of: 'key' | 'platform_token' | 'tenant' | 'organization' | 'operation';
  /** Identifier of that. */
  readonly id: string;
  /** Null where it is a credential that was refused: nobody was let in. */
  readonly caller: Pick<Caller, 'actor' | 'scope'> | null;
  readonly requestId: string;
  /** Where the connection comes from. */
  readonly address: string;
}

/**
 * What the audit hears of a request that ended with an error; null where that is no matter of rights. A credential that is missing or
 * has not the form of one is none: anybody sends that, and no key is tried by it.
 */
export function denialOf(error: unknown, exchange: Exchange): Denial | null {
  const denied = error instanceof ApiError ? deniedBy(error, exchange) : null;
  if (denied === null || denied.id === null) return null;
  const { caller, requestId, request } = exchange;
  return { of: denied.of, id: denied.id, caller, requestId, address: request.socket.remoteAddress ?? '' };
}

function deniedBy(
  { code }: ApiError,
  { request: { headers }, operation, caller, organizationId }: Exchange,
): { of: Denial['of']; id: string | null } | null {
  switch (code) {
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
