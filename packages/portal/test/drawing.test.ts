import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { testKey } from '../../server/test/support/world.ts';
import { buildPages, holdBack, noBrowser, useBrowser, visit } from './support.ts';

const list = '/portal/settings/api-keys';
const sharp = '</script><img src=x onerror=alert(1)>$& "&amp;';

const fixture = usePortal(async ({ sql, world }) => {
  for (let made = 0; made < 30; made++) await testKey(sql, world.organization, 'all');
  // How long ago that was says the same for hours.
  await sql`
    UPDATE api_key SET created_at = ${new Date(Date.now() - 36 * 3_600_000)} WHERE organization_id = ${world.organization}`;
});

/** The page as the service sends it to who has these cookies. */
async function sent(cookies: Readonly<Record<string, string>>, path = list): Promise<string> {
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const answer = await fetch(`${fixture.service.url}${path}`, { headers: { cookie } });
  assert.equal(answer.status, 200);
  return answer.text();
}

const signedIn = (secret: string) => ({ '__Host-kontor': secret });
const isDrawn = (page: string) => page.includes('id="drawn"');

/** What somebody reads in a part of a page, and where its links lead. */
interface Contents {
  readonly words: string;
  readonly links: readonly (string | null)[];
}

before(buildPages);

describe('the list of keys', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await fixture.user());
  });

  test('comes drawn to who is signed in, and to nobody else', async () => {
    assert.ok(isDrawn(await sent(signedIn(secret))));
    assert.ok(!isDrawn(await sent({})));
    assert.ok(!isDrawn(await sent(signedIn('1'.repeat(secret.length)))));
    const { secret: ended } = await fixture.user();
    await fixture.portal.request('DELETE', '/session', { key: ended });
    assert.ok(!isDrawn(await sent(signedIn(ended))));
  });

  test('comes drawn in the language that was chosen, else in that of the user', async () => {
    const title = async (more: Record<string, string>) =>
      /<h1[^>]*>([^<]*)/.exec(await sent({ ...signedIn(secret), ...more }))?.[1];
    assert.equal(await title({}), 'API-Schlüssel');
    assert.equal(await title({ 'kontor-language': 'en' }), 'API keys');
    assert.equal(await title({ 'kontor-language': 'xx' }), 'API-Schlüssel');
  });

  test('comes drawn as the address says, and plain where that asks for something else, or cannot be read', async () => {
    const rows = async (query: string) =>
      (await sent(signedIn(secret), `${list}${query}`)).match(/class="row-link"/g)?.length ?? 0;
    assert.equal(await rows(''), 25);
    assert.equal(await rows('?page=2'), 9);
    assert.equal(await rows(`?filter=${encodeURIComponent("name CONTAINS 'e'")}`), 25);
    const long = `?text=${'x'.repeat(2000)}`;
    for (const plain of ['?filter=(', '/new', '/x', '?filter=city%20%3D%20Bonn', long])
      assert.ok(!isDrawn(await sent(signedIn(secret), `${list}${plain}`)), plain);
    assert.ok(!isDrawn(await sent(signedIn(secret), '/portal/companies')));
  });

  test('comes drawn to each with what is theirs, however many ask at once', async () => {
    const { secret: other, id } = await fixture.user();
    const { sql, world } = fixture;
    await sql`
      UPDATE portal_user SET name = 'Olga Other', language = 'en'
      WHERE organization_id = ${world.organization} AND id = ${id}`;
    // One after the other at first: on a busy machine some of many are too late to be drawn.
    const pages = [await sent(signedIn(secret)), await sent(signedIn(other))];
    pages.push(
      ...(await Promise.all(
        Array.from({ length: 40 }, (_, turn) => sent(signedIn(turn % 2 === 0 ? secret : other))),
      )),
    );
    for (const [turn, page] of pages.entries()) {
      const [own, foreign] = turn % 2 === 0 ? ['Petra Lang', 'Olga Other'] : ['Olga Other', 'Petra Lang'];
      assert.ok(!page.includes(foreign), `${turn}: ${foreign}`);
      if (turn >= 2 && !isDrawn(page)) continue;
      assert.ok(page.includes(own), `${turn}: ${own}`);
      assert.match(page, turn % 2 === 0 ? /<h1[^>]*>API-Schlüssel/ : /<h1[^>]*>API keys/);
    }
  });

  test('comes plain while the list keeps it waiting', () =>
    fixture.sql.begin(async transaction => {
      await transaction`LOCK TABLE api_key IN ACCESS EXCLUSIVE MODE`;
      assert.ok(!isDrawn(await sent(signedIn(secret))));
    }));
});

describe('the drawing', { skip: noBrowser }, () => {
  useBrowser();
  const script = '**/assets/index-*.js';

  /** What somebody reads in a part of the page, whether its styles are there or not, and where its links lead. */
  const contents = (part: Locator): Promise<Contents> =>
    part.evaluate(element => {
      const copy = element.cloneNode(true);
      for (const style of copy.querySelectorAll('style')) style.remove();
      const links = [...copy.querySelectorAll('a')].map(link => link.getAttribute('href'));
      return { words: copy.textContent, links };
    });

  /** Opens a page of the list, looks at what is drawn of it while its script is held back, and goes on to the page itself. */
  async function open(page: Page, query: string, look: (drawn: Locator) => Promise<void>): Promise<void> {
    const { letGo } = await holdBack(page, script);
    await page.goto(`${list}${query}`, { waitUntil: 'commit' });
    // Behind the drawing: all of it is there.
    await page.locator('#known').waitFor({ state: 'attached' });
    await look(page.locator('#drawn'));
    letGo();
    await page.locator('#drawn').waitFor({ state: 'detached' });
  }

  const queries = [
    '',
    '?page=2',
    '?show=inactive',
    '?text=no+such',
    `?filter=${encodeURIComponent("name CONTAINS 'e'")}`,
  ];
  for (const language of ['de', 'en'] as const)
    for (const query of queries)
      test(`of ${query || 'the first page'} is what the page draws then, in ${language}`, async () => {
        const { secret } = await fixture.user();
        await visit(fixture.service.url, { secret, language }, async page => {
          let drawn: Contents = { words: '', links: [] };
          await open(page, query, async drawing => {
            drawn = await contents(drawing);
          });
          assert.deepEqual(await contents(page.locator('#portal')), drawn);
          assert.match(drawn.words, language === 'de' ? /API-Schlüssel/ : /API keys/);
        });
      });

  test('stands aside for the page, which asks for nothing again', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      const asked: string[] = [];
      page.on('request', request => {
        const { pathname } = new URL(request.url());
        if (pathname.startsWith('/portal/api')) asked.push(pathname);
      });
      await page.goto(list);
      await page.locator('#portal tbody tr').first().waitFor();
      assert.equal(await page.locator('#drawn, #known').count(), 0);
      // But for what may have changed since, where the script took longer than two seconds.
      const others = asked.filter(path => path !== '/portal/api/api-keys');
      assert.deepEqual(others, ['/portal/api/sign-in-ways']);
    });
  });

  test('takes no click and no focus, and is not there for assistive programs', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, page =>
      open(page, '', async () => {
        assert.equal(await page.getByRole('link').count(), 0);
        for (let step = 0; step < 3; step++) await page.keyboard.press('Tab');
        assert.equal(await page.evaluate("document.activeElement.closest('#drawn') === null"), true);
      }),
    );
  });

  test('has links that lead on where the script does not come', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.route(script, route => route.abort());
      await page.goto(list);
      await page.getByRole('link', { name: 'Companies' }).click();
      await page.waitForURL('**/portal/companies');
    });
  });

  test('leaves the page where somebody has scrolled to', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await open(page, '', async () => {
        // Before the styles are there nothing is as high as it will be.
        await page.evaluate(`new Promise(resolve => {
          const link = document.querySelector('link[rel=stylesheet]');
          if (link.sheet) resolve();
          else link.addEventListener('load', resolve);
        })`);
        await page.evaluate('scrollTo(0, 300)');
      });
      await page.locator('#portal tbody tr').first().waitFor();
      assert.equal(await page.evaluate('scrollY'), 300);
    });
  });

  test('is not seen on a narrow page, which has cards instead', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret, width: 390 }, page =>
      // As soon as the styles are there; before that nothing is painted.
      open(page, '', drawing => drawing.waitFor({ state: 'hidden' })),
    );
  });

  test('holds names that look like HTML for names', async () => {
    const { secret } = await fixture.user();
    const body = { name: sharp, wholeOrganization: true };
    assert.equal((await fixture.portal.post('/api-keys', body, { key: secret })).status, 201);
    await visit(fixture.service.url, { secret }, async page => {
      const first = (place: Locator) => place.locator('.row-link').first().innerText();
      await open(page, '', async drawing => assert.equal(await first(drawing), sharp));
      assert.equal(await first(page.locator('#portal')), sharp);
    });
  });
});
