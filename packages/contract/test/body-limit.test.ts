import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allOperations, bodyLimitOf, bodyLimits, describeBodyLimit } from '../src/index.ts';

/** The keywords of a schema that bound the length of its JSON. */
interface Sized {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly Sized[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Sized>>;
  readonly items?: Sized;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** Characters of a text without a maximum: instants and amounts, which a pattern bounds. */
const patterned = 64;

/** Most properties and elements of a body, which the service admits. */
const maxMembers = 10_000;

/** The length of the longest JSON of a schema, with so many bytes for each character of its texts. */
function longest(schema: Sized, bytes: number): number {
  if (schema.anyOf) return Math.max(...schema.anyOf.map(one => longest(one, bytes)));
  if (schema.const !== undefined) return JSON.stringify(schema.const).length;
  if (schema.enum) return Math.max(...schema.enum.map(one => JSON.stringify(one).length));
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {});
    return properties.reduce((sum, [name, one]) => sum + name.length + 4 + longest(one, bytes), 2);
  }
  if (schema.format === 'id') return 26;
  if (schema.type === 'array') return 2 + schema.maxItems! * (1 + longest(schema.items!, bytes));
  const ofCharacter = schema.pattern?.startsWith('^[A-Za-z0-9_-]') ? 1 : bytes;
  return schema.type === 'string' && schema.maxLength ? 2 + schema.maxLength * ofCharacter : 2 + patterned;
}

const withBody = allOperations.filter(({ operation }) => operation.body ?? operation.upload);
const anonymous = withBody.filter(({ operation }) => !operation.authenticated);
const scopes = new Set(['createApiKey', 'createPortalApiKey', 'previewPortalApiKeyScope']);

describe('the limit of a body', () => {
  test('is 5 MiB for every write of the public API, and for uploads and batches', () => {
    for (const { id, operation, api, apiName } of withBody)
      if (apiName === 'public' || operation.upload || operation.batch)
        assert.equal(bodyLimitOf(operation, api), 5_242_880, id);
  });

  test('is 16 KiB for every operation without authentication', () => {
    assert.ok(anonymous.length > 0);
    for (const { id, operation, api } of anonymous) assert.equal(bodyLimitOf(operation, api), 16_384, id);
  });

  test('is small for an anonymous client, even if the declaration sets a larger one', () => {
    const { operation, api } = anonymous[0]!;
    assert.equal(bodyLimitOf({ ...operation, bodyLimit: bodyLimits.large }, api), 16_384);
  });

  test('admits the longest JSON that the schema of the operation admits', () => {
    for (const { id, operation, api } of withBody) {
      if (!operation.body || operation.batch || scopes.has(id)) continue;
      // What is sent before the sign-in is ASCII, but for passwords.
      const length = longest(operation.body, operation.authenticated ? 4 : 1);
      assert.ok(length <= bodyLimitOf(operation, api), `${id}: ${length} bytes`);
    }
  });

  test('admits the scope of an API key with as many divisions as a body may have elements', () => {
    const divisions = Array.from({ length: maxMembers }, () => 'f'.repeat(24));
    const body = JSON.stringify({ name: 'Payroll', grants: [{ tenantId: divisions[0], divisions }] });
    for (const { id, operation, api } of withBody)
      if (scopes.has(id)) assert.ok(body.length <= bodyLimitOf(operation, api), id);
  });

  test('is named with its unit and in bytes', () => {
    assert.deepEqual(Object.values(bodyLimits).map(describeBodyLimit), [
      '5 MiB (5,242,880 bytes)',
      '512 KiB (524,288 bytes)',
      '64 KiB (65,536 bytes)',
      '16 KiB (16,384 bytes)',
    ]);
  });
});
