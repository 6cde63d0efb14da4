import { ApiError, type AuditReason, type ErrorCode } from '@kontor/contract';

/** A request was rejected for lack of a right. */
export type Rejection = KnownRejection | UnknownRejection;

/** The credential, the user or the caller exists: the rejection is audited. */
export interface KnownRejection {
  readonly action:
    | 'key.use'
    | 'platform_token.use'
    | 'user.sign_in'
    | 'user.accept_invitation'
    | 'tenant.select'
    | 'organization.select'
    | 'operation.call';
  /** The target of the action. */
  readonly id: string;
  /** Whose audit it belongs to; that of the platform: `noOrganization`. */
  readonly organizationId: string;
  readonly reason: AuditReason;
}

/** Nothing has the identifier that was sent: the rejection is logged, without it. */
export interface UnknownRejection {
  readonly reason: 'unknown' | 'malformed' | 'missing';
}

/** An error that says what was rejected; the client is not told. */
export class RejectedError extends ApiError {
  readonly rejection: Rejection;

  constructor(code: ErrorCode, message: string, rejection: Rejection) {
    super(code, message);
    this.rejection = rejection;
  }
}
