import type { ApiKeyPermission } from '@kontor/contract';

type Resource = ApiKeyPermission extends infer Name
  ? Name extends `${infer Type}:${string}`
    ? Type
    : never
  : never;

/** An example request of the public API. Identifiers in it are words to replace, such as `EMPLOYEE_ID`. */
export interface PublicRequest {
  readonly operation: string;
  /** The identifier of the message that says what it does: its summary in the contract. */
  readonly words: string;
  readonly resource: Resource;
  /** The permissions of a limited key that it needs one of. */
  readonly allowedBy: readonly ApiKeyPermission[];
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. A write is a dry run. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The property of the body with the division that something is created in. Without it, `X-Tenant-ID` names the company. */
  readonly placedBy?: string;
  readonly upload?: true;
  readonly answersWithFile?: true;
}

/** The build puts here what the contract declares. */
declare const __PUBLIC_API__: {
  readonly prefix: string;
  readonly header: string;
  readonly requests: readonly PublicRequest[];
};

/** How programs send requests to the public API. */
export const publicApi = __PUBLIC_API__;
