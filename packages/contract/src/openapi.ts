import type { TObject, TSchema } from 'typebox';
import { type ErrorCode, carriesQuota } from './errors.ts';
import type { FieldRegistry } from './fields.ts';
import type {
  MediaType,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItem,
  Reference,
  ResponseObject,
} from './openapi/document.ts';
import { errorExample, errorExamples } from './openapi/error-examples.ts';
import { headerParameters, headers, responseHeaders } from './openapi/headers.ts';
import { refusalsOf } from './openapi/refusals.ts';
import { Components, exampleOf } from './openapi/schemas.ts';
import { dryRunDescription, introduction, statusDescriptions, tags } from './openapi/texts.ts';
import { type FileSuccess, type JsonSuccess, type Operation, uploadMediaTypes } from './operation.ts';
import { operations } from './operations.ts';
import { ErrorBody } from './resources/error.ts';
import { contractVersion } from './resources/health.ts';

/** The identifier of a resource that a dry run would have created (specification.md 4.2). */
export const dryRunId = '0'.repeat(24);

/** The contract as an OpenAPI 3.1 document, made from the operations, the resources and the error catalog. */
export function openApiDocument(declared: Readonly<Record<string, Operation>> = operations): OpenApiDocument {
  const components = new Components();
  const paths: Record<string, PathItem> = {};
  for (const [operationId, operation] of Object.entries(declared)) {
    const method = operation.method.toLowerCase() as keyof PathItem;
    paths[operation.path] = {
      ...paths[operation.path],
      [method]: operationObject(operationId, operation, components),
    };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Kontor HR and Payroll Integration API',
      version: contractVersion,
      summary: 'Synchronize HR data and read the results of HR processes',
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [server],
    security: [{ ApiKey: [] }],
    tags: tagsOf(declared),
    paths,
    components: {
      securitySchemes: { ApiKey: apiKeyScheme },
      parameters: headerParameters,
      headers,
      examples: errorExamplesOf(declared),
      schemas: components.schemas,
    },
  };
}

const server = {
  url: '{base_url}',
  description: 'The one public address of an installation; it carries the version segment',
  variables: {
    base_url: { default: 'http://127.0.0.1:8080/v1', description: 'Base address, ending in `/v1`' },
  },
};

const apiKeyScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  description:
    'The API key. It belongs on servers only, never in browsers, apps or scripts that others can read.',
};

function tagsOf(declared: Readonly<Record<string, Operation>>) {
  const names = new Set(Object.values(declared).map(operation => operation.tag));
  return [...names].toSorted().map(name => {
    const description = tags[name];
    if (description === undefined) throw new Error(`the tag ${name} needs a description in openapi/texts.ts`);
    return { name, description };
  });
}

function errorExamplesOf(declared: Readonly<Record<string, Operation>>) {
  const examples = Object.values(declared).flatMap(operation =>
    [...refusalsOf(operation)].flatMap(([status, codes]) => codes.map(code => errorExample(code, status))),
  );
  return Object.fromEntries(examples.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function operationObject(operationId: string, operation: Operation, components: Components): OperationObject {
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.authenticated ? {} : { security: [] }),
    parameters: parametersOf(operation, components),
    ...(operation.body && { requestBody: requestBody(operation.body, components) }),
    ...(operation.upload && { requestBody: uploadBody }),
    responses: responsesOf(operation, components),
  };
}

function parametersOf(operation: Operation, components: Components): (ParameterObject | Reference)[] {
  const shared = operation.authenticated ? (['TenantId', 'RequestId'] as const) : (['RequestId'] as const);
  return [
    ...parameters('path', operation.parameters, components),
    ...parameters('query', operation.query, components, operation.fields),
    ...shared.map(name => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function parameters(
  place: 'path' | 'query',
  object: TObject,
  components: Components,
  fields?: FieldRegistry,
): ParameterObject[] {
  return Object.entries(object.properties).map(([name, property]) => {
    const { description, examples, ...schema } = components.use(property) as Record<string, unknown>;
    if (typeof description !== 'string') throw new Error(`the parameter ${name} needs a description`);
    return {
      name,
      in: place,
      required: place === 'path' || (object.required ?? []).includes(name),
      description: description + (fields ? fieldList(name, fields) : ''),
      schema,
      example: Array.isArray(examples) ? examples[0] : exampleOf(property),
    };
  });
}

/** What `sort` and `filter` accept on this collection. */
function fieldList(parameter: string, fields: FieldRegistry): string {
  if (parameter !== 'sort' && parameter !== 'filter') return '';
  return `. Fields: ${[...fields.keys()].map(name => `\`${name}\``).join(', ')}`;
}

function requestBody(body: TSchema, components: Components): NonNullable<OperationObject['requestBody']> {
  return {
    required: true,
    content: { 'application/json': json(body, components, exampleOf(body)) },
  };
}

/** One part `file` and nothing else. */
const uploadBody: NonNullable<OperationObject['requestBody']> = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: {
            type: 'string',
            format: 'binary',
            description: 'The file with its name: a PNG, JPEG, WebP or PDF by its content',
          },
        },
        required: ['file'],
        additionalProperties: false,
      },
      encoding: { file: { contentType: uploadMediaTypes.join(', ') } },
    },
  },
};

function json(schema: TSchema, components: Components, example: unknown): MediaType {
  return { schema: components.use(schema), example };
}

function responsesOf(operation: Operation, components: Components): Record<string, ResponseObject> {
  const { success } = operation;
  const answers: [number, ResponseObject][] =
    success.body === 'file'
      ? [[200, fileResponse(operation, success)]]
      : jsonResponses(operation, success, components);
  for (const [status, codes] of refusalsOf(operation))
    answers.push([status, refusal(operation, status, codes, components)]);
  return Object.fromEntries(answers);
}

function fileResponse(operation: Operation, success: FileSuccess): ResponseObject {
  return {
    description: success.description,
    headers: responseHeaders([...commonHeaders(operation, 200), 'Content-Disposition']),
    content: Object.fromEntries(
      success.mediaTypes.map(mediaType => [mediaType, { schema: { type: 'string', format: 'binary' } }]),
    ),
  };
}

function jsonResponses(
  operation: Operation,
  success: JsonSuccess,
  components: Components,
): [number, ResponseObject][] {
  const creates = success.status === 201;
  const example = exampleOf(success.body);
  const answers: [number, ResponseObject][] = [
    [
      success.status,
      {
        description: success.description,
        headers: responseHeaders([
          ...commonHeaders(operation, success.status),
          ...(creates ? ['Location' as const] : []),
        ]),
        content: { 'application/json': json(success.body, components, example) },
      },
    ],
  ];
  if (creates)
    answers.push([
      200,
      {
        description: dryRunDescription,
        headers: responseHeaders(commonHeaders(operation, 200)),
        content: {
          'application/json': json(success.body, components, { ...(example as object), id: dryRunId }),
        },
      },
    ]);
  return answers;
}

function commonHeaders(operation: Operation, status: number): (keyof typeof headers)[] {
  return operation.authenticated && carriesQuota(status)
    ? ['X-Request-ID', 'RateLimit-Policy', 'RateLimit']
    : ['X-Request-ID'];
}

function refusal(
  operation: Operation,
  status: number,
  codes: readonly ErrorCode[],
  components: Components,
): ResponseObject {
  const description = statusDescriptions[status];
  if (description === undefined)
    throw new Error(`the status ${status} needs a description in openapi/texts.ts`);
  const names = commonHeaders(operation, status);
  return {
    description,
    headers: responseHeaders(status === 429 || status === 503 ? [...names, 'Retry-After'] : names),
    content: {
      'application/json': {
        schema: narrowedError(codes, components),
        examples: errorExamples(codes, status),
      },
    },
  };
}

/** The envelope with the codes of one answer; the other two properties are named because validators count them. */
function narrowedError(codes: readonly ErrorCode[], components: Components) {
  const error = { properties: { code: { enum: codes }, message: {}, requestId: {} } };
  return { allOf: [components.use(ErrorBody)], properties: { error } };
}
