import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import Fastify, { type FastifyInstance } from 'fastify';
import { registerChangelog } from '../../src/http/response/changelog.ts';
import { registerGuides } from '../../src/http/response/guides.ts';

let app: FastifyInstance;
let origin: string;
before(async () => {
  app = Fastify();
  registerChangelog(app);
  registerGuides(app);
  app.get('/docs', async () => 'the reference');
  origin = await app.listen({ port: 0, host: '127.0.0.1' });
});
after(() => app.close());

describe('the guides', () => {
  test('are pages with a title, without scripts or pictures', async () => {
    const files = await readdir(new URL('../../../../docs', import.meta.url));
    for (const file of files.filter(name => /^[a-z-]+\.md$/.test(name))) {
      const response = await fetch(`${origin}/docs/${file.replace('.md', '')}`);
      assert.equal(response.status, 200, file);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(response.headers.get('content-security-policy')!, /^default-src 'none'; style-src/);
      const page = await response.text();
      assert.match(page, /<title>Kontor: [A-Z].*<\/title>/);
      assert.match(page, /<h1 id="[a-z-]+">/);
      assert.doesNotMatch(page, /<script|<img|href="[^"]*\.(md|png)/);
    }
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
});
