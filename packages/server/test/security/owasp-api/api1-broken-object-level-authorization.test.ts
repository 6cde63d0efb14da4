import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleRequest, unknownPathOf } from '../../support/contract/examples.ts';
import {
  allOperations,
  contentOf,
  type DeclaredOperation,
  outcomeOf,
  pathIn,
  type Rows,
  storedState,
  useApis,
  withBody,
} from './support.ts';

const fixture = useApis();

const onRows = allOperations.filter(({ operation }) => operation.path.includes('{'));
/** Those that end the resource come last. */
const inOrder = [...onRows].sort(
  (a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'),
);

/** The body of the example of an operation, with its identifiers replaced. */
async function bodyWith(
  { operation, apiName }: DeclaredOperation,
  replace: (name: string, id: string) => string,
) {
  const { raw } = await exampleRequest(operation, apiName);
  const visit = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map(item => visit(item, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner, key)]));
    return typeof value === 'string' && /^[0-9a-f]{24}$/.test(value) ? replace(name, value) : value;
  };
  return visit(JSON.parse(String(raw)), '') as Record<string, unknown>;
}

/** The type of resource that a property of a body names. */
const referenced: Readonly<Record<string, string>> = {
  employeeId: 'employees',
  orderId: 'orders',
  divisionId: 'divisions',
  parentId: 'divisions',
  division: 'divisions',
  divisions: 'divisions',
  tenant: 'tenants',
  tenants: 'tenants',
  hrTenants: 'tenants',
  runId: 'released-payroll-runs',
  incidentId: 'incidents',
};

function rowFor(name: string, rows: Rows): string {
  const segment = referenced[name];
  assert.ok(segment, `say in this file what the property ${name} of a body names`);
  return rows[segment]!;
}

describe('a resource of another organization is answered as one that does not exist, and nothing changes', () => {
  for (const declared of onRows)
    test(declared.id, async () => {
      const { own, foreign, clients, send } = fixture;
      const { operation, apiName } = declared;
      const before = await storedState(fixture);
      const key = foreign.credentials[apiName];
      const answer = await send(declared, own.rows, { key });
      assert.equal(outcomeOf(answer), '404 NOT_FOUND');
      const { headers, ...body } = await exampleRequest(operation, apiName);
      const unknown = await clients[apiName].request(operation.method, unknownPathOf(operation), {
        ...body,
        key,
        headers: headers ?? {},
      });
      assert.equal(contentOf(answer), contentOf(unknown));
      if (operation.path.includes('{organizationId}') && operation.path.includes('{id}')) {
        const inForeign = pathIn(operation, { ...own.rows, organizations: foreign.rows['organizations']! });
        const mixed = await clients[apiName].request(operation.method, inForeign, {
          ...body,
          key,
          headers: headers ?? {},
        });
        assert.equal(outcomeOf(mixed), '404 NOT_FOUND');
      }
      assert.deepEqual(await storedState(fixture), before);
    });
});

describe('an identifier of another organization in a body is answered as one that does not exist', () => {
  for (const declared of withBody.filter(({ operation }) => namesResources(operation.body)))
    test(declared.id, async () => {
      const { own, foreign, send } = fixture;
      const before = await storedState(fixture);
      const names = new Set<string>();
      const good = await bodyWith(declared, name => (names.add(name), rowFor(name, own.rows)));
      for (const name of names) {
        const withId = async (id: string) =>
          bodyWith(declared, other => (other === name ? id : rowFor(other, own.rows)));
        const ask = async (id: string) =>
          send(declared, own.rows, { raw: JSON.stringify(await withId(id)), query: dryRun(declared) });
        const [foreignId, unknownId] = [rowFor(name, foreign.rows), 'f'.repeat(24)];
        const [hidden, unknown] = [await ask(foreignId), await ask(unknownId)];
        assert.equal(contentOf(hidden, foreignId), contentOf(unknown, unknownId), name);
        const text = JSON.stringify(hidden.body);
        assert.ok(hidden.status >= 400 || /"error":\{/.test(text), `${name}: ${hidden.status} ${text}`);
      }
      // The example is in order but for these identifiers, so that it is they which are rejected.
      if ('dryRun' in declared.operation.query.properties) {
        const accepted = await send(declared, own.rows, {
          raw: JSON.stringify(good),
          query: { dryRun: true },
        });
        assert.notEqual(accepted.body.error?.code, 'INVALID_REFERENCE', accepted.body.error?.message);
      }
      assert.deepEqual(await storedState(fixture), before);
    });
});

describe('the owner of a resource reaches it', () => {
  for (const declared of inOrder)
    test(declared.id, async () => {
      const { own, send } = fixture;
      const answer = await send(declared, own.rows, { query: dryRun(declared) });
      assert.ok(![401, 403, 404].includes(answer.status), outcomeOf(answer));
    });
});

/** Whether a schema of a body has an identifier of a resource somewhere. */
function namesResources(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('format' in schema && schema.format === 'id') return true;
  return Object.values(schema).some(namesResources);
}

function dryRun({ operation }: DeclaredOperation): Record<string, boolean> {
  return 'dryRun' in operation.query.properties ? { dryRun: true } : {};
}
