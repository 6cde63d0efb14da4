import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apis, type Operation, platformPermissions } from '@kontor/contract';
import type { Answer, ApiClient } from '../support/contract/client.ts';
import { exampleRequest, unknownPathOf } from '../support/contract/examples.ts';
import { testToken } from '../support/data/tokens.ts';
import { stateOf } from '../support/data/test-data.ts';
import { usePlatform } from './support.ts';

const operations = Object.entries<Operation>(apis.platform.operations);

/** A token with each permission alone, with all others, with none and with all. */
const kinds = new Map<string, ReadonlySet<string>>([
  ['none', new Set()],
  ['all', new Set(Object.keys(platformPermissions))],
]);
for (const permission of Object.keys(platformPermissions)) {
  kinds.set(permission, new Set([permission]));
  const others = Object.keys(platformPermissions).filter(other => other !== permission);
  kinds.set(`all but ${permission}`, new Set(others));
}

const clients = new Map<string, ApiClient>();
const fixture = usePlatform(async ({ sql, clientOf }) => {
  for (const [kind, permissions] of kinds)
    clients.set(kind, clientOf(await testToken(sql, { permissions: [...permissions] })));
});

/** Requests unknown resources, in a dry run where there is one, so that nothing changes where it is permitted. */
async function send(client: ApiClient, operation: Operation): Promise<Answer<any>> {
  const path = unknownPathOf(operation);
  const query = { ...('dryRun' in operation.query.properties && { dryRun: true }) };
  return client.request(operation.method, path, { ...(await exampleRequest(operation, 'platform')), query });
}

describe('an operation takes its permission, and no other one', () => {
  for (const [id, operation] of operations)
    test(id, async () => {
      const before = await stateOf(fixture.sql);
      for (const [kind, permissions] of kinds) {
        const { status, body } = await send(clients.get(kind)!, operation);
        const code = body?.error?.code as string | undefined;
        if (permissions.has(operation.permission!)) assert.notEqual(code, 'PERMISSION_DENIED', kind);
        else {
          assert.deepEqual([status, code], [403, 'PERMISSION_DENIED'], kind);
          assert.ok(body.error.message.includes(operation.permission), body.error.message);
        }
      }
      assert.equal(await stateOf(fixture.sql), before);
    });
});

test('every permission is that of an operation', () => {
  const used = new Set(operations.map(([, { permission }]) => permission));
  assert.deepEqual(Object.keys(platformPermissions).sort(), [...used].sort());
});
