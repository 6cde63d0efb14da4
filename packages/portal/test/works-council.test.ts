import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { button, inLanguages, noBrowser, press, useBrowser, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    retention: 'Retention',
    sheet: 'sheet for the works council',
    title: 'Sheet for the works council',
    none: 'No statistics about persons',
    audit: '400 days, set by the organization',
    history: '100 days, set by the organization',
    action: 'Attempt to sign in',
    print: 'Print',
  },
  de: {
    retention: 'Aufbewahrung',
    sheet: 'Informationsblatt für den Betriebsrat',
    title: 'Informationsblatt für den Betriebsrat',
    none: 'Keine Auswertungen über Personen',
    audit: '400 Tage, von der Organisation festgelegt',
    history: '100 Tage, von der Organisation festgelegt',
    action: 'Anmeldeversuch',
    print: 'Drucken',
  },
} as const;

describe('the sheet for the works council', { skip: noBrowser }, () => {
  useBrowser();
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: an administrator finds the sheet by keyboard, with the periods of the organization, and prints it whole`, async () => {
      const { sql, testData, portal, service } = fixture;
      const { secret } = await signedInUser(sql, testData.organization, { permissions: ['COMPANY_ADMIN'] });
      await portal.patch('/retention', { auditDays: 400 }, { key: secret });
      await portal.patch('/organization', { employeeHistoryDays: 100 }, { key: secret });
      await visit(service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/organization');
        await press(page, page.getByRole('link', { name: labels.retention, exact: true }));
        await press(page, page.getByRole('link', { name: labels.sheet, exact: true }));
        await page.getByRole('heading', { name: labels.title, level: 1 }).waitFor();
        await page.getByRole('heading', { name: labels.none }).waitFor();
        await page.getByText(labels.audit).waitFor();
        await page.getByText(labels.history).waitFor();
        await page.getByText(labels.action).waitFor();
        await page.getByText('Muster GmbH', { exact: true }).waitFor();
        await page.emulateMedia({ media: 'print' });
        assert.equal(await button(page, labels.print).isVisible(), false);
        assert.equal(await page.getByRole('navigation').first().isVisible(), false);
        assert.ok(await page.getByText(labels.audit).isVisible());
        const pdf = await page.pdf({ format: 'A4' });
        const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
        assert.ok(pages >= 2 && pages <= 9, `${pages} pages`);
      });
    });

    test(`${language}: each fixed period is that of the service, and no number of the sheet is written by hand`, async () => {
      const { sql, testData, service } = fixture;
      const { secret } = await signedInUser(sql, testData.organization, { permissions: ['COMPANY_ADMIN'] });
      await visit(service.url, { language, secret }, async page => {
        const numbers: string[] = [];
        await page.route('**/portal/api/personal-logs', async route => {
          const response = await route.fetch();
          const sheet = await response.json();
          for (const [index, log] of sheet.logs.entries()) {
            if (log.hours !== null) log.hours = (501 + index) * 24;
            numbers.push(log.hours === null ? '' : String(501 + index));
          }
          await route.fulfill({ response, json: sheet });
        });
        await page.goto('/portal/settings/organization/works-council');
        await page
          .getByText(/\b5\d\d\b/)
          .first()
          .waitFor();
        const sections = await page.locator('main section').allTextContents();
        // The first one has no period. The others after those of the service are companies, permissions, actions and mails.
        const ofLogs = sections.slice(1, 1 + numbers.length);
        assert.deepEqual(
          ofLogs.map(text => (text.match(/\d+/g) ?? []).join(' ')),
          numbers,
        );
      });
    });

    test(`${language}: other users have no such page`, async () => {
      const { sql, testData, service } = fixture;
      const { secret } = await signedInUser(sql, testData.organization, { permissions: ['IT'] });
      await visit(service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/organization/works-council');
        await page.getByRole('heading', { level: 1 }).waitFor();
        assert.equal(await page.getByText(labels.none).count(), 0);
      });
    });
  }
});
