import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../src/http/route.ts';
import { multipart } from '../support/contract/client.ts';
import { employeeId, keys, stubService } from './stub-service.ts';

test('uploads of one key never keep those of another key waiting, and all are handled in the end', async t => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const handling: string[] = [];
  const service = await stubService({
    handlers: {
      async uploadIncidentAttachment({ caller }: Call) {
        handling.push(caller.actor.id);
        if (caller.actor.id === 'all') await promise;
        return { status: 201, body: '{}', headers: { Location: '/v1/incidents/x' } };
      },
    },
  });
  t.after(() => service.close());
  const { raw, contentType } = await multipart({ bytes: Buffer.from('%PDF-1.7'), fileName: 'a.pdf' });
  const upload = async (key: string): Promise<number> => {
    const answer = await fetch(`${service.url}/incidents/${employeeId}/attachments`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': contentType },
      body: new Uint8Array(raw),
    });
    await answer.text();
    return answer.status;
  };
  const held = Array.from({ length: 10 }, () => upload(keys.all));
  while (handling.length < 2) await new Promise(setImmediate);
  assert.equal(await upload(keys.tenantA), 201);
  assert.deepEqual(handling, ['all', 'all', 'a'], 'two of the first key are handled at once');
  resolve();
  assert.deepEqual(new Set(await Promise.all(held)), new Set([201]));
});
