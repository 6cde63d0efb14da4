import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  type ErrorCode,
  type Operation,
  type OperationObject,
  type ResponseObject,
  carriesQuota,
  codesIn,
  dryRunId,
  errorCatalog,
  errorsOf,
  openApiDocument,
  operations,
  refusalsOf,
  responsesIn,
} from '../src/index.ts';

const document = openApiDocument();
const all = Object.entries<Operation>(operations);

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addFormat('idn-email', true).addSchema(document, 'openapi');

function inDocument(operation: Operation): OperationObject {
  const item = document.paths[operation.path]!;
  return item[operation.method.toLowerCase() as keyof typeof item]!;
}

function responses(operation: Operation): [number, ResponseObject][] {
  return responsesIn(document, inDocument(operation));
}

function names(operation: Operation, place: string): string[] {
  return inDocument(operation).parameters.flatMap(parameter => {
    const found =
      '$ref' in parameter ? document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter;
    return found.in === place ? [found.name] : [];
  });
}

describe('the OpenAPI document', () => {
  test('has every operation, under its identifier and path, and no other', () => {
    const found = Object.values(document.paths).flatMap(item => Object.values(item));
    assert.deepEqual(
      found.map(operation => operation.operationId).toSorted(),
      all.map(([operationId]) => operationId).toSorted(),
    );
    for (const [operationId, operation] of all) assert.equal(inDocument(operation).operationId, operationId);
  });

  test('asks for a key everywhere but on the health check', () => {
    assert.deepEqual(document.security, [{ ApiKey: [] }]);
    const open = all.filter(([, operation]) => inDocument(operation).security !== undefined);
    assert.deepEqual(
      open.map(([operationId]) => operationId),
      ['getHealth'],
    );
    assert.deepEqual(inDocument(operations.getHealth).security, []);
  });

  test('declares the parameters of each operation, and the headers that it reads', () => {
    for (const [, operation] of all) {
      assert.deepEqual(names(operation, 'path'), Object.keys(operation.parameters.properties));
      assert.deepEqual(names(operation, 'query'), Object.keys(operation.query.properties));
      const tenant = operation.authenticated ? ['X-Tenant-ID'] : [];
      assert.deepEqual(names(operation, 'header'), [...tenant, 'X-Request-ID']);
    }
  });

  test('declares every code of an operation with its status, with an example, and no other', () => {
    for (const [operationId, operation] of all) {
      const codes = new Set<string>();
      for (const [status, response] of responses(operation).filter(([number]) => number >= 400)) {
        const declared = codesIn(response) as ErrorCode[];
        for (const code of declared) {
          assert.ok(response.description.includes(`\`${code}\``), `${operationId} ${status} says ${code}`);
          codes.add(code);
          assert.ok(
            (errorCatalog[code].statuses as readonly number[]).includes(status),
            `${code} with ${status}`,
          );
        }
      }
      assert.deepEqual([...codes].toSorted(), errorsOf(operation).toSorted(), operationId);
    }
  });

  test('declares 422 VALIDATION_ERROR on collections, and where an operation names it', () => {
    for (const [operationId, operation] of all)
      assert.equal(
        refusalsOf(operation).get(422)?.includes('VALIDATION_ERROR') ?? false,
        operationId.startsWith('list') || operation.errors.includes('VALIDATION_ERROR'),
        operationId,
      );
  });

  test('declares the quota headers exactly where an authenticated answer carries them', () => {
    for (const [, operation] of all)
      for (const [status, response] of responses(operation)) {
        const expected = operation.authenticated && carriesQuota(status);
        for (const name of ['RateLimit-Policy', 'RateLimit'])
          assert.equal(name in response.headers, expected, `${operation.method} ${operation.path} ${status}`);
        assert.ok('X-Request-ID' in response.headers);
        assert.equal('Retry-After' in response.headers, status === 429 || status === 503);
        assert.equal('Location' in response.headers, status === 201);
      }
  });

  test('declares the dry run of a create as 200 with the identifier of zeros', () => {
    const answers = new Map(responses(operations.createEmployee));
    const dryRun = answers.get(200)!.content['application/json']!;
    assert.deepEqual(dryRun.schema, answers.get(201)!.content['application/json']!.schema);
    assert.equal((dryRun.example as { id: string }).id, dryRunId);
  });

  test('refers to components that exist, and leaves no named schema inside another', () => {
    const text = JSON.stringify(document);
    assert.doesNotMatch(text, /"\$id"/);
    for (const [, path] of text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)) {
      const [kind, name] = path!.split('/') as [keyof typeof document.components, string];
      assert.ok(name in document.components[kind], path);
    }
  });
});
