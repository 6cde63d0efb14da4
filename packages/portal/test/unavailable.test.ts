import assert from 'node:assert/strict';
import { test } from 'node:test';
import { password, usePortal } from '../../server/test/portal/support.ts';
import { backdateSession, signedInUser } from '../../server/test/support/data/users.ts';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { testKey } from '../../server/test/support/data/test-data.ts';
import { button, inBrowser, inLanguages, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    missing: 'Not found',
    reason: 'It was deleted, the link is wrong, or you do not have access.',
    noPage: 'Page not found',
    forbidden: 'You do not have the permission for this page. A company admin can give it to you.',
    tryAgain: 'Try again',
  },
  de: {
    missing: 'Nicht gefunden',
    reason: 'Der Eintrag wurde gelöscht, der Link ist falsch, oder Sie haben keinen Zugriff.',
    noPage: 'Seite nicht gefunden',
    forbidden: 'Sie haben keine Berechtigung für diese Seite. Ein Unternehmens-Admin kann sie Ihnen geben.',
    tryAgain: 'Erneut versuchen',
  },
};

const unknown = [
  'settings/api-keys/unknown',
  'settings/api-keys/aaaaaaaaaaaa',
  'companies/unknown',
  'settings/users/unknown',
];

inBrowser('what does not exist or is forbidden', () => {
  for (const language of inLanguages('de'))
    test(`is explained in the frame, without another attempt, in ${language}`, async () => {
      const { sql, testData, service } = fixture;
      const { secret } = await signedInUser(sql, testData.organization, {
        permissions: ['IT', 'COMPANY_ADMIN'],
      });
      const { secret: ofIt } = await signedInUser(sql, testData.organization, { permissions: ['IT'] });
      const { missing, reason, noPage, forbidden, tryAgain } = words[language];
      await visit(service.url, { secret, language }, async page => {
        for (const path of unknown) {
          await page.goto(`/portal/${path}`);
          await page.getByRole('heading', { name: missing }).waitFor();
          await page.getByText(reason).waitFor();
          assert.ok(await page.getByRole('navigation').isVisible(), path);
          assert.equal(await button(page, tryAgain).count(), 0, path);
        }
        await page.goto('/portal/no/such/page');
        await page.getByRole('heading', { name: noPage, level: 1 }).waitFor();
        assert.ok(await page.getByRole('navigation').isVisible());
      });
      await visit(service.url, { secret: ofIt, language }, async page => {
        await page.goto('/portal/settings/users');
        await page.getByText(forbidden).waitFor();
        assert.ok(await page.getByRole('navigation').isVisible());
        assert.equal(await button(page, tryAgain).count(), 0);
      });
    });
});

inBrowser('a confirmation', () => {
  for (const [language, reactivate, wrong] of [
    ['en', 'Reactivate', 'The password is wrong. Try again.'],
    ['de', 'Reaktivieren', 'Das Passwort ist falsch. Versuchen Sie es erneut.'],
  ] as const)
    test(`says that a password is wrong, in ${language}`, async () => {
      const { sql, testData, service, portal } = fixture;
      const { secret } = await fixture.user();
      const { id } = parseKey(await testKey(sql, testData.organization, 'all'))!;
      await portal.post(`/api-keys/${id}/deactivation`, undefined, { key: secret });
      await backdateSession(sql, secret.split('_')[2]!, { authenticated_at: 60 });
      await visit(service.url, { secret, language }, async page => {
        await page.goto(`/portal/settings/api-keys/${id}`);
        await button(page, reactivate).click();
        const field = page.getByRole('dialog').locator('input[name=password]');
        await type(page, field, 'not the password at all');
        await page.keyboard.press('Enter');
        await page.getByText(wrong).waitFor();
        await type(page, field, password);
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      });
    });
});
