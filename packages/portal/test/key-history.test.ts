import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { anonymous } from '../../server/src/auth/caller.ts';
import { RejectionLog } from '../../server/src/features/audit/rejections.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { assertAccessible, button, inBrowser, inLanguages, press, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    history: 'History',
    overview: 'Overview',
    events: ['Reactivated', 'Deactivated', 'Created'],
    deactivated: /^Deactivated this minute \(.*\) by Petra Lang\.$/,
    deleted: /^Deleted this minute \(.*\) by Petra Lang\.$/,
    none: 'No request with it was rejected in 30 days.',
    rejected:
      'A system still uses it: 41 requests rejected in 30 days, the last this minute. It came from 192.0.2.7.',
    replace: 'Replace',
    conflict: 'Changed by Petra Lang this minute. Check what the page shows before you go on.',
  },
  de: {
    history: 'Verlauf',
    overview: 'Übersicht',
    events: ['Reaktiviert', 'Deaktiviert', 'Angelegt'],
    deactivated: /^Deaktiviert in dieser Minute \(.*\) von Petra Lang\.$/,
    deleted: /^Gelöscht in dieser Minute \(.*\) von Petra Lang\.$/,
    none: 'In 30 Tagen wurde keine Anfrage mit ihm abgelehnt.',
    rejected:
      'Ein System verwendet ihn noch: 41 Anfragen in 30 Tagen abgelehnt, die letzte in dieser Minute. Sie kam von 192.0.2.7.',
    replace: 'Ersetzen',
    conflict:
      'Geändert von Petra Lang in dieser Minute. Prüfen Sie, was die Seite zeigt, bevor Sie fortfahren.',
  },
} as const;

const keyPage = (id: string) => `/portal/settings/api-keys/${id}`;

inBrowser('the history of a key', () => {
  let secret: string;
  /** The session of another user. */
  let other: string;
  before(async () => {
    ({ secret } = await fixture.user());
    const { id, secret: key } = await fixture.user();
    other = key;
    await fixture.sql`UPDATE portal_user SET name = 'Petra Lang'
      WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
  });

  const newKey = async () => {
    const name = 'Payroll';
    const { body } = await fixture.portal.post(
      '/api-keys',
      { name, wholeOrganization: true },
      { key: other },
    );
    return body.id as string;
  };
  const change = (id: string, what: string) =>
    fixture.portal.post(`/api-keys/${id}/${what}`, undefined, { key: other });

  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: is a tab in the address, with who did what`, async () => {
      const id = await newKey();
      await change(id, 'deactivation');
      await change(id, 'reactivation');
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto(keyPage(id));
        await press(page, page.getByRole('link', { name: labels.history }));
        await page.waitForURL(url => url.searchParams.get('tab') === 'history');
        const events = page.getByRole('listitem').filter({ hasText: 'Petra Lang' });
        await events.nth(2).waitFor();
        const shown = await events.allInnerTexts();
        assert.deepEqual(
          shown.map(text => text.split('\n')[0]),
          labels.events,
        );
        await page.reload();
        await events.nth(2).waitFor();
        assert.equal(await page.locator('main nav a[aria-current=page]').count(), 1);
        await page.goBack();
        await page.locator(`nav a[aria-current=page]`, { hasText: labels.overview }).waitFor();
      });
    });

    test(`${language}: says since when a key does not work and by whom, and whether a system still uses it`, async () => {
      const { sql, testData } = fixture;
      const id = await newKey();
      await change(id, 'deactivation');
      const log = new RejectionLog(sql, { warn: () => {} });
      const record = (reason: 'deactivated' | 'deleted') =>
        log.record({
          action: 'key.use',
          id,
          organizationId: testData.organization,
          reason,
          actor: anonymous.actor,
          requestId: crypto.randomUUID(),
          address: '192.0.2.7',
        });
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto(keyPage(id));
        await page.getByText(labels.deactivated).waitFor();
        await page.getByText(labels.none).waitFor();
        for (let n = 0; n < 41; n++) record('deactivated');
        await log.flush();
        await page.getByText(labels.rejected).waitFor();
        await fixture.portal.request('DELETE', `/api-keys/${id}`, { key: other });
        await page.getByText(labels.deleted).waitFor();
        await page.getByText(labels.none).waitFor();
        for (let n = 0; n < 41; n++) record('deleted');
        await log.flush();
        await page.getByText(labels.rejected).waitFor();
        await assertAccessible(page);
      });
      await log.close();
    });

    test(`${language}: tells who has changed the key while a dialog is open, but not one's own changes`, async () => {
      const id = await newKey();
      await visit(fixture.service.url, { secret, language }, async page => {
        await page.goto(keyPage(id));
        await press(page, button(page, labels.replace));
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('textbox').first().waitFor();
        const body = { expectedIntervalSeconds: 3600 };
        const seen = page.waitForResponse(
          async answer => answer.url().endsWith('/history') && (await answer.text()).includes('key.update'),
        );
        await fixture.portal.patch(`/api-keys/${id}`, body, { key: secret });
        await seen;
        assert.equal(await dialog.getByText(labels.conflict).count(), 0);
        await fixture.portal.patch(`/api-keys/${id}`, { expectedIntervalSeconds: 7200 }, { key: other });
        await dialog.getByText(labels.conflict).waitFor();
      });
    });
  }
});
