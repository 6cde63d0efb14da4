import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { testDivision } from '../../server/test/support/data/test-data.ts';
import { inBrowser, visit } from './support.ts';

const fixture = usePortal();

/** Milliseconds after which a change is shown to all users. */
const soon = 5000;

inBrowser('what others change', () => {
  let key: string;
  before(async () => {
    const permissions = ['IT', 'COMPANY_ADMIN'] as const;
    ({ secret: key } = await signedInUser(fixture.sql, fixture.testData.organization, {
      permissions: [...permissions],
    }));
  });

  const create = (name: string) =>
    fixture.portal.post('/api-keys', { name, wholeOrganization: true }, { key });

  test('appears in a list within five seconds, without a reload', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, page =>
      visit(fixture.service.url, { secret: key }, async other => {
        await page.goto('/portal/settings/api-keys');
        await page.getByText(/^\d+ keys$/).waitFor();
        await other.goto('/portal/settings/api-keys/new');
        await other.getByLabel(/^Name/).fill('Made by another');
        await other.getByRole('radio', { name: 'The whole organization' }).check();
        await other.getByRole('button', { name: 'Create key' }).click();
        await other.getByTestId('key').waitFor();
        await page.getByRole('link', { name: 'Made by another' }).waitFor({ timeout: soon });
      }),
    );
  });

  test('waits while the focus is in the list, reports it, and takes no focus away', async () => {
    const first = (await create('Before')).body;
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/settings/api-keys');
      const row = page.getByRole('link', { name: 'Before' });
      await row.focus();
      const { y } = (await row.boundingBox())!;
      await create('Meanwhile');
      await fixture.portal.request('POST', `/api-keys/${first.id}/deactivation`, { key });
      const news = page.getByRole('button', { name: 'The list has changed. Reload' });
      await news.waitFor({ timeout: soon });
      assert.equal(await row.evaluate(link => link === link.ownerDocument.activeElement), true);
      assert.equal((await row.boundingBox())!.y, y, 'no row moves');
      assert.equal(await page.getByRole('link', { name: 'Meanwhile' }).count(), 0);
      // What changes in a row that is there shows at once.
      await page.getByRole('row').filter({ has: row }).getByText('Inactive').waitFor({ timeout: soon });
      const focused = () => news.evaluate(button => button === button.ownerDocument.activeElement);
      for (let step = 0; step < 40 && !(await focused()); step++) await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Meanwhile' }).waitFor();
      assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-label')"), 'List');
    });
  });

  test('is not requested while the page is not used, and appears when it is used again', async () => {
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.clock.install();
      const answered = () =>
        Promise.all(['/api-keys/search', '/summary'].map(end => page.waitForResponse(`**${end}`)));
      const first = answered();
      await page.goto('/portal/settings/api-keys');
      await first;
      await page.getByText(/^\d+ keys$/).waitFor();
      const last = answered();
      await page.clock.fastForward('06:00');
      await last;
      let more = 0;
      page.on('request', () => more++);
      await create('While nobody looked');
      await page.clock.fastForward('01:00');
      assert.equal(more, 0);
      await page.mouse.move(5, 5);
      await page.getByRole('link', { name: 'While nobody looked' }).waitFor({ timeout: soon });
    });
  });

  test('appears on the page of a key and in the tree of divisions', async () => {
    const { organization, tenantA, sales } = fixture.testData;
    const { body } = await create('Watched');
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/settings/api-keys/${body.id}`);
      await page.getByRole('button', { name: 'Deactivate' }).waitFor();
      await fixture.portal.request('POST', `/api-keys/${body.id}/deactivation`, { key });
      await page.getByRole('button', { name: 'Reactivate' }).waitFor({ timeout: soon });
      await page.goto(`/portal/companies/${tenantA}?division=${sales}`);
      const tree = page.getByRole('tree');
      await tree.getByRole('treeitem', { name: 'Sales' }).waitFor();
      await testDivision(fixture.sql, { organizationId: organization, tenantId: tenantA }, 'Brand new');
      await tree.getByRole('treeitem', { name: 'Brand new' }).waitFor({ timeout: soon });
    });
  });
});
