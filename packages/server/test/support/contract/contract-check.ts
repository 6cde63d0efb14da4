import { AssertionError } from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import {
  codesIn,
  type HeaderObject,
  type OpenApiDocument,
  type OperationObject,
  type PathItem,
  type ResponseObject,
  requestIdPattern,
  responsesIn,
} from '@kontor/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { declarationOf } from './declarations.ts';

export interface RequestAndAnswer {
  readonly method: string;
  /** Below the base address, with query. */
  readonly path: string;
  readonly sentRequestId: string | undefined;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const validRequestId = new RegExp(requestIdPattern);

const quotaHeaders = ['ratelimit-policy', 'ratelimit'];

/**
 * Checks answers against the OpenAPI document: operation and status are declared, the body has the declared media type
 * and schema. The required headers are there, all declared ones are valid, and no other header of the contract is (specification.md 2.4).
 */
export class ContractCheck {
  readonly #document: OpenApiDocument;
  readonly #ajv: Ajv2020;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    // `npm run check:contract` checks the document itself. Here that would cost each file of tests 40 ms.
    this.#ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
    formats.default(this.#ajv);
    this.#ajv
      .addFormat('idn-email', /^[^\s@]+@[^\s@]+$/)
      // Narrower than the formats, by the descriptions.
      .addFormat('date-time', /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/)
      .addFormat('date', /^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$/);
    this.#ajv.addSchema(document, 'openapi');
  }

  /** Checks an answer. @throws AssertionError that names everything in which it departs from the document. */
  check(pair: RequestAndAnswer): void {
    const problems = [...this.#problems(pair)];
    if (problems.length === 0) return;
    const what = `${pair.method} ${pair.path} → ${pair.status}`;
    const body = pair.bytes.toString('utf8').slice(0, 500);
    throw new AssertionError({
      message: `${what} departs from the contract (if the contract changed, run "npm run generate"):\n- ${problems.join('\n- ')}\n${body}`,
    });
  }

  /** The identifier of the operation of a method and path; undefined when there is none. */
  operationOf(method: string, path: string): string | undefined {
    return findOperation(this.#document, method, path)?.operation.operationId;
  }

  *#problems(pair: RequestAndAnswer): Generator<string> {
    yield* this.#requestIdProblems(pair);
    const found = findOperation(this.#document, pair.method, pair.path);
    if (!found) return yield* this.#unknownRouteProblems(pair);
    const { pointer, operation } = found;
    const response = new Map(responsesIn(this.#document, operation)).get(pair.status);
    if (!response)
      return yield `the status is not declared for ${operation.operationId}: ${Object.keys(operation.responses).join(', ')}`;
    yield* this.#headerProblems(response, pair);
    yield* this.#bodyProblems(
      pointerTo(pointer, operation, pair.status),
      response,
      pair,
      operation.operationId,
    );
  }

  *#requestIdProblems({ headers, sentRequestId, bytes, status }: RequestAndAnswer): Generator<string> {
    const id = headers['x-request-id'];
    if (id === undefined) yield 'X-Request-ID is missing';
    const body = status >= 400 ? parseJson(bytes) : undefined;
    const error = (body as { error?: { code?: string; requestId?: string } } | undefined)?.error;
    if (error && error.requestId !== id)
      yield `error.requestId is ${error.requestId}, X-Request-ID is ${String(id)}`;
    // An invalid one is rejected or replaced.
    if (sentRequestId === undefined || !validRequestId.test(sentRequestId)) return;
    if (id !== sentRequestId) yield `X-Request-ID ${sentRequestId} was sent, ${String(id)} came back`;
  }

  /** No operation: not found, or rejected before the route is looked at; never with the quota of a key. */
  *#unknownRouteProblems(pair: RequestAndAnswer): Generator<string> {
    const { method, path, status, headers, bytes } = pair;
    for (const name of quotaHeaders)
      if (name in headers) yield `${name} must not be sent on an unknown route`;
    if (method === 'GET' && /^\/openapi\.json(\?|$)/.test(path)) return;
    if (status !== 404 && status !== 400) yield 'an unknown route must answer 404 (or 400)';
    if (method === 'HEAD') return yield* bytes.length > 0 ? ['a HEAD answer must have no body'] : [];
    yield* this.#schemaProblems('#/components/schemas/ErrorEnvelope', parseJson(bytes));
  }

  *#headerProblems(response: ResponseObject, { headers }: RequestAndAnswer): Generator<string> {
    const components = this.#document.components.headers;
    for (const name of Object.keys(components)) {
      const value = headers[name.toLowerCase()];
      // Two kinds of cookies have one header.
      const declared = response.headers[name]?.$ref.split('/').at(-1);
      if (declared === undefined) {
        if (value !== undefined) yield `${name} must not be sent with this answer`;
      } else if (value === undefined) {
        if (components[declared]!.required) yield `${name} is missing`;
      } else yield* this.#headerValueProblems(declared, components[declared]!, value);
    }
  }

  *#headerValueProblems(name: string, declared: HeaderObject, value: string | string[]): Generator<string> {
    // Node keeps cookies apart. Those of the session and of the device are sent together.
    if (Array.isArray(value)) {
      for (const one of value) yield* this.#headerValueProblems(name, declared, one);
      return;
    }
    const typed = declared.schema['type'] === 'integer' && /^[0-9]+$/.test(value) ? Number(value) : value;
    for (const problem of this.#schemaProblems(`#/components/headers/${name}/schema`, typed))
      yield `${name} is ${JSON.stringify(value)}: ${problem}`;
  }

  *#bodyProblems(
    pointer: string,
    response: ResponseObject,
    { headers, bytes }: RequestAndAnswer,
    operationId: string,
  ): Generator<string> {
    const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').split(/\s*;\s*/);
    if (!(mediaType in response.content))
      return yield `the media type is "${mediaType}", declared is ${Object.keys(response.content).join(', ')}`;
    // Clients take text without a charset for Latin-1.
    if (mediaType.startsWith('text/') && !parameters.some(parameter => parameter.startsWith('charset=')))
      yield `Content-Type has no charset: ${mediaType}`;
    if (mediaType !== 'application/json') return;
    if (parameters.some(parameter => parameter.toLowerCase() !== 'charset=utf-8'))
      yield `Content-Type has parameters other than charset=utf-8: ${parameters.join(';')}`;
    const body = parseJson(bytes);
    if (body === undefined) return yield 'the body is not JSON';
    const code = (body as { error?: { code?: string } }).error?.code;
    if (code !== undefined && !codesIn(response).includes(code))
      yield `the code ${code} is not declared: add it to "errors" of ${operationId} in ${declarationOf(operationId)}`;
    yield* this.#schemaProblems(`${pointer}/content/application~1json/schema`, body);
  }

  *#schemaProblems(pointer: string, value: unknown): Generator<string> {
    const validate = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `openapi${pointer}` });
    this.#validators.set(pointer, validate);
    if (validate(value)) return;
    for (const { instancePath, message, params } of validate.errors ?? [])
      yield `${instancePath || 'the whole'} ${message} ${JSON.stringify(params)}`;
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The JSON pointer of the answer of a status, wherever it is declared. */
function pointerTo(pointer: string, { responses }: OperationObject, status: number): string {
  const response = responses[status]!;
  return '$ref' in response ? response.$ref : `${pointer}/responses/${status}`;
}

/** The operation of a method and path, with the JSON pointer of its place in the document. */
function findOperation(
  document: OpenApiDocument,
  method: string,
  path: string,
): { pointer: string; operation: OperationObject } | undefined {
  const segments = path.split('?')[0]!.split('/');
  const key = method.toLowerCase() as keyof PathItem;
  for (const [template, item] of Object.entries(document.paths)) {
    const operation = item[key];
    if (!operation || !matches(template.split('/'), segments)) continue;
    const name = encodeURIComponent(template.replaceAll('~', '~0').replaceAll('/', '~1'));
    return { pointer: `#/paths/${name}/${key}`, operation };
  }
  return undefined;
}

function matches(template: string[], segments: string[]): boolean {
  if (template.length !== segments.length) return false;
  return template.every((part, index) =>
    part.startsWith('{') ? segments[index] !== '' : part === segments[index],
  );
}
