import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { isLong } from '../../server/test/support/service/scale.ts';
import { startService, type TestService } from '../../server/test/support/service/service.ts';
import { assertNoFindings, assertReflows, inBrowser, visit } from './support.ts';
import { prepareViews, type Visit, viewsOf, visits } from './views/all.ts';
import { assertFits } from './views/layout.ts';
import { dialogsOfSources, routesOfSources } from './views/sources.ts';
import { type Language, settle, type View, Words } from './views/view.ts';

const fixture = usePortal();

inBrowser('every page and dialog, with names of sixty letters', () => {
  let views: readonly View[];
  let secrets: Readonly<Record<'user' | 'stale' | 'passkey', string>>;
  let service: TestService;
  /** The titles of the German dialogs that were opened. */
  const titles: string[] = [];
  before(async () => {
    // Passkeys need a host name.
    service = await startService(fixture.sql, { publicUrl: null });
    ({ views, secrets } = await prepareViews(fixture));
  });
  after(() => service?.stop());

  const visitAs = (as: Visit['as'], language: Language, act: (page: Page) => Promise<void>) =>
    visit(
      service.url.replace('127.0.0.1', 'localhost'),
      { language, ...(as !== 'anonymous' && { secret: secrets[as] }) },
      act,
    );

  async function open(page: Page, { path, open }: View, language: Language): Promise<void> {
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(`/portal${path}`);
    await settle(page);
    await open?.(page, new Words(page, language));
    await settle(page);
    if (language === 'de')
      titles.push(...(await page.getByRole('dialog').getByRole('heading', { level: 2 }).allInnerTexts()));
  }

  // One visit for many pages: a new browser context for each would be half of the cost. Two visits share the two cores of CI.
  describe('in light and dark', { concurrency: 2 }, () => {
    for (const each of visits) {
      test(`${each.name}: fits screens of 1920 to 320 pixels in German, and has no finding of axe on a phone`, t =>
        visitAs(each.as, 'de', async page => {
          for (const view of viewsOf(views, each))
            await t.test(view.name, async () => {
              await open(page, view, 'de');
              await assertFits(page);
              await assertNoFindings(page);
              await assertReflows(page);
            });
        }));

      // The long words of German on a phone are the narrow end. The wide page in English is the other one.
      if (!isLong) continue;
      test(`${each.name}: fits them in English, and has no finding on a wide screen`, t =>
        visitAs(each.as, 'en', async page => {
          for (const view of viewsOf(views, each))
            await t.test(view.name, async () => {
              await open(page, view, 'en');
              await assertNoFindings(page);
              await assertFits(page);
            });
        }));
    }
  });

  test('is in the list of views: add yours to its area in test/views', () => {
    const isVisited = (route: RegExp) => views.some(({ path }) => route.test(path.replace(/[?#].*/, '')));
    assert.deepEqual(
      routesOfSources().filter(({ pattern }) => !isVisited(pattern)),
      [],
      'pages',
    );
    assert.deepEqual(
      dialogsOfSources().filter(
        ({ patterns }) => !patterns.some(one => titles.some(title => one.test(title))),
      ),
      [],
      'dialogs',
    );
  });

  test('shows the whole text of a chip that is cut off when it has the focus', () =>
    visitAs('user', 'en', async page => {
      await page.goto('/portal/settings/api-keys');
      const chip = page.locator('span[tabindex="0"][title]').first();
      const isCut = () => chip.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
      await chip.waitFor();
      assert.ok(await isCut());
      await chip.focus();
      assert.ok(!(await isCut()));
      assert.equal(await page.locator('span[title]:focus').count(), 1);
    }));
});
