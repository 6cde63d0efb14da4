import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiName, apis, hrPermissions, portalPermissionNames } from '@kontor/contract';
import { exampleRequest } from '../../support/contract/examples.ts';
import { testToken } from '../../support/data/tokens.ts';
import { signedInUser } from '../../support/data/users.ts';
import {
  allOperations,
  authenticated,
  type DeclaredOperation,
  outcomeOf,
  pathIn,
  storedState,
  useApis,
} from './support.ts';

/** Credentials with all permissions but one, by its name. */
const without = new Map<string, string>();

const fixture = useApis(async ({ sql, testData }) => {
  const { organization } = testData;
  const ofTokens = Object.keys(apis.platform.permissions);
  for (const permission of ofTokens) {
    const permissions = ofTokens.filter(other => other !== permission);
    without.set(
      `platform ${permission}`,
      await testToken(sql, { organizations: [organization], permissions }),
    );
  }
  for (const permission of portalPermissionNames) {
    // Without HR a user has no permission of payroll either, and AUDIT reads the same.
    const taken: readonly string[] = permission === 'HR' ? [...hrPermissions, 'AUDIT'] : [permission];
    const permissions = portalPermissionNames.filter(other => !taken.includes(other));
    const { secret } = await signedInUser(sql, organization, { permissions, hrTenants: null });
    without.set(`portal ${permission}`, secret);
  }
});

const permitted = authenticated.filter(({ operation }) => operation.permission !== undefined);
const permissionsOf = ({ operation: { permission, alsoPermission } }: DeclaredOperation) =>
  [permission, alsoPermission].filter(name => name !== undefined);

describe('an operation is rejected for a caller that has every permission but its own, and changes nothing', () => {
  for (const declared of permitted)
    test(declared.id, async () => {
      const before = await storedState(fixture);
      for (const permission of permissionsOf(declared)) {
        const name = `${declared.apiName} ${permission}`;
        const key = without.get(name);
        assert.ok(key, `add a credential without ${name} to this file`);
        const answer = await fixture.send(declared, fixture.own.rows, { key });
        assert.equal(outcomeOf(answer), '403 PERMISSION_DENIED', name);
      }
      assert.deepEqual(await storedState(fixture), before);
    });
});

test('every operation of the platform takes a permission, and every write of it one that no read has', () => {
  const operations = allOperations.filter(({ apiName }) => apiName === 'platform');
  const reads = new Set(
    operations
      .filter(({ operation }) => operation.method === 'GET')
      .map(({ operation }) => operation.permission),
  );
  for (const { id, operation } of operations) {
    assert.ok(operation.permission, id);
    // What the right to erasure allows is read with the same permission.
    const isWrite = operation.method !== 'GET' && !operation.changesNothing;
    if (isWrite && operation.permission !== 'data-subjects:erase')
      assert.ok(!reads.has(operation.permission), `${id}: ${operation.permission}`);
  }
});

/** Sends an operation to the port and below the prefix of another API. */
async function sendTo(declared: DeclaredOperation, other: ApiName): Promise<number> {
  const { operation, apiName, api } = declared;
  const base = other === 'platform' ? fixture.service.managementUrl : fixture.service.url;
  const { raw, headers } = await exampleRequest(operation, apiName);
  const secret = fixture.own.credentials[apiName];
  const answer = await fetch(`${base}${api.prefix}${pathIn(operation, fixture.own.rows)}`, {
    method: operation.method,
    headers: {
      ...(headers as Record<string, string> | undefined),
      'x-api-key': secret,
      authorization: `Bearer ${secret}`,
      cookie: `__Host-kontor=${secret}`,
      'sec-fetch-site': 'same-origin',
    },
    ...(raw !== undefined && { body: raw as string }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe('an operation of the operator is not served on the port for the public, nor the other way round', () => {
  for (const declared of allOperations)
    test(declared.id, async () => {
      const before = await storedState(fixture);
      assert.equal(await sendTo(declared, declared.apiName === 'platform' ? 'public' : 'platform'), 404);
      assert.deepEqual(await storedState(fixture), before);
    });
});

describe('a read is not turned into a write, nor a method into another one, by a header, a parameter or a spelling', () => {
  for (const declared of allOperations.filter(
    ({ operation }) => operation.method === 'GET' && operation.authenticated,
  ))
    test(declared.id, async () => {
      const before = await storedState(fixture);
      for (const name of ['x-http-method-override', 'x-method-override', 'x-http-method']) {
        const answer = await fixture.send(declared, fixture.own.rows, { headers: { [name]: 'DELETE' } });
        assert.ok(answer.status < 500, `${name}: ${outcomeOf(answer)}`);
      }
      for (const query of [{ _method: 'DELETE' }, { method: 'DELETE' }])
        assert.equal(
          outcomeOf(await fixture.send(declared, fixture.own.rows, { query })),
          '400 UNKNOWN_QUERY_PARAMETER',
        );
      assert.deepEqual(await storedState(fixture), before);
    });
});
