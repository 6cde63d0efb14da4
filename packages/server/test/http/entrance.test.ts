import assert from 'node:assert/strict';
import { apis } from '@kontor/contract';
import { after, before, test } from 'node:test';
import { registerEntrance, registerReference } from '../../src/http/response/documentation.ts';
import { type StubService, stubService } from './stub-service.ts';

let service: StubService;
before(async () => {
  service = await stubService({
    pages(get) {
      registerEntrance(get);
      registerReference(get, apis.public);
    },
  });
});
after(() => service.close());

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

for (const path of ['/', '/v1']) {
  test(`GET ${path} leads a person to the reference`, async () => {
    const answer = await fetch(new URL(path, service.url), { headers: { accept: browser } });
    assert.deepEqual([answer.status, new URL(answer.url).pathname], [200, '/docs']);
    assert.match(await answer.text(), /API reference/);
  });

  test(`GET ${path} leads a program to the contract, with a request identifier`, async () => {
    const answer = await fetch(new URL(path, service.url), { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, 'v1/openapi.json']);
    assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    assert.deepEqual(await answer.json(), { contract: 'v1/openapi.json', reference: 'docs' });
  });
}

test('other methods and /v1/ stay unknown', async () => {
  for (const [method, path] of [
    ['POST', '/'],
    ['DELETE', '/v1'],
    ['GET', '/v1/'],
  ] as const)
    assert.equal((await fetch(new URL(path, service.url), { method })).status, 404);
});
