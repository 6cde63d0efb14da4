import Type, { type TObject } from 'typebox';
import type { ErrorCode } from './errors.ts';
import type { FieldRegistry } from './fields.ts';
import { pageSizeDefault, pageSizeMaximum } from './resources/list.ts';
import { Id } from './schema.ts';

/**
 * One operation of the API, declared once. Routing, validation, types, the OpenAPI document and the reference all read
 * this declaration; a feature binds it to a handler.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Below `/v1`, with `{name}` for path parameters. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Whether `X-API-Key` is required, and with it quota and tenant selection. */
  readonly authenticated: boolean;
  readonly parameters: TObject;
  readonly query: TObject;
  readonly body?: TObject;
  /** Whether the request is multipart with one part `file`, instead of JSON. */
  readonly upload?: true;
  readonly success: JsonSuccess | FileSuccess;
  /** The fields of `filter` and `sort`; only on collections. */
  readonly fields?: FieldRegistry;
  /** The codes beyond those that `errorsOf` adds by the kind of the operation. */
  readonly errors: readonly ErrorCode[];
}

export interface JsonSuccess {
  readonly status: 200 | 201;
  readonly description: string;
  readonly body: TObject;
}

export interface FileSuccess {
  readonly status: 200;
  readonly description: string;
  /** The bytes of a file, of one of these media types. */
  readonly body: 'file';
  readonly mediaTypes: readonly [string, ...string[]];
}

/** What an upload may hold, by its bytes (specification.md 5.7). */
export const uploadMediaTypes = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'] as const;

/** No parameters. */
export const none = Type.Object({}, { additionalProperties: false });

const instantParameter = (bound: string) =>
  Type.Optional(
    Type.String({
      format: 'instant',
      pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z$',
      description: `Inclusive ${bound} bound on \`createdAt\`: ISO 8601 in UTC that ends in \`Z\`, such as \`2026-09-02T00:00:00Z\`; other offsets are refused`,
      examples: ['2026-09-02T00:00:00Z'],
    }),
  );

/** The query of every collection (specification.md 3.1). */
export const ListQuery = Type.Object(
  {
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
        description: 'Most resources on a page',
      }),
    ),
    sort: Type.Optional(
      Type.String({
        format: 'sort',
        pattern: '^-?[A-Za-z0-9._]+$',
        description:
          'One field, with a leading `-` for descending, such as `-updatedAt`; nulls first ascending, last descending. Default: `id` ascending',
        examples: ['-updatedAt'],
      }),
    ),
    filter: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Filter expression, such as `updatedAt >= 2026-09-02T00:00:00Z`',
        examples: ['updatedAt >= 2026-09-02T00:00:00Z'],
      }),
    ),
    createdAtFrom: instantParameter('lower'),
    createdAtTo: instantParameter('upper'),
  },
  { additionalProperties: false },
);

/** The query of every write (specification.md 4.2). */
export const WriteQuery = Type.Object(
  {
    dryRun: Type.Optional(
      Type.Boolean({
        description:
          '`true` validates against the current state and answers 200 with the projection, without storing anything',
      }),
    ),
  },
  { additionalProperties: false },
);

/** The path parameter of a single resource. */
export const idParameter = (description: string) =>
  Type.Object({ id: Id(description) }, { additionalProperties: false });

/** Every code that an operation can answer: its own, and those that follow from its kind (specification.md 2.7). */
export function errorsOf(operation: Operation): ErrorCode[] {
  const codes = new Set<ErrorCode>(['VALIDATION_ERROR', 'INVALID_REQUEST_ID', 'UNKNOWN_QUERY_PARAMETER']);
  const add = (...more: ErrorCode[]) => more.forEach(code => codes.add(code));
  add('NOT_ACCEPTABLE', 'INTERNAL_SERVER_ERROR', 'UNSUPPORTED_HEADER');
  if (operation.authenticated)
    add('INVALID_API_KEY', 'TENANT_NOT_IN_SCOPE', 'RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE');
  if (operation.fields)
    add(
      'INVALID_FILTER_SYNTAX',
      'UNSUPPORTED_FILTER_FIELD',
      'UNSUPPORTED_FILTER_OPERATOR',
      'UNSUPPORTED_SORT_FIELD',
    );
  if (operation.body || operation.upload)
    add('UNSUPPORTED_FIELD', 'UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE');
  if (operation.upload) add('MISSING_ATTACHMENT', 'BAD_GATEWAY', 'GATEWAY_TIMEOUT');
  if (operation.success.body === 'file') add('FILE_NOT_FOUND', 'BAD_GATEWAY', 'GATEWAY_TIMEOUT');
  if ('id' in operation.parameters.properties) add('INVALID_REFERENCE_ID', 'NOT_FOUND');
  add(...operation.errors);
  return [...codes];
}
