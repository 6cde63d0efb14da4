import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { testDivision } from '../../server/test/support/data/test-data.ts';
import { inBrowser, inLanguages, press, reach, visit } from './support.ts';

const fixture = usePortal(async ({ sql, testData: { organization, tenantA, sales } }) => {
  const place = { organizationId: organization, tenantId: tenantA, parentId: sales };
  for (let number = 100; number < 160; number++) await testDivision(sql, place, `Team ${number}`);
});

const words = {
  en: {
    company: 'Muster GmbH',
    some: 'Some divisions',
    tree: 'Divisions of Muster GmbH',
    search: 'Search the divisions of Muster GmbH',
    found: '1 division found',
    preview: /The key currently has access to.*1 company.*62 divisions.*0 employees.*0 orders/,
    nothing: 'The key has no access yet.',
    copy: 'Copy the ID of Team 159',
  },
  de: {
    company: 'Muster GmbH',
    some: 'Einzelne Abteilungen',
    tree: 'Abteilungen von Muster GmbH',
    search: 'Abteilungen von Muster GmbH durchsuchen',
    found: '1 Abteilung gefunden',
    preview:
      /Der Schlüssel hat derzeit Zugriff auf.*1 Unternehmen.*62 Abteilungen.*0 Mitarbeiter.*0 Bestellungen/,
    nothing: 'Der Schlüssel hat noch keinen Zugriff.',
    copy: 'ID von Team 159 kopieren',
  },
} as const;

/** The line that the focus of the tree is at. */
const activeIn = (page: Page) =>
  page.getByRole('tree').evaluate(tree => {
    const id = tree.getAttribute('aria-activedescendant')!;
    return tree.ownerDocument.getElementById(id)?.textContent;
  });

inBrowser('the tree of divisions, by keyboard alone', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await fixture.user());
  });

  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: divisions are chosen for a key, and its scope preview is shown`, () =>
      visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/api-keys/new');
        await page.getByText(labels.nothing).waitFor();
        await press(page, page.getByRole('checkbox', { name: labels.company, exact: true }), 'Space');
        await reach(page, page.getByRole('radio', { checked: true }).nth(2));
        await page.keyboard.press('ArrowRight');
        const tree = page.getByRole('tree', { name: labels.tree });
        await reach(page, tree);
        assert.equal(await activeIn(page), 'Sales');
        await page.keyboard.press('Space');
        const preview = page.getByRole('status').filter({ hasText: labels.preview });
        await preview.waitFor();
        const sales = tree.getByRole('treeitem', { name: 'Sales', exact: true });
        assert.equal(await sales.getAttribute('aria-checked'), 'true');
        await page.keyboard.press('ArrowRight');
        if ((await sales.getAttribute('aria-expanded')) === 'false') throw new Error('it is open now');
        await page.keyboard.press('ArrowRight');
        const north = tree.getByRole('treeitem', { name: 'North' });
        assert.equal(await north.getAttribute('aria-checked'), 'true', 'what is below comes with it');
        assert.equal(await north.getAttribute('aria-disabled'), 'true');
        await page.keyboard.press('Space');
        assert.equal(await sales.getAttribute('aria-checked'), 'true');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('Space');
        await page.getByText(labels.nothing).waitFor();
      }));

    test(`${language}: a division is found and looked at, and its ID can be copied`, () =>
      visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${fixture.testData.tenantA}`);
        await reach(page, page.getByRole('searchbox', { name: labels.search }));
        await page.keyboard.insertText('team 159');
        await page.getByText(labels.found).waitFor();
        await reach(page, page.getByRole('tree'));
        await page.keyboard.press('End');
        assert.equal(await activeIn(page), 'Team 159');
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: labels.copy }).waitFor();
        assert.ok(new URL(page.url()).searchParams.get('division'));
        await page.reload();
        await page.getByRole('button', { name: labels.copy }).waitFor();
        assert.equal(await activeIn(page), 'Team 159', 'the line is in sight again');
      }));
  }

  test('goes by Home, End and letters, and shows the line that the focus is at', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/companies/${fixture.testData.tenantA}`);
      const tree = page.getByRole('tree');
      await reach(page, tree);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('End');
      assert.equal(await activeIn(page), 'Support');
      await page.keyboard.press('Home');
      assert.equal(await activeIn(page), 'Sales');
      await page.keyboard.type('team 15');
      assert.equal(await activeIn(page), 'Team 150');
      const inPreview = await tree.evaluate(element => {
        const line = element.ownerDocument.getElementById(element.getAttribute('aria-activedescendant'));
        const [outer, inner] = [element.getBoundingClientRect(), line.getBoundingClientRect()];
        return inner.top >= outer.top && inner.bottom <= outer.bottom + 1;
      });
      assert.equal(inPreview, true);
      const rendered = await page.getByRole('treeitem').count();
      assert.ok(rendered < 45, `${rendered} lines are drawn`);
    }));

  test('what a search has found is closed and opened, and stays as it was without the search', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/companies/${fixture.testData.tenantA}`);
      const line = (name: string) => page.getByRole('treeitem', { name, exact: true });
      await page.getByRole('searchbox').fill('Team 15');
      await line('Team 159').waitFor();
      await reach(page, page.getByRole('tree'));
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowLeft');
      await line('Team 159').waitFor({ state: 'detached' });
      assert.equal(await line('Sales').getAttribute('aria-expanded'), 'false');
      await line('Sales').locator('span').first().click();
      await line('Team 159').waitFor();
      await page.getByRole('searchbox').fill('');
      await line('Support').waitFor();
      assert.equal(await line('Sales').getAttribute('aria-expanded'), 'false');
    }));

  test('no line moves under the hands when others add divisions', () =>
    visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/companies/${fixture.testData.tenantA}`);
      const line = (name: string) => page.getByRole('treeitem', { name, exact: true });
      await line('Sales').locator('span').first().click();
      const lines = page.getByRole('tree').getByRole('presentation');
      const height = (await lines.boundingBox())!.height;
      await page.getByRole('tree').evaluate(tree => tree.scrollTo(0, 800));
      const team = line('Team 125');
      await team.waitFor();
      const { y } = (await team.boundingBox())!;
      await fixture.client.post(
        '/divisions',
        { name: 'First of all', order: -1000 },
        { tenant: fixture.testData.tenantA },
      );
      await page.locator(`[role=tree] > [style*="height: ${height + 34}px"]`).waitFor();
      assert.equal((await team.boundingBox())!.y, y);
    }));
});
