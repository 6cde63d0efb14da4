import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { text } from 'node:stream/consumers';
import { registerPortal } from '../../src/http/response/portal-pages.ts';
import { type StubService, stubService } from '../http/stub-service.ts';

let folder: string;
let service: StubService;
async function get(url: string, sent: Record<string, string> = {}) {
  const outgoing = request(new URL(service.url).origin + url, { headers: sent }).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: incoming.statusCode, headers: incoming.headers, body: await text(incoming) };
}

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-portal-'));
  service = await stubService({ pages: get => registerPortal(get, pathToFileURL(`${folder}/`)) });
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

describe('the pages of the portal', () => {
  test('name the command that builds them, and are served once they are built', async () => {
    const missing = await get('/portal');
    assert.equal(missing.status, 503);
    assert.match(missing.body, /npm run build/);
    await mkdir(path.join(folder, 'assets'));
    await writeFile(
      path.join(folder, 'index.html'),
      '<script nonce="__NONCE__" src="/portal/assets/a-1.js">',
    );
    for (const [end, text] of Object.entries({ '': 'plain', '.br': 'brotli', '.gz': 'gzip' }))
      await writeFile(path.join(folder, `assets/a-1.js${end}`), text);
    assert.equal((await get('/portal')).status, 200);
  });

  test('are there again once they can be read, after they could not', async () => {
    const page = path.join(folder, 'index.html');
    const status = async () => (await get('/portal')).status;
    await rename(page, `${page}.away`);
    await mkdir(page);
    assert.equal(await status(), 500);
    await rm(page, { recursive: true });
    await rename(`${page}.away`, page);
    assert.equal(await status(), 200);
  });

  test('are one page at every address, with a nonce of its own each time, which no client caches or frames', async () => {
    const answers = await Promise.all(
      ['/portal', '/portal/', '/portal/settings/api-keys/x'].map(url => get(url)),
    );
    const nonces = answers.map(({ status, headers, body }) => {
      assert.equal(status, 200);
      assert.equal(headers['cache-control'], 'no-store');
      const policy = headers['content-security-policy'] as string;
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
      assert.doesNotMatch(policy.replace("style-src-attr 'unsafe-inline'", ''), /unsafe|https?:|\*/);
      const nonce = /nonce="([^"]+)"/.exec(body)![1]!;
      assert.ok(policy.includes(`script-src 'self' 'nonce-${nonce}'`));
      return nonce;
    });
    assert.equal(new Set(nonces).size, 3);
  });

  test('are not where the API or a file is missing', async () => {
    for (const url of ['/portal/api/nothing', '/portal/assets/b.js', '/portal/assets/..%2findex.html'])
      assert.doesNotMatch((await get(url)).headers['content-type'] as string, /html/, url);
  });

  test('have files that are kept for ever, in the smallest form that the browser takes', async () => {
    for (const [accepted, text] of Object.entries({
      'gzip, deflate, br': 'brotli',
      'gzip;q=1, br;q=0': 'gzip',
      identity: 'plain',
    })) {
      const { body, headers } = await get('/portal/assets/a-1.js', { 'accept-encoding': accepted });
      assert.equal(body, text);
      assert.match(headers['cache-control'] as string, /immutable/);
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    }
  });
});
