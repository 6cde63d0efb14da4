import { ApiError, type AuditReason, type ErrorCode } from '@kontor/contract';
import type { Actor } from '../write/writes.ts';

export type Rejection = KnownRejection | UnknownRejection;

/** The credential, user or caller exists, so the rejection is audited. */
export interface KnownRejection {
  readonly action:
    | 'key.use'
    | 'platform_token.use'
    | 'user.sign_in'
    | 'user.accept_invitation'
    | 'tenant.select'
    | 'organization.select'
    | 'operation.call';
  readonly id: string;
  /** The audit it belongs to; `noOrganization` for that of the platform. */
  readonly organizationId: string;
  readonly reason: AuditReason;
}

export interface AuditedRejection extends KnownRejection {
  readonly actor: Actor;
  readonly requestId: string;
  readonly address: string;
}

/** The identifier does not exist, so the rejection is logged without it. */
export interface UnknownRejection {
  readonly reason: 'unknown' | 'malformed' | 'missing';
  /** The claim of an identity at an issuer that is missing or wrong. */
  readonly claim?: string;
}

/** An error with the details of the rejection, which are not sent to the client. */
export class RejectedError extends ApiError {
  readonly rejection: Rejection;

  constructor(code: ErrorCode, message: string, rejection: Rejection) {
    super(code, message);
    this.rejection = rejection;
  }
}
