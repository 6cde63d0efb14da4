import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apis, fieldsOf, openApiDocument, Order, responsesIn, type SchemaObject } from '../src/index.ts';

const document = openApiDocument(apis.public);

/** Every object of the document, with the path to it. */
function* objects(value: unknown, path: string): Generator<[path: string, SchemaObject]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as SchemaObject];
  for (const [name, part] of Object.entries(value)) yield* objects(part, `${path}/${name}`);
}

/** Every schema, examples not included. */
const schemas = [...objects(document, '')].filter(([path]) => !/\/(example|value)(\/|$)/.test(path));
const operations = Object.values(document.paths).flatMap(item => Object.values(item));

/** Each rule is something that a generator of clients has stumbled over; docs/clients.md names them. */
describe('the OpenAPI document, for generators', () => {
  test('has no format of the house: `decimal` makes floating point numbers of money', () => {
    const formats = new Set(
      schemas.map(([, { format }]) => format).filter(format => typeof format === 'string'),
    );
    assert.deepEqual([...formats].sort(), [
      'binary',
      'date',
      'date-time',
      'double',
      'idn-email',
      'uri-reference',
    ]);
    assert.equal(fieldsOf(Order).get('submittedAt')!.type, 'date-time');
  });

  test('has no format of request identifiers: one client puts the object of a UUID into the header, others change its letters', () => {
    assert.equal(document.components.parameters['RequestId']!.schema['format'], undefined);
    assert.ok(document.components.parameters['RequestId']!.schema['pattern']);
  });

  test('declares the order of divisions as a double: a number without a format has 32 bits in some clients', () => {
    for (const name of ['Division', 'DivisionCreate', 'DivisionPatch']) {
      const { properties } = document.components.schemas[name] as { properties: { order: SchemaObject } };
      assert.equal(properties.order['format'], 'double');
      // One generator crashes over the bounds of all doubles.
      assert.equal(properties.order['maximum'], undefined);
    }
  });

  test('has only patterns that RE2 supports: no look-around, no back-reference, no \\u', () => {
    const patterns = schemas.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
    assert.ok(patterns.length > 10);
    for (const pattern of patterns) assert.doesNotMatch(pattern, /\(\?[^:]|\\[u1-9ck]/, pattern);
  });

  test('has no pattern beside a date or a timestamp, which typed clients cannot match', () => {
    for (const [path, { format, pattern }] of schemas)
      if (format === 'date' || format === 'date-time') assert.equal(pattern, undefined, path);
  });

  test('takes the bounds of createdAt as texts that end in Z, not as instants that clients write with an offset', () => {
    const { parameters } = document.paths['/employees']!.get!;
    for (const parameter of parameters) {
      if ('$ref' in parameter || !parameter.name.startsWith('createdAt')) continue;
      assert.equal(parameter.schema['format'], undefined);
      assert.match('2026-09-02T00:00:00Z', new RegExp(parameter.schema['pattern'] as string));
      assert.doesNotMatch('2026-09-02T00:00:00+00:00', new RegExp(parameter.schema['pattern'] as string));
      assert.match(parameter.description, /`Z`/);
    }
  });

  test('has no default of dryRun: some clients send it, and one as 0', () => {
    const { parameters } = document.paths['/employees']!.post!;
    const dryRun = parameters.find(parameter => 'name' in parameter && parameter.name === 'dryRun');
    assert.deepEqual(dryRun && 'schema' in dryRun && dryRun.schema, { type: 'boolean' });
  });

  test('gives an example only to parameters that a request must have: a copied X-Tenant-ID answers 403', () => {
    const inline = operations.flatMap(operation => operation.parameters);
    const all = [...inline, ...Object.values(document.components.parameters)];
    for (const parameter of all)
      if ('name' in parameter && !parameter.required) assert.ok(!('example' in parameter), parameter.name);
  });

  test('has no list of media types beside the file of an upload: samples send it as one, which curl rejects', () => {
    const { requestBody } = document.paths['/incidents/{id}/attachments']!.post!;
    assert.deepEqual(Object.keys(requestBody!.content['multipart/form-data']!), ['schema']);
  });

  test('has a type beside every enum, and every enum a name', () => {
    const enums = schemas.filter(([, schema]) => Array.isArray(schema['enum']));
    assert.ok(enums.length > 8);
    for (const [path, { type }] of enums) {
      assert.equal(type, 'string', path);
      assert.match(path, /^\/components\/schemas\/\w+$/);
    }
  });

  test('answers every error with the same schema by its name, and most of them with shared responses', () => {
    for (const operation of operations)
      for (const [status, response] of responsesIn(document, operation))
        if (status >= 400)
          assert.deepEqual(response.content['application/json']!.schema, {
            $ref: '#/components/schemas/ErrorEnvelope',
          });
    const errors = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, response]) => (Number(status) >= 400 ? [response] : [])),
    );
    const own = errors.filter(response => !('$ref' in response));
    assert.ok(own.length < errors.length / 4, `${own.length} of ${errors.length} stand in an operation`);
  });

  test('has no schema called Error, which is a class of its own in most languages', () => {
    assert.ok(!('Error' in document.components.schemas));
  });

  test('links every collection and every create to what can be done with a resource', () => {
    const links = (path: string, method: 'get' | 'post', status: number) =>
      Object.keys(new Map(responsesIn(document, document.paths[path]![method]!)).get(status)!.links ?? {});
    assert.deepEqual(links('/employees', 'get', 200), ['getEmployee', 'updateEmployee']);
    assert.deepEqual(links('/orders', 'get', 200), ['getOrder', 'decideOrder', 'downloadOrderAttachment']);
    assert.deepEqual(links('/incidents', 'post', 201), [
      'getIncident',
      'updateIncident',
      'uploadIncidentAttachment',
      'getEmployee',
    ]);
    assert.deepEqual(links('/incidents', 'post', 200), []);
  });

  test('links to operations that exist, with all of their path parameters', () => {
    const byId = new Map(operations.map(operation => [operation.operationId, operation]));
    for (const operation of operations)
      for (const [, { links }] of responsesIn(document, operation))
        for (const { operationId, parameters } of Object.values(links ?? {})) {
          const target = byId.get(operationId)!;
          const needed = target.parameters.flatMap(p => ('in' in p && p.in === 'path' ? [p.name] : []));
          assert.deepEqual(Object.keys(parameters), needed, operationId);
        }
  });

  test('names a contact, and gives filters a minimum length of one', () => {
    assert.ok(document.info.contact.name);
    const filter = document.paths['/employees']!.get!.parameters.find(
      p => 'name' in p && p.name === 'filter',
    );
    assert.equal(filter && 'schema' in filter && filter.schema['minLength'], 1);
  });
});
