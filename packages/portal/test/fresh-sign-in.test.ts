import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { password, usePortal } from '../../server/test/portal/support.ts';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { activeUser } from '../../server/test/support/data/users.ts';
import { testDivision, testKey } from '../../server/test/support/data/test-data.ts';
import { button, holdBack, inBrowser, inLanguages, press, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    confirm: 'Confirm your identity',
    approve: 'Approve up to a month',
    create: 'Create rule',
    applies: 'The rule applies to new orders.',
    to: 'Move to …',
    moveOf: 'Move South',
    move: 'Move',
    down: 'Move down',
    none: 'No API key gains or loses access.',
    moved: 'South was moved.',
    undo: 'Undo',
    back: 'South is back at its place.',
  },
  de: {
    confirm: 'Identität bestätigen',
    approve: 'Genehmigen bis (monatlich)',
    create: 'Regel anlegen',
    applies: 'Die Regel gilt für neue Bestellungen.',
    to: 'Verschieben nach …',
    moveOf: 'South verschieben',
    move: 'Verschieben',
    down: 'Nach unten',
    none: 'Kein API-Schlüssel gewinnt oder verliert Zugriff.',
    moved: 'South wurde verschoben.',
    undo: 'Rückgängig',
    back: 'South ist wieder an ihrem Platz.',
  },
} as const;

/** The session of a user with COMPANY_ADMIN who signed in an hour ago. */
async function staleSession(): Promise<string> {
  const { sql, testData } = fixture;
  const { id, secret } = await fixture.user();
  await sql`
    UPDATE portal_user SET permissions = ${['COMPANY_ADMIN']} WHERE organization_id = ${testData.organization} AND id = ${id}`;
  await sql`
    UPDATE portal_session SET authenticated_at = ${new Date(Date.now() - 3_600_000)}
    WHERE organization_id = ${testData.organization} AND user_id = ${id}`;
  return secret;
}

inBrowser('a fresh sign-in', () => {
  /** Opens the page of an inactive user as a user who signed in an hour ago. */
  async function onUser(act: (page: Page) => Promise<void>): Promise<void> {
    const { sql, testData } = fixture;
    const secret = await staleSession();
    const other = await activeUser(sql, testData.organization, { name: 'Otto Other' });
    await sql`
      UPDATE portal_user SET deactivated_at = now() WHERE organization_id = ${testData.organization} AND id = ${other.id}`;
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/settings/users/${other.id}`);
      await button(page, 'Reactivate').waitFor();
      await act(page);
    });
  }

  test('is asked for once by two actions that wait for it, and both are done then', () =>
    onUser(async page => {
      const { arrived, letGo } = await holdBack(page, '**/reactivation');
      await button(page, 'Reactivate').click();
      await arrived;
      await type(page, page.getByRole('textbox', { name: 'Name' }), 'Olga Other');
      await button(page, 'Save').click();
      const field = page.getByRole('dialog').locator('input[name=password]');
      await field.waitFor();
      const rejected = page.waitForResponse('**/reactivation');
      letGo();
      await (await rejected).finished();
      await type(page, field, password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Olga Other', level: 1 }).waitFor();
      await button(page, 'Deactivate').waitFor();
    }));

  test('is asked for before a key is reactivated, and not before it is deactivated', async () => {
    const { sql, testData, service } = fixture;
    const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
    const status = async () => {
      const rows = await sql<{ status: string }[]>`
        SELECT status FROM api_key WHERE organization_id = ${testData.organization} AND id = ${id}`;
      return rows[0]!.status;
    };
    await visit(service.url, { secret: await staleSession() }, async page => {
      await page.goto(`/portal/settings/api-keys/${id}`);
      await button(page, 'Deactivate').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
      await button(page, 'Reactivate').click();
      const field = page.getByRole('dialog').locator('input[name=password]');
      await field.waitFor();
      assert.equal(await status(), 'inactive');
      await type(page, field, password);
      await page.keyboard.press('Enter');
      await button(page, 'Deactivate').waitFor();
      assert.equal(await status(), 'active');
    });
  });

  test('that cannot be loaded is a failure of the action, and is asked for at the next attempt', () =>
    onUser(async page => {
      await page.route('**/confirmation-dialog*.js', route => route.abort());
      await press(page, button(page, 'Reactivate'));
      await page.getByRole('alert').waitFor();
      await page.unroute('**/confirmation-dialog*.js');
      await button(page, 'Reactivate').click();
      await type(page, page.getByRole('dialog').locator('input[name=password]'), password);
      await page.keyboard.press('Enter');
      await button(page, 'Deactivate').waitFor();
    }));

  for (const language of inLanguages('de')) {
    const labels = words[language];
    const confirmation = (page: Page) => page.getByRole('dialog', { name: labels.confirm });
    const confirm = async (page: Page) => {
      const field = confirmation(page).locator('input[name=password]');
      await type(page, field, password);
      await page.keyboard.press('Enter');
      await confirmation(page).waitFor({ state: 'hidden' });
    };

    test(`${language}: is asked for by an approval rule, which is kept until then, also when it is cancelled`, async () => {
      const { sql, testData, service } = fixture;
      const tenant = await createTenant(sql, testData.organization, `Regel ${language} GmbH`);
      const rules = () => sql`SELECT FROM decision_rule WHERE tenant_id = ${tenant}`;
      await visit(service.url, { language, secret: await staleSession() }, async page => {
        await page.goto(`/portal/companies/${tenant}?tab=approval`);
        await type(page, page.getByLabel(labels.approve), '500');
        await press(page, button(page, labels.create));
        await confirmation(page).waitFor();
        await page.keyboard.press('Escape');
        await confirmation(page).waitFor({ state: 'hidden' });
        assert.equal((await rules()).length, 0);
        await press(page, button(page, labels.create));
        await confirm(page);
        await page.getByText(labels.applies).waitFor();
        assert.match(await page.getByLabel(labels.approve).inputValue(), /^500/);
      });
      assert.equal((await rules()).length, 1);
    });

    test(`${language}: is asked for by a move, whose place is kept until then; without it nothing is shown or moved`, async () => {
      const { sql, testData, service } = fixture;
      const place = {
        organizationId: testData.organization,
        tenantId: await createTenant(sql, testData.organization, `Umzug ${language} GmbH`),
      };
      const south = await testDivision(sql, place, 'South');
      await testDivision(sql, place, 'Support');
      const secret = await staleSession();
      const grow = () => sql`
        UPDATE portal_session SET authenticated_at = ${new Date(Date.now() - 3_600_000)}
        WHERE organization_id = ${place.organizationId}`;
      await visit(service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${place.tenantId}?division=${south}`);
        await press(page, button(page, labels.to));
        const moving = page.getByRole('dialog', { name: labels.moveOf });
        const choose = () => moving.getByRole('treeitem', { name: 'Support', exact: true }).click();
        await choose();
        await confirmation(page).waitFor();
        await page.keyboard.press('Escape');
        await confirmation(page).waitFor({ state: 'hidden' });
        assert.equal(await page.getByRole('alert').count(), 0);
        assert.ok(await moving.getByRole('button', { name: labels.move, exact: true }).isDisabled());
        await choose();
        await confirm(page);
        await moving.getByText(labels.none).waitFor();
        await press(page, moving.getByRole('button', { name: labels.move, exact: true }));
        await page.getByText(labels.moved).waitFor();
        await grow();
        await press(page, button(page, labels.undo));
        await confirmation(page).waitFor();
        await page.keyboard.press('Escape');
        await press(page, button(page, labels.undo));
        await confirm(page);
        await page.getByText(labels.back).waitFor();
        await grow();
        await press(page, button(page, labels.down));
        await confirm(page);
        await page.getByText(labels.moved).waitFor();
      });
      const [moved] = await sql`SELECT parent_id FROM division WHERE id = ${south}`;
      assert.equal(moved!['parent_id'], null);
    });
  }
});
