import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Division } from '@kontor/contract';
import type { Page } from 'playwright-core';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { storeEmployees } from '../../server/test/support/data/employees.ts';
import { testDivision, testKey } from '../../server/test/support/data/test-data.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    create: 'New division',
    name: /^Name/,
    costCenter: 'Cost centre',
    createIt: 'Create',
    edit: 'Edit',
    save: 'Save',
    saved: 'Changes saved',
    below: 'New division below',
    to: 'Move to …',
    move: 'Move',
    up: 'Move up',
    undo: 'Undo',
    moved: 'South was moved.',
    back: 'South is back at its place.',
    cut: /^South is cut\./,
    effects: '1 employee moves with it.',
    gaining: 'These API keys will see them:',
    none: 'No API key gains or loses access.',
    taken: 'A division with this name exists at this place. Rename one of them first.',
    cycle: 'A division cannot be moved below itself. Choose another place.',
    changed: /^Another user has changed this in the meantime\. Nothing was overwritten\./,
    top: 'To the top level of Baum GmbH',
  },
  de: {
    create: 'Neue Abteilung',
    name: /^Name/,
    costCenter: 'Kostenstelle',
    createIt: 'Anlegen',
    edit: 'Bearbeiten',
    save: 'Speichern',
    saved: 'Änderungen gespeichert',
    below: 'Neue Abteilung darunter',
    to: 'Verschieben nach …',
    move: 'Verschieben',
    up: 'Nach oben',
    undo: 'Rückgängig',
    moved: 'South wurde verschoben.',
    back: 'South ist wieder an ihrem Platz.',
    cut: /^South ist ausgeschnitten\./,
    effects: '1 Mitarbeiter zieht mit um.',
    gaining: 'Diese API-Schlüssel haben danach Zugriff darauf:',
    none: 'Kein API-Schlüssel gewinnt oder verliert Zugriff.',
    taken:
      'An dieser Stelle gibt es schon eine Abteilung mit diesem Namen. Benennen Sie zuerst eine der beiden um.',
    cycle: 'Eine Abteilung lässt sich nicht unter sich selbst verschieben. Wählen Sie einen anderen Platz.',
    changed: /^Inzwischen hat ein anderer Benutzer dies geändert\. Es wurde nichts überschrieben\./,
    top: 'Auf die oberste Ebene von Baum GmbH',
  },
} as const;

/** A company with North and South below Sales, and Support with a key; its admin is signed in. */
async function company() {
  const { sql, testData } = fixture;
  const organizationId = testData.organization;
  const tenantId = await createTenant(sql, organizationId, 'Baum GmbH');
  const make = (name: string, parentId: string | null = null) =>
    testDivision(sql, { organizationId, tenantId, parentId }, name);
  const sales = await make('Sales');
  await make('North', sales);
  const south = await make('South', sales);
  const support = await make('Support');
  await storeEmployees(sql, organizationId, [{ tenant: tenantId, divisionId: south }]);
  await testKey(sql, organizationId, { divisions: [{ tenant: tenantId, id: support }] });
  const allowed = { permissions: ['COMPANY_ADMIN' as const] };
  const { secret } = await signedInUser(sql, organizationId, allowed);
  return { tenantId, secret, sales, south, support };
}

async function stored(id: string): Promise<Division> {
  return (await fixture.client.get<Division>(`/divisions/${id}`)).body;
}

const row = (page: Page, name: string) =>
  page.getByRole('tree').last().getByRole('treeitem', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');

/** The names of the rows of the page, from top to bottom. */
const rows = (page: Page) => page.getByRole('tree').first().getByRole('treeitem').allTextContents();

inBrowser('the divisions of a company, changed by its admin', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: a division is created and changed by keyboard alone`, async () => {
      const { tenantId, secret } = await company();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${tenantId}`);
        await press(page, button(page, labels.create));
        await type(page, dialog(page).getByLabel(labels.name), 'support');
        await press(page, dialog(page).getByRole('button', { name: labels.createIt }));
        await dialog(page).getByText(labels.taken).waitFor();
        await type(page, dialog(page).getByLabel(labels.name), 'Purchasing');
        await type(page, dialog(page).getByLabel(labels.costCenter), '4711');
        await page.keyboard.press('Enter');
        const about = page.getByRole('group', { name: /Purchasing/ });
        await about.getByText('4711', { exact: true }).waitFor();
        await press(page, button(page, labels.edit));
        await type(page, dialog(page).getByLabel(labels.name), 'Procurement');
        await page.keyboard.press('Enter');
        await page.getByText(labels.saved).waitFor();
        await press(page, button(page, labels.below));
        await type(page, dialog(page).getByLabel(labels.name), 'Parts');
        await page.keyboard.press('Enter');
        await page.getByRole('group', { name: /Parts/ }).getByText('Procurement').waitFor();
      });
    });

    test(`${language}: a cost centre is set of a division whose name could not be entered`, async () => {
      const { tenantId, secret, sales } = await company();
      const name = 'East\u200e';
      const { body } = await fixture.client.post('/divisions', { name, parentId: sales });
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${tenantId}?division=${body.id}`);
        await press(page, button(page, labels.edit));
        await type(page, dialog(page).getByLabel(labels.costCenter), '4711');
        await page.keyboard.press('Enter');
        await page.getByText(labels.saved).waitFor();
      });
      const { name: kept, costCenter } = await stored(body.id);
      assert.deepEqual([kept, costCenter], [name, '4711']);
    });

    test(`${language}: a division is moved by keyboard alone: in the tree, by the dialog, and back`, async () => {
      const { tenantId, secret, sales, south, support } = await company();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${tenantId}?division=${south}`);
        const tree = page.getByRole('tree').first();
        await reach(page, tree);
        await page.keyboard.press('Alt+ArrowUp');
        await page.getByText(labels.moved).waitFor();
        assert.deepEqual(await rows(page), ['Sales', 'South', 'North', 'Support']);
        await reach(page, tree);
        await page.keyboard.press('Control+z');
        await page.getByText(labels.back).waitFor();
        assert.deepEqual(await rows(page), ['Sales', 'North', 'South', 'Support']);
        await page.keyboard.press('Control+x');
        await page.getByText(labels.cut).waitFor();
        await page.keyboard.press('End');
        await page.keyboard.press('Control+v');
        await dialog(page).getByText(labels.effects).waitFor();
        await dialog(page).getByText(labels.gaining).waitFor();
        await press(page, dialog(page).getByRole('button', { name: labels.move, exact: true }));
        await page.getByText(labels.moved).waitFor();
        assert.equal((await stored(south)).parentId, support);
        await press(page, button(page, labels.undo));
        await page.getByText(labels.back).waitFor();
        assert.equal((await stored(south)).parentId, sales);
        await press(page, button(page, labels.to));
        await press(page, dialog(page).getByRole('checkbox', { name: labels.top }), 'Space');
        await dialog(page).getByText(labels.none).waitFor();
        await press(page, dialog(page).getByRole('button', { name: labels.move, exact: true }));
        await page.getByText(labels.moved).waitFor();
        assert.equal((await stored(south)).parentId, null);
      });
    });

    test(`${language}: a division is dragged: between siblings at once, elsewhere after the dialog has shown what it means`, async () => {
      const { tenantId, secret, south, support } = await company();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${tenantId}?division=${south}`);
        await row(page, 'South').dragTo(row(page, 'North'), { targetPosition: { x: 60, y: 3 } });
        await page.getByText(labels.moved).waitFor();
        assert.deepEqual(await rows(page), ['Sales', 'South', 'North', 'Support']);
        await row(page, 'Sales').dragTo(row(page, 'North'));
        await dialog(page).getByText(labels.cycle).waitFor();
        assert.ok(await dialog(page).getByRole('button', { name: labels.move, exact: true }).isDisabled());
        await page.keyboard.press('Escape');
        await row(page, 'South').dragTo(row(page, 'Support'));
        await dialog(page).getByText(labels.gaining).waitFor();
        await dialog(page).getByRole('button', { name: labels.move, exact: true }).click();
        await dialog(page).waitFor({ state: 'detached' });
        assert.equal((await stored(south)).parentId, support);
        assert.deepEqual(await rows(page), ['Sales', 'North', 'Support', 'South']);
      });
    });

    test(`${language}: of two admins at once the second one sees a conflict, and overwrites nothing`, async () => {
      const { tenantId, secret, south } = await company();
      const change = async (body: object) => {
        const { updatedAt: expectedUpdatedAt } = await stored(south);
        return fixture.portal.patch(`/divisions/${south}`, { expectedUpdatedAt, ...body }, { key: secret });
      };
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/companies/${tenantId}?division=${south}`);
        await button(page, labels.edit).click();
        await dialog(page).getByLabel(labels.costCenter).fill('1');
        assert.equal((await change({ costCenter: '2' })).status, 200);
        await dialog(page).getByRole('button', { name: labels.save }).click();
        await dialog(page).getByText(labels.changed).waitFor();
        assert.equal((await stored(south)).costCenter, '2');
        await page.keyboard.press('Escape');
        // The change of the other one is there at once.
        await page.getByRole('definition').getByText('2', { exact: true }).waitFor();
        await button(page, labels.up).click();
        await page.getByText(labels.moved).waitFor();
        await change({ costCenter: '3' });
        await button(page, labels.undo).click();
        await page.getByText(labels.changed).waitFor();
        assert.equal((await stored(south)).costCenter, '3');
      });
    });
  }

  test('a user without the permission only reads the tree', async () => {
    const { tenantId, south } = await company();
    const { secret } = await fixture.user();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/companies/${tenantId}?division=${south}`);
      await page.getByRole('group', { name: /South/ }).waitFor();
      assert.equal(await row(page, 'South').getAttribute('draggable'), null);
      for (const name of [words.en.create, words.en.edit, words.en.to])
        assert.equal(await button(page, name).count(), 0);
    });
  });
});
