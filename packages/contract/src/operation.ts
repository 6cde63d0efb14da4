import Type, { type TObject } from 'typebox';
import { type ErrorCode, errorCatalog } from './errors/errors.ts';
import type { FieldRegistry } from './fields.ts';
import { pageSizeDefault, pageSizeMaximum } from './list.ts';
import { ClosedObject, Id, instantPattern } from './schema.ts';

export type ApiName = 'public' | 'platform' | 'portal';

/**
 * The single declaration of an operation. Routing, validation, types, the OpenAPI document and the reference derive from it; a
 * feature binds it to a handler.
 */
export interface Operation {
  readonly api: ApiName;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the prefix of its API, with `{name}` for path parameters. */
  readonly path: string;
  readonly tag: string;
  /** Like all descriptions, only of published APIs. */
  readonly summary?: string;
  readonly description?: string;
  /** Whether the credential of the API is required, and with it quota and tenant selection if the API has them. */
  readonly authenticated: boolean;
  /** The required permission; only in an API with permissions. */
  readonly permission?: string;
  /** A second one that is required with it. */
  readonly alsoPermission?: string;
  /** Permissions of which the caller needs one, instead of {@link permission}. */
  readonly onePermissionOf?: readonly string[];
  /** Whether the caller must have confirmed its identity recently; only in an API with sessions. */
  readonly needsFreshSignIn?: true;
  /** Whether it is open to a session that lacks the passkey which the organization requires; only in an API with sessions. */
  readonly opensWithoutPasskey?: true;
  /** Whether `X-Tenant-ID` narrows the request, if the other operations of its API do not take the header. */
  readonly selectsTenant?: true;
  /** Whether it is a POST that stores at most an audit entry, or state for a later operation of the same session, such as a challenge. */
  readonly changesNothing?: true;
  /**
   * `true`: a success renews or deletes the cookie of the API. `begun`: it sets a short-lived cookie for an OpenID flow that the issuer continues.
   */
  readonly setsCookie?: true | 'begun';
  readonly parameters: TObject;
  readonly query: TObject;
  readonly body?: TObject;
  /** Whether a request without a body means `{}`. */
  readonly bodyIsOptional?: true;
  /** Maximum body size in bytes, if it differs from that of its kind (`bodyLimitOf`). */
  readonly bodyLimit?: number;
  /** Whether the request is multipart with one part `file`, instead of JSON. */
  readonly upload?: true;
  /** Media types of the uploaded file, if they differ from {@link uploadMediaTypes}. */
  readonly uploadTypes?: readonly ['text/csv'];
  /** Whether the body has lines in `items` that are checked separately, each with its own outcome. */
  readonly batch?: true;
  readonly success: JsonSuccess | FileSuccess;
  /** The fields of `filter` and `sort`; only on collections. Their parameters are the query, or the body if there is one. */
  readonly fields?: FieldRegistry;
  /** The codes in addition to those that `errorsOf` derives from the kind of the operation. */
  readonly errors: readonly ErrorCode[];
}

export interface JsonSuccess {
  readonly status: 200 | 201;
  readonly description?: string;
  /** Description of 200 for a create that recognizes repeated requests. */
  readonly again?: string;
  readonly body: TObject;
}

export interface FileSuccess {
  readonly status: 200;
  readonly description?: string;
  /** A file of one of these media types. */
  readonly body: 'file';
  readonly mediaTypes: readonly [string, ...string[]];
  /**
   * The file is rendered while it is sent, so its size is unknown in advance. A file rendered from stored files lists missing ones itself,
   * and depends on the file store.
   */
  readonly made?: 'from-rows' | 'from-files';
  /** Browsers show the file instead of saving it. */
  readonly isShown?: true;
}

/** An operation before it is declared for an API. */
export type Declaration = Omit<Operation, 'api'>;

/** A declaration with the texts that documents need. */
export interface Described extends Declaration {
  readonly summary: string;
  readonly description: string;
  readonly success: Declaration['success'] & { readonly description: string };
}

/** In the order of their declaration, which documents have. */
export const declaredOperations: Operation[] = [];

export type DeclaredOn<Name extends ApiName, Declared> = Omit<Declared, 'api'> & { readonly api: Name };

/**
 * Declares an operation of an API. Its identifier is the name of the constant.
 * @throws Error for a code that is not in the catalog
 */
export function declare<Name extends ApiName, Declared extends Declaration>(
  api: Name,
  declaration: Declared,
): DeclaredOn<Name, Declared> {
  const unknown = declaration.errors.find(code => !(code in errorCatalog));
  if (unknown !== undefined)
    throw new Error(`${declaration.path}: add the code ${unknown} to packages/contract/src/errors/errors.ts`);
  const operation = { ...declaration, api };
  declaredOperations.push(operation);
  return operation;
}

export function publicOperation<const Declared extends Described>(declaration: Declared) {
  return declare('public', declaration);
}

/** Accepted types of an uploaded file, recognized by its bytes (specification.md 5.7). */
export const uploadMediaTypes = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'] as const;

export const none = ClosedObject({});

const instantParameter = (bound: string) =>
  Type.Optional(
    Type.String({
      format: 'instant',
      pattern: instantPattern,
      description: `Inclusive ${bound} bound on \`createdAt\`: ISO 8601 in UTC that ends in \`Z\`, such as \`2026-09-02T00:00:00Z\`; other offsets are rejected`,
      examples: ['2026-09-02T00:00:00Z'],
    }),
  );

/** The query of a collection (specification.md 3.1). `instant` is the field in the examples of `sort` and `filter`. */
const listQuery = (instant: 'updatedAt' | 'createdAt') =>
  ClosedObject({
    page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 1,
        description: 'Page, counted from one; a page past the end is empty',
      }),
    ),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pageSizeMaximum,
        default: pageSizeDefault,
        description: 'Maximum number of resources on a page',
      }),
    ),
    sort: Type.Optional(
      Type.String({
        format: 'sort',
        pattern: '^-?[A-Za-z0-9._]+$',
        description: `One field, with a leading \`-\` for descending, such as \`-${instant}\`; nulls first ascending, last descending. Default: \`id\` ascending`,
        examples: [`-${instant}`],
      }),
    ),
    filter: Type.Optional(
      Type.String({
        minLength: 1,
        description: `Filter expression, such as \`${instant} >= 2026-09-02T00:00:00Z\``,
        examples: [`${instant} >= 2026-09-02T00:00:00Z`],
      }),
    ),
    createdAtFrom: instantParameter('lower'),
    createdAtTo: instantParameter('upper'),
  });

/** The query of collections that clients poll. */
export const ListQuery = listQuery('updatedAt');

/** The query of collections without `updatedAt`. */
export const CreatedListQuery = listQuery('createdAt');

/** The query of an export, a file with a line for each resource that the filter selects. */
export const ExportQuery = ClosedObject({
  format: Type.Optional(
    Type.String({
      enum: ['jsonl', 'csv'],
      default: 'jsonl',
      description:
        '`jsonl`: a JSON object per line, as in the list. `csv`: RFC 4180 with a header; cells that a spreadsheet would run as a formula begin with an apostrophe',
    }),
  ),
  ...Type.Pick(CreatedListQuery, ['filter', 'createdAtFrom', 'createdAtTo']).properties,
});

/** The query of every write (specification.md 4.2). */
export const WriteQuery = ClosedObject({
  dryRun: Type.Optional(
    Type.Boolean({
      description:
        '`true` validates against the current state and answers 200 with the projection, without storing anything',
    }),
  ),
});

export const idParameter = (description: string) => ClosedObject({ id: Id(description) });

/** The common parts of reads, lists and writes. A declaration spreads one of them first and overrides what differs. */
export const basic = { authenticated: true, parameters: none, query: none, errors: [] } as const;
export const read = { ...basic, method: 'GET' } as const;
export const list = { ...read, query: ListQuery } as const;
export const write = { ...basic, method: 'POST', query: WriteQuery } as const;
