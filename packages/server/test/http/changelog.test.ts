import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { renderEntries } from '../../../../tools/documentation/changelog.ts';
import { registerGuides } from '../../src/http/response/documentation.ts';
import { type StubService, stubService } from './stub-service.ts';

let service: StubService;
let origin: string;
let days: string[];

before(async () => {
  service = await stubService({ pages: registerGuides });
  ({ origin } = new URL(service.url));
  const changelog = await readFile(new URL('../../../../CHANGELOG.md', import.meta.url), 'utf8');
  days = changelog.match(/(?<=^## )\d{4}-\d{2}-\d{2}.*$/gm)!;
});
after(() => service.close());

describe('the change log', () => {
  test('is a page with every entry of CHANGELOG.md, without scripts or relative links', async () => {
    const response = await fetch(`${origin}/docs/changelog`);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(response.headers.get('content-security-policy')!, /^default-src 'none'; style-src/);
    // The page has an empty icon, so that a browser asks for none.
    assert.match(response.headers.get('content-security-policy')!, /; img-src 'self' data:;/);
    const page = await response.text();
    for (const day of days) assert.ok(page.includes(`<h2>${day}</h2>`), day);
    assert.match(page, /<strong>Breaking<\/strong>/);
    assert.doesNotMatch(page, /<script|href="[^"]*\.md/);
  });

  test('is an Atom feed that the page names, with an entry for each day', async () => {
    const page = await (await fetch(`${origin}/docs/changelog`)).text();
    const [, address] = /type="application\/atom\+xml"[^>]* href="([^"]+)"/.exec(page)!;
    const response = await fetch(new URL(address!, `${origin}/docs/changelog`));
    assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
    const feed = await response.text();
    assert.deepEqual(
      [...feed.matchAll(/<entry>\s*<id>(.*)<\/id>\s*<title>(.*)<\/title>\s*<updated>(.*)<\/updated>/g)].map(
        ([, , title, updated]) => [title, updated],
      ),
      days.map(day => [day, `${day.slice(0, 10)}T00:00:00Z`]),
    );
    const ids = feed.match(/<id>.*<\/id>/g)!;
    assert.equal(new Set(ids).size, ids.length);
  });

  test('escapes the markup of an entry in the feed', () => {
    const [entry] = renderEntries('# C\n\n## 2031-01-01\n\n- `a < b` in [docs](docs/running.md)\n');
    assert.equal(entry!.html.trim(), '<ul>\n<li><code>a &lt; b</code> in docs</li>\n</ul>');
  });
});
