import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerPortal } from '../../src/http/portal-pages.ts';

let folder: string;
let app: FastifyInstance;
const failed = (error: unknown) => assert.fail(error as Error);
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-portal-'));
  app = Fastify();
  registerPortal(app, { folder: pathToFileURL(`${folder}/`), failed });
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

describe('the pages of the portal', () => {
  test('say what to run where they are not built, and are there once they are', async () => {
    const missing = await get('/portal');
    assert.equal(missing.statusCode, 503);
    assert.match(missing.body, /npm run portal/);
    await mkdir(path.join(folder, 'assets'));
    await writeFile(
      path.join(folder, 'index.html'),
      '<script nonce="__NONCE__" src="/portal/assets/a-1.js">',
    );
    for (const [end, text] of Object.entries({ '': 'plain', '.br': 'brotli', '.gz': 'gzip' }))
      await writeFile(path.join(folder, `assets/a-1.js${end}`), text);
    assert.equal((await get('/portal')).statusCode, 200);
  });

  test('are there again once they can be read, after they could not', async () => {
    const page = path.join(folder, 'index.html');
    const other = Fastify();
    registerPortal(other, { folder: pathToFileURL(`${folder}/`), failed });
    const status = async () => (await other.inject({ url: '/portal' })).statusCode;
    await rename(page, `${page}.away`);
    await mkdir(page);
    assert.equal(await status(), 500);
    await rm(page, { recursive: true });
    await rename(`${page}.away`, page);
    assert.equal(await status(), 200);
    await other.close();
  });

  test('are one page at every address, with a nonce of its own each time, which nobody keeps or frames', async () => {
    const answers = await Promise.all(
      ['/portal', '/portal/', '/portal/settings/api-keys/x'].map(url => get(url)),
    );
    const nonces = answers.map(({ statusCode, headers, body }) => {
      assert.equal(statusCode, 200);
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

  test('are not where the API, its reference or a file is missing', async () => {
    for (const url of [
      '/portal/api/nothing',
      '/portal/docs/x',
      '/portal/assets/b.js',
      '/portal/assets/..%2findex.html',
    ])
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

describe('a page that is drawn', () => {
  const cookie = '__Host-kontor=secret';
  const page =
    '<link rel="preload" as="fetch" href="/portal/api/session"><script type="module" crossorigin src="/portal/assets/a-1.js" nonce="__NONCE__"></script><div id="portal"></div>';
  const failures: unknown[] = [];

  /** A portal whose drawing is this module. */
  async function portalWith(drawing: string | null) {
    const own = await mkdtemp(path.join(tmpdir(), 'kontor-portal-'));
    const app = Fastify();
    app.get('/portal/api/session', (request, reply) =>
      reply
        .code(request.headers.cookie?.includes(cookie) ? 200 : 401)
        .send({ for: request.headers['user-agent'] }),
    );
    await mkdir(path.join(own, 'assets'));
    await writeFile(path.join(own, 'index.html'), page);
    if (drawing !== null) {
      await mkdir(path.join(own, 'drawing'));
      await writeFile(path.join(own, 'drawing/drawing.js'), drawing);
    }
    registerPortal(app, { folder: pathToFileURL(`${own}/`), failed: error => failures.push(error) });
    return {
      async get(headers: { cookie?: string; 'user-agent'?: string }, url = '/portal/x?y') {
        const { statusCode, body } = await app.inject({ url, headers });
        assert.equal(statusCode, 200);
        return body;
      },
      async [Symbol.asyncDispose]() {
        await app.close();
        await rm(own, { recursive: true });
      },
    };
  }

  const saysAll = `export const draw = async ({ ask, ...opened }) =>
    '<p id="drawn">$& ' + JSON.stringify({ ...opened, nonce: opened.nonce.length, asked: await ask('/session') }) + '</p>';`;

  test('has the drawing beside the place of the page, knows what it would ask, and begins its script behind it', async () => {
    await using portal = await portalWith(saysAll);
    const body = await portal.get({ cookie: `a=b; ${cookie}; kontor-language=de`, 'user-agent': 'me' });
    const [, drawn] = /<p id="drawn">(.*)<\/p><div id="portal"><\/div><script nonce="/s.exec(body)!;
    assert.equal(drawn, '$& {"target":"/portal/x?y","nonce":24,"language":"de","asked":{"for":"me"}}');
    assert.doesNotMatch(body, /rel="preload"|type="module"/);
    assert.match(body, /<link rel="modulepreload" crossorigin href="\/portal\/assets\/a-1.js">/);
    assert.match(body, /import\('\/portal\/assets\/a-1.js'\)/);
  });

  test('is plain for who has no session, and where the API refuses, neither of which is a failure', async () => {
    await using portal = await portalWith(saysAll);
    for (const headers of [{}, { cookie: '__Host-kontor=other' }, { cookie: `${cookie}; ${cookie}` }])
      assert.match(await portal.get(headers), /^<link.*<div id="portal"><\/div>$/);
    assert.deepEqual(failures, []);
  });

  test('is plain, and nothing is asked, for an address that is too long to be one of the portal', async () => {
    await using portal = await portalWith(
      "export const draw = async () => { throw new Error('was asked'); };",
    );
    assert.match(
      await portal.get({ cookie }, `/portal/x?${'a=&'.repeat(1000)}`),
      /<div id="portal"><\/div>$/,
    );
    assert.deepEqual(failures, []);
  });

  test('is plain where there is nothing to draw, it fails, or is not built, the last two of which are told', async () => {
    for (const [drawing, failure] of [
      ['export const draw = async () => null;', null],
      ["export const draw = async () => { throw new Error('no picture'); };", /no picture/],
      ["throw new Error('no module');", /no module/],
      [null, /Cannot find module/],
    ] as const) {
      await using portal = await portalWith(drawing);
      assert.match(await portal.get({ cookie }), /^<link.*<div id="portal"><\/div>$/);
      const [told] = failures.splice(0);
      if (failure === null) assert.equal(told, undefined);
      else assert.match(String(told), failure);
    }
  });
});
