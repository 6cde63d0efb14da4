import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { testDivision } from '../../server/test/support/data/test-data.ts';
import { inBrowser, visit } from './support.ts';

const fixture = usePortal();

/** What something is wider than the page, and the dialog in it: nothing. */
async function assertFits(page: Page, there: Locator, width: number): Promise<void> {
  await there.waitFor();
  const widths = await page.evaluate(`[
    document.documentElement.scrollWidth,
    ...[...document.querySelectorAll('[role=dialog]')].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  ]`);
  assert.deepEqual(widths, (widths as number[]).length === 1 ? [width] : [width, 0], page.url());
}

inBrowser('names of two hundred letters and no space', () => {
  for (const width of [320, 1000])
    test(`widen no page of ${width} pixels`, async () => {
      const { sql, testData, portal, service } = fixture;
      const { secret } = await fixture.user();
      const name = `${width}`.padEnd(200, 'W');
      const tenant = await createTenant(sql, testData.organization, name);
      const division = await testDivision(
        sql,
        { organizationId: testData.organization, tenantId: tenant },
        name,
      );
      const made = { name, grants: [{ tenant, divisions: null }] };
      const { body: old } = await portal.post('/api-keys', made, { key: secret });
      const { body: key } = await portal.post(`/api-keys/${old.id}/replacement`, {}, { key: secret });
      // The home page names a key that expires, and not one that is being replaced.
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      await portal.post('/api-keys', { ...made, expiresAt }, { key: secret });
      await portal.patch(`/api-keys/${old.id}`, { expectedIntervalSeconds: 300 }, { key: secret });
      await visit(service.url, { secret, width }, async page => {
        const fits = (there: Locator) => assertFits(page, there, width);
        await page.goto('/portal');
        await fits(page.getByRole('link', { name }).first());
        await page.goto('/portal/settings/api-keys');
        await fits(page.getByRole('link', { name }).first());
        await page.goto(`/portal/settings/api-keys/${key.id}`);
        await fits(page.getByText('This key replaces'));
        await page.getByRole('button', { name: 'Delete' }).click();
        await fits(page.getByLabel('Name of the key'));
        await page.goto('/portal/companies');
        await fits(page.getByRole('link', { name }).first());
        await page.goto(`/portal/companies/${tenant}?division=${division}`);
        await fits(page.getByRole('tree'));
        await page.goto('/portal/settings/api-keys/new');
        await page.getByRole('checkbox', { name }).first().check();
        await page.getByText('Some divisions').click();
        await fits(page.getByRole('tree'));
      });
    });
});
