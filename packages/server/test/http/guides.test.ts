import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { apis } from '@kontor/contract';
import { registerGuides, registerReference } from '../../src/http/response/documentation.ts';
import { type StubService, stubService } from './stub-service.ts';

let service: StubService;
let origin: string;
before(async () => {
  service = await stubService({
    pages(get) {
      registerReference(get, apis.public);
      registerGuides(get);
    },
  });
  ({ origin } = new URL(service.url));
});
after(() => service.close());

describe('the guides', () => {
  test('are pages with a title, without scripts, and their pictures exist', async () => {
    const files = await readdir(new URL('../../../../docs', import.meta.url));
    const shown = new Set<string>();
    for (const file of files.filter(name => /^[a-z-]+\.md$/.test(name))) {
      const response = await fetch(`${origin}/docs/${file.replace('.md', '')}`);
      assert.equal(response.status, 200, file);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(response.headers.get('content-security-policy')!, /^default-src 'none'; style-src/);
      const page = await response.text();
      assert.match(page, /<title>Kontor: [A-Z].*<\/title>/);
      assert.match(page, /<h1 id="[a-z-]+">/);
      assert.doesNotMatch(page, /<script|href="[^"]*\.(md|webp)/);
      for (const [, picture, alternative] of page.matchAll(/<img src="([^"]*)" alt="([^"]*)"/g)) {
        assert.notEqual(alternative, '', picture);
        const { status, headers } = await fetch(new URL(picture!, response.url));
        assert.deepEqual([status, headers.get('content-type')], [200, 'image/webp'], `${file}: ${picture}`);
        shown.add(picture!);
      }
    }
    const taken = await readdir(new URL('../../../../docs/portal', import.meta.url));
    assert.deepEqual([...shown].toSorted(), taken.map(name => `portal/${name}`).toSorted());
  });

  test('link to each other and to their parts, from the list of all', async () => {
    const pages = new Map<string, string>();
    const waiting = [`${origin}/docs/guides`];
    const broken: string[] = [];
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      const response = await fetch(address);
      assert.equal(response.status, 200, address);
      const page = await response.text();
      pages.set(address, page);
      for (const [, href] of page.matchAll(/<a href="([^"]+)"/g)) {
        const { origin: target, pathname } = new URL(href!, address);
        const linked = target + pathname;
        if (target === origin && !pages.has(linked) && !waiting.includes(linked)) waiting.push(linked);
      }
    }
    for (const [address, page] of pages)
      for (const [, href] of page.matchAll(/<a href="([^"]+#[^"]+|#[^"]+)"/g)) {
        const { hash, origin: target, pathname } = new URL(href!, address);
        const linked = pages.get(target + pathname);
        if (target === origin && !linked?.includes(`id="${hash.slice(1)}"`))
          broken.push(`${address}: ${href}`);
      }
    assert.deepEqual(broken, []);
    assert.ok(pages.size > 20, `${pages.size} pages`);
  });

  test('are not sent again to a client that has them, also when a proxy weakened their tag', async () => {
    const first = await fetch(`${origin}/docs/running`);
    const etag = first.headers.get('etag')!;
    for (const present of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const { status, headers } = await fetch(`${origin}/docs/running`, {
        headers: { 'if-none-match': present },
      });
      assert.deepEqual([status, headers.get('etag')], [304, etag], present);
    }
    const other = await fetch(`${origin}/docs/running`, { headers: { 'if-none-match': '"other"' } });
    assert.equal(await other.text(), await first.text());
  });

  test('are 404 under every other name', async () => {
    for (const name of [
      'nothing',
      'guides.html',
      'running.md',
      encodeURIComponent('../docs'),
      '',
      'portal/nothing.webp',
      `portal/${encodeURIComponent('../running.html')}`,
    ])
      assert.equal((await fetch(`${origin}/docs/${name}`)).status, 404, name);
  });

  test('name the command that builds them, as the reference does, and are served once they are built', async () => {
    const empty = await mkdtemp(path.join(tmpdir(), 'kontor-documentation-'));
    const folder = pathToFileURL(`${empty}/built/`);
    const unbuilt = await stubService({
      pages(get) {
        registerReference(get, apis.public, folder);
        registerGuides(get, folder);
      },
    });
    for (const url of ['/docs', '/docs/scalar.js', '/docs/running', '/docs/changelog.atom']) {
      const response = await fetch(new URL(url, unbuilt.url));
      assert.deepEqual([response.status, response.headers.get('cache-control')], [503, 'no-store'], url);
      assert.match(await response.text(), /npm run build/);
    }
    await mkdir(new URL('docs/', folder), { recursive: true });
    await writeFile(new URL('docs/running.html', folder), '<h1>Running</h1>');
    assert.equal(await (await fetch(new URL('/docs/running', unbuilt.url))).text(), '<h1>Running</h1>');
    await unbuilt.close();
    await rm(empty, { recursive: true });
  });
});
