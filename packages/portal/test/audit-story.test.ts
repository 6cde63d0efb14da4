import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { anonymous } from '../../server/src/auth/caller.ts';
import { auditBatched } from '../../server/src/write/writes.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inBrowser, inLanguages, press, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    audit: 'Audit log',
    changed: 'Settings changed',
    sentence: 'changed settings of the organization',
    one: '1 entry',
    export: 'Export',
    filter: 'Filter (1)',
    search: 'settings chan',
    setting: 'minimum length',
    active: 'Action is Attempt to sign in',
    rejected: 'tried to sign in (rejected: deactivated)',
    condition: 'Value for Action',
    apply: 'Apply',
  },
  de: {
    audit: 'Audit-Protokoll',
    changed: 'Einstellungen geändert',
    sentence: 'hat Einstellungen der Organisation geändert',
    one: '1 Eintrag',
    export: 'Exportieren',
    filter: 'Filter (1)',
    search: 'EINSTELLUNGEN geä',
    setting: 'mindestlänge',
    active: 'Aktion ist Anmeldeversuch',
    rejected: 'hat versucht, sich anzumelden (abgelehnt: deaktiviert)',
    condition: 'Wert für Aktion',
    apply: 'Anwenden',
  },
} as const;

inBrowser('the audit log, by keyboard alone', () => {
  for (const language of inLanguages('de'))
    test(`${language}: an administrator finds a change by its user, and exports what is found, without a name in an address`, async () => {
      const { sql, testData, service, portal } = fixture;
      const labels = words[language];
      const name = `Berta Busch ${language}`;
      const { secret, user } = await signedInUser(sql, testData.organization, {
        name,
        permissions: ['COMPANY_ADMIN'],
      });
      const settings = { name: `Muster ${language}` };
      assert.equal((await portal.patch('/organization', settings, { key: secret })).status, 200);
      const filter = encodeURIComponent('actorType = user');
      await visit(service.url, { language, secret }, async page => {
        await page.goto('/portal');
        await press(page, page.getByRole('link', { name: labels.audit, exact: true }));
        await page.getByRole('heading', { name: labels.audit, level: 1 }).waitFor();
        await page.goto(`/portal/settings/audit?filter=${filter}`);
        await button(page, labels.filter).waitFor();
        await type(page, page.getByRole('searchbox'), name);
        await page.getByText(labels.one, { exact: true }).waitFor();
        const row = page.getByRole('row').filter({ hasText: `${name} ${labels.sentence}` });
        // The sentence alone names the user, with a link.
        await row.getByRole('link', { name, exact: true }).waitFor();
        assert.equal((await row.innerText()).split(name).length, 2);
        assert.equal(decodeURIComponent(page.url()).includes('Berta'), false);
        const downloaded = page.waitForEvent('download');
        await press(page, button(page, labels.export));
        const lines = (await readFile(await (await downloaded).path(), 'utf8')).trim().split('\r\n');
        assert.equal(lines.length, 2);
        assert.ok(lines[1]!.includes(`${name} ${labels.sentence}`));
        assert.match(lines[1]!, new RegExp(`[;,]${name}[;,]${user.id}[;,]`));
      });
    });

  for (const language of inLanguages('de'))
    test(`${language}: actions have words, which are searched and chosen in the filter`, async () => {
      const { sql, testData, service, portal } = fixture;
      const { organization } = testData;
      const labels = words[language];
      const { secret, user } = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN'] });
      const settings = { name: `Words ${language}` };
      assert.equal((await portal.patch('/organization', settings, { key: secret })).status, 200);
      const rejection = { action: 'user.sign_in', id: user.id, reason: 'deactivated' } as const;
      const by = { actor: anonymous.actor, requestId: null, address: null };
      await auditBatched(sql, organization, [{ ...by, ...rejection, count: 1, age: 0 }]);
      await visit(service.url, { language, secret }, async page => {
        const rows = page.getByRole('table');
        await page.goto('/portal/settings/audit');
        await type(page, page.getByRole('searchbox'), labels.search);
        await rows.getByText(labels.sentence).first().waitFor();
        await rows.getByText(labels.rejected).first().waitFor({ state: 'detached' });
        // The name of a setting finds the changes of all settings.
        const searched = page.waitForResponse('**/audit-entries/search');
        await type(page, page.getByRole('searchbox'), labels.setting);
        const { items } = (await (await searched).json()) as { items: { action: string }[] };
        assert.deepEqual([...new Set(items.map(({ action }) => action))], ['organization.update']);
        await page.goto(`/portal/settings/audit?filter=${encodeURIComponent("action = 'user.sign_in'")}`);
        await page.getByText(labels.active).waitFor();
        await rows.getByText(labels.rejected).first().waitFor();
        assert.equal(await rows.getByText(labels.sentence).count(), 0);
        await press(page, button(page, labels.filter));
        const choice = page.getByLabel(labels.condition);
        assert.equal(await choice.inputValue(), 'user.sign_in');
        await choice.selectOption({ label: labels.changed });
        await press(page, button(page, labels.apply));
        await rows.getByText(labels.sentence).first().waitFor();
        await rows.getByText(labels.rejected).first().waitFor({ state: 'detached' });
        assert.ok(page.url().includes('organization.update'));
      });
    });
});
