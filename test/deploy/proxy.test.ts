import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { useFixture } from '../../packages/server/test/support/service/fixture.ts';
import { type Nginx, noNginx, startNginx } from './nginx.ts';

describe('deploy/nginx.conf, run by nginx in front of the service', { skip: noNginx }, () => {
  const fixture = useFixture();
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  let nginx: Nginx;
  before(async () => {
    nginx = await startNginx(fixture.service.url);
  });
  after(async () => {
    agent.destroy();
    await nginx?.stop();
  });

  interface Answer {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly body: any;
  }

  function send(
    method: string,
    target: string,
    headers: Record<string, string>,
    body?: Buffer,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        `${nginx.url}/v1${target}`,
        {
          method,
          headers: { Host: 'api.example.com', 'X-API-Key': fixture.testData.keys.all, ...headers },
          rejectUnauthorized: false,
          agent,
        },
        response =>
          void json(response).then(
            body => resolve({ status: response.statusCode!, headers: response.headers, body }),
            reject,
          ),
      );
      sent.on('error', reject).end(body);
    });
  }

  test('has no fault and no warning', async () => {
    const given = await nginx.check();
    assert.match(given, /test is successful/);
    assert.doesNotMatch(given, /\[(warn|emerg)\]/);
  });

  test('passes on the request identifier, the quota and the answer', async () => {
    const id = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21';
    const { status, headers, body } = await send('GET', '/employees', { 'X-Request-ID': id });
    assert.deepEqual([status, headers['x-request-id'], body.page], [200, id, 1]);
    assert.match(String(headers.ratelimit), /^"default";r=/);
  });

  test('tells browsers to use HTTPS for a year, once and for errors as well, and no version of nginx', async () => {
    for (const target of ['/employees', '/nothing']) {
      const { headers } = await send('GET', target, {});
      assert.equal(headers['strict-transport-security'], 'max-age=31536000', target);
      assert.equal(headers.server, 'nginx', target);
    }
  });

  test('passes on all 500 requests of a reader who sends 20 at a time, within the quota of the key', async () => {
    const statuses: number[] = [];
    let left = 500;
    const reader = async () => {
      while (left-- > 0) statuses.push((await send('GET', '/employees?pageSize=1', {})).status);
    };
    await Promise.all(Array.from({ length: 20 }, reader));
    assert.equal(statuses.length, 500);
    assert.deepEqual([...new Set(statuses)], [200]);
  });

  test('leaves it to the service to reject a body that is too large, and takes one of 5 MiB', async () => {
    const ofSize = (size: number) =>
      send('POST', '/employees?dryRun=true', { 'Content-Type': 'application/json' }, Buffer.alloc(size, ' '));
    const [fits, tooLarge] = [await ofSize(5 * 1024 * 1024), await ofSize(5 * 1024 * 1024 + 1)];
    assert.deepEqual([fits.status, fits.body.error.code], [400, 'VALIDATION_ERROR']);
    assert.deepEqual([tooLarge.status, tooLarge.body.error.code], [413, 'PAYLOAD_TOO_LARGE']);
  });

  test('takes headers of 120 KiB', async () => {
    const long = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map(name => [`X-Long-${name}`, name.repeat(30 * 1024)]),
    );
    assert.equal((await send('GET', '/employees', long)).status, 200);
  });
});
