import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal, password } from '../../server/test/portal/support.ts';
import { backdateSession, signedInUser } from '../../server/test/support/data/users.ts';
import { axeFindings, button, inBrowser, inLanguages, press, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    select: 'Select ',
    all: 'Select all rows',
    deactivate: 'Deactivate',
    reactivate: 'Reactivate',
    done: 'Deactivate: 3 done',
    inactive: 'Inactive',
    actions: 'Actions for ',
    close: 'Close',
    mixed: '1 done, 1 rejected',
    changed: 'it was changed in the meantime',
    export: 'Export',
  },
  de: {
    select: ' auswählen',
    all: 'Alle Zeilen auswählen',
    deactivate: 'Deaktivieren',
    reactivate: 'Reaktivieren',
    done: 'Deaktivieren: 3 erledigt',
    inactive: 'Inaktiv',
    actions: 'Aktionen für ',
    close: 'Schließen',
    mixed: '1 erledigt, 1 abgelehnt',
    changed: 'Inzwischen wurde etwas geändert',
    export: 'Exportieren',
  },
} as const;

inBrowser('actions on the rows of a list, by keyboard alone', () => {
  let secret: string;
  let email: string;
  before(async () => {
    const { sql, testData } = fixture;
    const permissions = ['IT', 'COMPANY_ADMIN'] as const;
    const signedIn = await signedInUser(sql, testData.organization, { permissions: [...permissions] });
    ({ secret } = signedIn);
    ({ email } = signedIn.user);
  });

  const list = '/portal/settings/api-keys';
  let made = 0;
  /** Names of new keys, which a search finds together. */
  async function makeKeys(count: number): Promise<{ set: string; names: string[]; ids: string[] }> {
    const set = `Set-${++made}`;
    const names = Array.from({ length: count }, (_, n) => `${set} ${'ABC'[n]}`);
    const ids: string[] = [];
    for (const name of names) {
      const { body } = await fixture.portal.post(
        '/api-keys',
        { name, wholeOrganization: true },
        { key: secret },
      );
      ids.push(body.id);
    }
    return { set, names, ids };
  }
  const search = async (page: Page, set: string) => {
    await page.goto(`${list}?sort=name`);
    await page.getByRole('searchbox').fill(set);
    await page.getByRole('link', { name: `${set} A` }).waitFor();
    await page.locator('tbody tr').nth(3).waitFor({ state: 'detached' });
  };
  const statusOf = async (id: string) =>
    (await fixture.portal.get(`/api-keys/${id}`, { key: secret })).body.status;
  const dialog = (page: Page) => page.getByRole('dialog');

  for (const language of inLanguages('de')) {
    const labels = words[language];
    const box = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(name) });

    test(`${language}: several keys are deactivated after one confirmation`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        const { set, names, ids } = await makeKeys(3);
        await search(page, set);
        await press(page, box(page, names[0]!), 'Space');
        await press(page, box(page, labels.all), 'Space');
        await press(page, button(page, labels.deactivate).first());
        await press(page, dialog(page).getByRole('button', { name: labels.deactivate }));
        await page.getByText(labels.done).waitFor();
        for (const id of ids) assert.equal(await statusOf(id), 'inactive');
        await page.getByRole('row').filter({ hasText: names[2]! }).getByText(labels.inactive).waitFor();
        assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
      }));

    test(`${language}: one summary says which were done, and why others were rejected`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        const { set, names, ids } = await makeKeys(2);
        await search(page, set);
        await press(page, box(page, labels.all), 'Space');
        await press(page, button(page, labels.deactivate).first());
        await dialog(page).waitFor();
        await fixture.portal.request('DELETE', `/api-keys/${ids[1]}`, { key: secret });
        await press(page, dialog(page).getByRole('button', { name: labels.deactivate }));
        await dialog(page).getByText(labels.mixed).waitFor();
        const [reason] = await dialog(page).getByRole('listitem').allTextContents();
        assert.ok(reason!.startsWith(`${names[1]}: `) && reason!.includes(labels.changed), reason);
        assert.equal(await statusOf(ids[0]!), 'inactive');
        assert.deepEqual(await axeFindings(page), []);
        await press(page, dialog(page).getByRole('button', { name: labels.close, exact: true }).last());
        await dialog(page).waitFor({ state: 'detached' });
      }));

    test(`${language}: the menu of a row has what can be done with it, and gives the focus back`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        const { set, names, ids } = await makeKeys(1);
        await search(page, set);
        const opener = button(page, labels.actions + names[0]!);
        await press(page, opener);
        const action = page.getByRole('group', { name: names[0]!, exact: true }).getByRole('button');
        await action.waitFor();
        assert.deepEqual(await action.allTextContents(), [labels.deactivate]);
        assert.deepEqual(await axeFindings(page), []);
        await page.keyboard.press('Escape');
        await action.waitFor({ state: 'hidden' });
        assert.ok(await opener.evaluate(element => element === element.ownerDocument.activeElement));
        await press(page, opener);
        await press(page, action);
        await press(page, dialog(page).getByRole('button', { name: labels.deactivate }));
        await page.getByRole('row').filter({ hasText: names[0]! }).getByText(labels.inactive).waitFor();
        assert.equal(await statusOf(ids[0]!), 'inactive');
      }));
  }

  test('several keys are reactivated after the user is asked once who it is', async () => {
    const user = await fixture.user();
    await visit(fixture.service.url, { secret: user.secret }, async page => {
      const { set, ids } = await makeKeys(3);
      for (const id of ids)
        await fixture.portal.request('POST', `/api-keys/${id}/deactivation`, { key: secret });
      await search(page, set);
      await press(page, page.getByRole('checkbox', { name: 'Select all rows' }), 'Space');
      await backdateSession(fixture.sql, user.secret.split('_')[2]!, { authenticated_at: 60 });
      await press(page, button(page, 'Reactivate').first());
      await press(page, dialog(page).getByRole('button', { name: 'Reactivate' }));
      const asked = page.getByRole('dialog', { name: 'Confirm your identity' });
      await asked.locator('input[name=password]').fill(password);
      await page.keyboard.press('Enter');
      await page.getByText('Reactivate: 3 done').waitFor();
      for (const id of ids) assert.equal(await statusOf(id), 'active');
    });
  });

  test('what the search finds is saved as a file', () =>
    visit(fixture.service.url, { secret }, async page => {
      const { set, ids } = await makeKeys(2);
      await search(page, set);
      const [file] = await Promise.all([page.waitForEvent('download'), press(page, button(page, 'Export'))]);
      assert.equal(file.suggestedFilename(), 'api-keys.csv');
      const [head, ...lines] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
      assert.ok(head!.startsWith('\uFEFFName,ID,'));
      assert.deepEqual(lines.map(line => line.split(',')[1]).sort(), ids.sort());
    }));

  test('what is typed into a search is in no address, and stays after a reload', () =>
    visit(fixture.service.url, { secret }, async page => {
      await fixture.user();
      const addresses: string[] = [];
      page.on('request', request => addresses.push(request.url()));
      await page.goto('/portal/settings/users');
      await page.getByRole('searchbox').fill(email);
      await page.getByText('1 user', { exact: true }).waitFor();
      await page.reload();
      await page.getByText('1 user', { exact: true }).waitFor();
      assert.equal(await page.getByRole('searchbox').inputValue(), email);
      const [local] = email.split('@');
      assert.deepEqual(
        addresses.concat(page.url()).filter(address => address.includes(local!)),
        [],
      );
    }));
});
