import type { TSchema } from 'typebox';
import type { Api, PublishedApi } from '../apis/api.ts';
import { codesOf, errorsOf, hasIdentifier, isGuardedWrite, writeHeaderOf } from '../errors/codes.ts';
import { type ErrorCode, carriesQuota } from '../errors/errors.ts';
import type { Operation } from '../operation.ts';
import { errorBodyOf } from '../errors/error-body.ts';
import type { Reference, ResponseObject } from './document.ts';
import { errorExamples, hasOwnExample } from './examples.ts';
import { type HeaderName, responseHeaders } from './headers.ts';
import { rejectionKind, rejectionsOf } from './rejections.ts';
import type { Components } from './schemas.ts';
import { kindNames, statusTexts } from './texts.ts';

/**
 * The error responses of a document. Responses that derive from the kind of an operation are shared components.
 * An operation with its own codes or examples contains its response itself.
 */
export class RejectionResponses {
  readonly shared: Record<string, ResponseObject> = {};
  readonly #api: PublishedApi;
  readonly #components: Components;
  readonly #body: TSchema;
  readonly #oneForAll = new Map<number, boolean>();

  constructor(api: PublishedApi, components: Components) {
    this.#api = api;
    this.#components = components;
    this.#body = errorBodyOf(codesOf(api), api.namesFields);
  }

  /** The error responses of an operation, by status in ascending order. */
  of(operationId: string): [status: number, response: ResponseObject | Reference][] {
    const operation = this.#api.operations[operationId]!;
    return Array.from(rejectionsOf(operation, this.#api), ([status, codes]) => {
      const response = this.#response(operationId, status, codes);
      const isOwn = this.#isOwn(operationId, status, codes);
      return [status, isOwn ? response : this.#share(operation, status, response)];
    });
  }

  #response(operationId: string, status: number, codes: readonly ErrorCode[]): ResponseObject {
    const operation = this.#api.operations[operationId]!;
    const named = codes.map(code => `\`${code}\``).join(', ');
    return {
      description: `${this.#api.texts.statuses?.[status] ?? textsOf(status).description}: ${named}`,
      headers: rejectionHeaders(this.#api, operation, status),
      content: {
        'application/json': {
          schema: this.#components.use(this.#body),
          examples: errorExamples([operationId, rejectionKind(operation, status)], this.#api, codes, status),
        },
      },
    };
  }

  #isOwn(operationId: string, status: number, codes: readonly ErrorCode[]): boolean {
    const { errors, authenticated, needsFreshSignIn, opensWithoutPasskey } =
      this.#api.operations[operationId]!;
    // Responses to unauthenticated requests have no quota headers, so they cannot be shared.
    if (!authenticated || (needsFreshSignIn && codes.includes('FRESH_SIGN_IN_REQUIRED'))) return true;
    if (status === 403 && opensWithoutPasskey) return true;
    return codes.some(code => errors.includes(code) || hasOwnExample(operationId, this.#api, code, status));
  }

  #share(operation: Operation, status: number, response: ResponseObject): Reference {
    const { name } = textsOf(status);
    const key = this.#isOneForAll(status) ? name : `${kindName(operation, status, this.#api)}${name}`;
    const present = (this.shared[key] ??= response);
    if (JSON.stringify(present) !== JSON.stringify(response))
      throw new Error(`two different answers would be called ${key}`);
    return { $ref: `#/components/responses/${key}` };
  }

  /** Whether all operations that share a response of this status share the same one. */
  #isOneForAll(status: number): boolean {
    const known = this.#oneForAll.get(status);
    if (known !== undefined) return known;
    const answers = Object.entries(this.#api.operations).flatMap(([operationId, operation]) => {
      const codes = rejectionsOf(operation, this.#api).get(status);
      const isShared = codes !== undefined && !this.#isOwn(operationId, status, codes);
      return isShared ? [JSON.stringify(this.#response(operationId, status, codes))] : [];
    });
    const isOne = new Set(answers).size <= 1;
    this.#oneForAll.set(status, isOne);
    return isOne;
  }
}

/**
 * The prefix of a shared response's name. It differs where the codes differ: 400 for operations without an id in the path, 403 for
 * operations with a permission, writes of a browser, and a choice of the tenant.
 */
function kindName(operation: Operation, status: number, api: Api): string {
  const kind = rejectionKind(operation, status);
  const isPlain = status === 400 && (kind === 'read' || kind === 'write') && !hasIdentifier(operation);
  const isPermitted = status === 403 && errorsOf(operation, api).includes('PERMISSION_DENIED');
  const permitted = isGuardedWrite(operation, api) ? 'PermittedGuarded' : 'Permitted';
  const isOfTenant = status === 403 && operation.selectsTenant === true;
  return `${isPlain ? 'Plain' : ''}${isOfTenant ? 'OfTenant' : ''}${isPermitted ? permitted : ''}${kindNames[kind]}`;
}

function rejectionHeaders(api: Api, operation: Operation, status: number): Record<string, Reference> {
  const names = commonHeaders(api, operation, status);
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === 409 && writeHeaderOf(operation, api) === 'If-Match') names.push('ETag');
  return responseHeaders(names);
}

export function commonHeaders(api: Api, operation: Operation, status: number): HeaderName[] {
  return api.hasQuota && operation.authenticated && carriesQuota(status)
    ? ['X-Request-ID', 'RateLimit-Policy', 'RateLimit']
    : ['X-Request-ID'];
}

function textsOf(status: number): { name: string; description: string } {
  const texts = statusTexts[status];
  if (texts === undefined) throw new Error(`the status ${status} needs its texts in openapi/texts.ts`);
  return texts;
}
