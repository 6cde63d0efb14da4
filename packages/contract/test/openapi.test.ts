import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  allOperations,
  type Api,
  apis,
  type ErrorCode,
  type Operation,
  type OperationObject,
  type ResponseObject,
  carriesQuota,
  codesIn,
  errorCatalog,
  errorsOf,
  isPublished,
  openApiDocument,
  rejectionsOf,
  responsesIn,
  selectsTenant,
  writeHeaderOf,
} from '../src/index.ts';

for (const [apiName, api] of Object.entries<Api>(apis))
  describe(`the OpenAPI document of the ${apiName} API`, () => {
    const document = openApiDocument(api);
    const all = Object.entries(api.operations);

    test(
      'has the meaning of each value of a list',
      { skip: !isPublished(api) && 'it has no readers' },
      () => {
        const meanings: Record<string, unknown> = {};
        const missing: string[] = [];
        for (const [name, { enum: values, ...schema }] of Object.entries(document.components.schemas)) {
          if (!Array.isArray(values)) continue;
          const described = schema['x-enumDescriptions'] as Record<string, string>;
          Object.assign(meanings, described);
          missing.push(...values.filter(value => !described[value]).map(value => `${name}: ${value}`));
        }
        assert.deepEqual(missing, []);
        // A list without a name has values of those with a name. Only the format of exports has one more.
        const lists = JSON.stringify(document).matchAll(/"enum":(\[[^\]]*\])/g);
        const values = Array.from(lists).flatMap(([, list]) => JSON.parse(list!) as string[]);
        assert.deepEqual(
          [...new Set(values)].filter(value => !(value in meanings) && value !== 'jsonl'),
          [],
        );
      },
    );

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
          '$ref' in parameter
            ? document.components.parameters[parameter.$ref.split('/').at(-1)!]!
            : parameter;
        return found.in === place ? [found.name] : [];
      });
    }

    test('has every operation, under its identifier and path, and no other', () => {
      const found = Object.values(document.paths).flatMap(item => Object.values(item));
      assert.deepEqual(
        found.map(operation => operation.operationId).toSorted(),
        all.map(([operationId]) => operationId).toSorted(),
      );
      for (const [operationId, operation] of all)
        assert.equal(inDocument(operation).operationId, operationId);
    });

    test('names collections in the plural', () => {
      const collections = all.flatMap(([, { path, query }]) => [
        ...Array.from(path.matchAll(/([\w-]+)\/\{/g), ([, segment]) => segment!),
        ...('page' in query.properties ? [path.split('/').at(-1)!] : []),
      ]);
      assert.deepEqual(
        collections.filter(segment => !segment.endsWith('s')),
        [],
      );
    });

    test('asks for the credential everywhere but where none is needed', () => {
      const { name } = api.credential.scheme;
      assert.deepEqual(document.security, [{ [name]: [] }]);
      assert.deepEqual(Object.keys(document.components.securitySchemes), [name]);
      for (const [operationId, operation] of all)
        assert.deepEqual(
          inDocument(operation).security,
          operation.authenticated ? undefined : [],
          operationId,
        );
    });

    test('declares the parameters of each operation, and the headers that it reads', () => {
      for (const [, operation] of all) {
        assert.deepEqual(names(operation, 'path'), Object.keys(operation.parameters.properties));
        assert.deepEqual(names(operation, 'query'), Object.keys(operation.query.properties));
        const tenant = selectsTenant(operation, api) ? ['X-Tenant-ID'] : [];
        const guard = writeHeaderOf(operation, api);
        assert.deepEqual(names(operation, 'header'), [...(guard ? [guard] : []), ...tenant, 'X-Request-ID']);
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
        assert.deepEqual([...codes].toSorted(), errorsOf(operation, api).toSorted(), operationId);
      }
    });

    test('declares 422 VALIDATION_ERROR on what takes a filter or an Idempotency-Key, and where an operation names it', () => {
      for (const [operationId, operation] of all)
        assert.equal(
          rejectionsOf(operation, api).get(422)?.includes('VALIDATION_ERROR') ?? false,
          operation.fields !== undefined ||
            operation.errors.includes('VALIDATION_ERROR') ||
            writeHeaderOf(operation, api) === 'Idempotency-Key',
          operationId,
        );
    });

    test('declares the quota headers exactly where an authenticated answer carries them', () => {
      for (const [, operation] of all)
        for (const [status, response] of responses(operation)) {
          const expected = api.hasQuota && operation.authenticated && carriesQuota(status);
          for (const name of ['RateLimit-Policy', 'RateLimit'])
            assert.equal(
              name in response.headers,
              expected,
              `${operation.method} ${operation.path} ${status}`,
            );
          assert.ok('X-Request-ID' in response.headers);
          assert.equal('Retry-After' in response.headers, status === 429 || status === 503);
          assert.equal('Location' in response.headers, status === 201);
        }
    });

    test('declares the dry run of a create as 200 with the body of the create', () => {
      for (const [operationId, operation] of all) {
        if (operation.success.status !== 201) continue;
        const answers = new Map(responses(operation));
        const [dryRun, created] = [200, 201].map(status => answers.get(status)!.content['application/json']!);
        assert.deepEqual(dryRun!.schema, created!.schema, operationId);
        if (!isPublished(api)) continue;
        const example = dryRun!.example as { id: string } | { incident: { id: string } };
        assert.match(('incident' in example ? example.incident : example).id, /^0+$/, operationId);
      }
    });

    test('names exactly the codes that its operations declare', () => {
      const { enum: named } = document.components.schemas['ErrorCode'] as { enum: string[] };
      const declared = all.flatMap(([, operation]) => errorsOf(operation, api));
      assert.deepEqual(named.toSorted(), [...new Set(declared)].toSorted());
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

test('no two APIs have an operation of the same identifier: log and metrics name it alone', () => {
  const ids = allOperations.map(({ id }) => id);
  assert.deepEqual(ids, [...new Set(ids)]);
});

test('an operation names a permission exactly where its API has permissions, and one of these; in the portal some are for every user', () => {
  for (const { id, operation, api } of allOperations) {
    const known = Object.keys(api.permissions);
    if (known.length === 0) assert.equal(operation.permission, undefined, id);
    else if (operation.permission !== undefined || api !== apis.portal)
      assert.ok(known.includes(operation.permission!), id);
  }
});
