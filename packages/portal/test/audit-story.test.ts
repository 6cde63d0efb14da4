import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/users.ts';
import { button, noBrowser, press, type, useBrowser, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    audit: 'Audit log',
    changed: 'Settings changed',
    one: '1 entry',
    export: 'Export',
    filter: 'Filter (1)',
  },
  de: {
    audit: 'Audit-Protokoll',
    changed: 'Einstellungen geändert',
    one: '1 Eintrag',
    export: 'Exportieren',
    filter: 'Filter (1)',
  },
} as const;

describe('the audit log, by keyboard alone', { skip: noBrowser }, () => {
  useBrowser();

  for (const language of ['en', 'de'] as const)
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
        await page.getByText(labels.changed).waitFor();
        assert.equal(decodeURIComponent(page.url()).includes('Berta'), false);
        const downloaded = page.waitForEvent('download');
        await press(page, button(page, labels.export));
        const lines = (await readFile(await (await downloaded).path(), 'utf8')).trim().split('\r\n');
        assert.equal(lines.length, 2);
        assert.ok(lines[1]!.includes(user.id));
      });
    });
});
