import type { TObject, TSchema } from 'typebox';
import { type Api, isPublished, type PublishedApi } from './apis/api.ts';
import { hasVersion, selectsTenant, writeHeaderOf } from './errors/codes.ts';
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
import { errorExample, example, findRecording, withExamples } from './openapi/examples.ts';
import { type HeaderName, headerParametersOf, headersOf, responseHeaders } from './openapi/headers.ts';
import { linksOf } from './openapi/links.ts';
import { commonHeaders, RejectionResponses } from './openapi/error-responses.ts';
import type { RecordedOperation } from './openapi/recording.ts';
import { rejectionsOf } from './openapi/rejections.ts';
import { Components } from './openapi/schemas.ts';
import { dryRunDescription } from './openapi/texts.ts';
import type { FileSuccess, JsonSuccess, Operation } from './operation.ts';

/** The id of a resource that a dry run would have created (specification.md 4.2). */
export const dryRunId = '0'.repeat(24);

/** Renders an API as an OpenAPI 3.1 document, from its operations, the resources and the error catalog. */
export function openApiDocument(declared: Api): OpenApiDocument {
  const api = isPublished(declared) ? declared : withoutTexts(declared);
  const components = new Components();
  const rejections = new RejectionResponses(api, components);
  const paths: Record<string, PathItem> = {};
  for (const [operationId, operation] of Object.entries(api.operations)) {
    const method = operation.method.toLowerCase() as keyof PathItem;
    paths[operation.path] = {
      ...paths[operation.path],
      [method]: operationObject(operationId, { api, components, rejections }),
    };
  }
  const { texts, credential } = api;
  return {
    openapi: '3.1.1',
    info: {
      title: texts.title,
      version: texts.version,
      summary: texts.summary,
      description: texts.introduction,
      // Kontor is installed by its operator, who has the logs and issues the keys.
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [serverOf(api)],
    security: [{ [credential.scheme.name]: [] }],
    tags: tagsOf(api),
    paths,
    components: {
      securitySchemes: { [credential.scheme.name]: credential.scheme.object },
      parameters: headerParametersOf(api),
      headers: withExamples(headersOf(api), api),
      responses: rejections.shared,
      examples: errorExamplesOf(api),
      schemas: components.schemas,
    },
  };
}

/** A private API: tests build its document to check answers. */
function withoutTexts(api: Api): PublishedApi {
  const tags = Object.fromEntries(Object.values(api.operations).map(({ tag }) => [tag, tag]));
  const server = { description: 'An installation', example: 'http://127.0.0.1:8080' };
  const title = `Private API under ${api.prefix}`;
  const texts = {
    title,
    referenceTitle: title,
    version: '0',
    summary: title,
    introduction: title,
    server,
    tags,
  };
  return { ...api, texts, recorded: { operations: {}, errors: {}, ownErrors: {}, headers: {} } };
}

function serverOf({ prefix, texts }: PublishedApi) {
  const { description, example } = texts.server;
  return {
    url: '{base_url}',
    description,
    variables: {
      base_url: { default: `${example}${prefix}`, description: `Base address, ending in \`${prefix}\`` },
    },
  };
}

function tagsOf({ operations, texts }: PublishedApi) {
  const names = new Set(Object.values(operations).map(operation => operation.tag));
  return [...names].toSorted().map(name => {
    const description = texts.tags[name];
    if (description === undefined) throw new Error(`the tag ${name} needs a description in the texts`);
    return { name, description };
  });
}

function errorExamplesOf(api: PublishedApi) {
  const examples = Object.values(api.operations).flatMap(operation =>
    [...rejectionsOf(operation, api)].flatMap(([status, codes]) =>
      codes.map(code => errorExample(code, status, api)),
    ),
  );
  return Object.fromEntries(examples.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface Making {
  readonly api: PublishedApi;
  readonly components: Components;
  readonly rejections: RejectionResponses;
}

function operationObject(operationId: string, making: Making): OperationObject {
  const operation = making.api.operations[operationId]!;
  const recording = findRecording(operationId, making.api);
  return {
    operationId,
    tags: [operation.tag],
    summary: operation.summary ?? operationId,
    description: operation.description ?? '',
    ...(operation.authenticated ? {} : { security: [] }),
    parameters: parametersOf(operation, making, recording),
    ...(operation.body && { requestBody: requestBody(operation, making.components, recording) }),
    ...(operation.upload && { requestBody: uploadBody(operation) }),
    responses: Object.fromEntries([
      ...successes(operationId, making, recording),
      ...making.rejections.of(operationId),
    ]),
  };
}

function parametersOf(
  operation: Operation,
  { api, components }: Making,
  { path }: RecordedOperation,
): (ParameterObject | Reference)[] {
  const shared = [
    writeHeaderOf(operation, api),
    selectsTenant(operation, api) ? 'TenantId' : null,
    'RequestId',
  ].filter(name => name !== null);
  return [
    // Only required parameters have an example: request samples include every example, and X-Tenant-ID would select a tenant.
    ...parameters('path', operation.parameters, components).map(parameter => ({
      ...parameter,
      ...example(path[parameter.name]),
    })),
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
    const { description, ...schema } = components.use(property) as Record<string, unknown>;
    if (typeof description !== 'string') throw new Error(`the parameter ${name} needs a description`);
    return {
      name,
      in: place,
      required: place === 'path' || (object.required ?? []).includes(name),
      description: description + (fields ? fieldList(name, fields) : ''),
      schema,
    };
  });
}

function fieldList(parameter: string, fields: FieldRegistry): string {
  if (parameter !== 'sort' && parameter !== 'filter') return '';
  return `. Fields: ${[...fields.keys()].map(name => `\`${name}\``).join(', ')}`;
}

function requestBody(
  { body, bodyIsOptional }: Operation,
  components: Components,
  { request }: RecordedOperation,
): NonNullable<OperationObject['requestBody']> {
  return { required: !bodyIsOptional, content: { 'application/json': json(body!, components, request) } };
}

/** One part `file`. Its media types are only in the description, because request samples send a list of media types as one value. */
function uploadBody({ uploadTypes }: Operation): NonNullable<OperationObject['requestBody']> {
  const content = uploadTypes
    ? 'CSV in UTF-8, UTF-16 or Windows-1252'
    : 'a PNG, JPEG, WebP or PDF by its content';
  const description = `The file with its name: ${content}`;
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          properties: { file: { type: 'string', format: 'binary', description } },
          required: ['file'],
          additionalProperties: false,
        },
      },
    },
  };
}

function json(schema: TSchema, components: Components, recorded: unknown): MediaType {
  return { schema: components.use(schema), ...example(recorded) };
}

function successes(
  operationId: string,
  { api, components }: Making,
  { answers }: RecordedOperation,
): [number, ResponseObject][] {
  const operation = api.operations[operationId]!;
  const { success } = operation;
  if (success.body === 'file') return [[200, fileResponse(api, operation, success)]];
  const links = linksOf(operationId, api.operations);
  const { status } = success;
  const answer: ResponseObject = {
    description: success.description ?? '',
    headers: responseHeaders([
      ...commonHeaders(api, operation, status),
      ...(status === 201 ? ['Location' as const] : []),
      ...safeWriteHeaders(operation, api),
      ...cookieHeaders(operation),
    ]),
    content: { 'application/json': json(success.body, components, answers[status]) },
    ...(Object.keys(links).length > 0 && { links }),
  };
  if (status === 200) return [[200, answer]];
  return [
    [200, dryRunResponse(commonHeaders(api, operation, 200), success, components, answers[200])],
    [status, answer],
  ];
}

function safeWriteHeaders(operation: Operation, api: Api): HeaderName[] {
  return [
    ...(hasVersion(operation, api) ? ['ETag' as const] : []),
    ...(writeHeaderOf(operation, api) === 'Idempotency-Key' ? ['Idempotency-Replayed' as const] : []),
  ];
}

function cookieHeaders({ setsCookie }: Operation): HeaderName[] {
  if (setsCookie === undefined) return [];
  return [setsCookie === 'begun' ? 'BegunCookie' : 'Set-Cookie'];
}

function dryRunResponse(
  headers: readonly HeaderName[],
  success: JsonSuccess,
  components: Components,
  recorded: unknown,
): ResponseObject {
  return {
    description: success.again === undefined ? dryRunDescription : `${success.again}. ${dryRunDescription}`,
    headers: responseHeaders(headers),
    content: { 'application/json': json(success.body, components, recorded) },
  };
}

function fileResponse(api: Api, operation: Operation, success: FileSuccess): ResponseObject {
  return {
    description: success.description ?? '',
    headers: responseHeaders([...commonHeaders(api, operation, 200), 'Content-Disposition']),
    content: Object.fromEntries(
      success.mediaTypes.map(mediaType => [mediaType, { schema: { type: 'string', format: 'binary' } }]),
    ),
  };
}
