import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/users.ts';
import { noBrowser, press, useBrowser, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    menu: 'Navigation',
    all: ['Home', 'Organization', 'Companies', 'Users', 'IT', 'API keys'],
    ofIt: ['Home', 'Organization', 'Companies', 'IT', 'API keys'],
    companies: 'Companies',
    users: 'Users',
    forbidden: 'You do not have the permission for this page. A company admin can give it to you.',
  },
  de: {
    menu: 'Navigation',
    all: ['Start', 'Organisation', 'Firmen', 'Nutzer', 'IT', 'API-Schlüssel'],
    ofIt: ['Start', 'Organisation', 'Firmen', 'IT', 'API-Schlüssel'],
    companies: 'Firmen',
    users: 'Nutzer',
    forbidden: 'Sie haben keine Berechtigung für diese Seite. Ein Unternehmens-Admin kann sie Ihnen geben.',
  },
} as const;

describe('the menu', { skip: noBrowser }, () => {
  useBrowser();

  for (const language of ['en', 'de'] as const) {
    const labels = words[language];

    test(`${language}: has the sections and pages that the user may open, and goes there by keyboard`, async () => {
      const { sql, testData, service } = fixture;
      const { organization } = testData;
      const admin = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN'] });
      const it = await signedInUser(sql, organization, { permissions: ['IT'] });
      for (const [{ secret }, shown] of [
        [admin, labels.all],
        [it, labels.ofIt],
      ] as const)
        await visit(service.url, { secret, language }, async page => {
          await page.goto('/portal');
          const menu = page.getByRole('navigation', { name: labels.menu });
          await menu.waitFor();
          assert.deepEqual((await menu.innerText()).split(/\n+/), [...shown]);
          await press(page, menu.getByRole('link', { name: labels.companies }));
          await page.getByRole('heading', { level: 1, name: labels.companies }).waitFor();
        });
    });

    test(`${language}: a page without its permission, and all below it, says so in the frame and asks for nothing`, async () => {
      const { sql, testData, service } = fixture;
      const { secret, user } = await signedInUser(sql, testData.organization, { permissions: ['IT'] });
      await visit(service.url, { secret, language }, async page => {
        const asked: string[] = [];
        page.on('request', request => asked.push(new URL(request.url()).pathname));
        for (const path of ['', '/new', `/${user.id}`]) {
          await page.goto(`/portal/settings/users${path}`);
          await page.getByRole('alert').filter({ hasText: labels.forbidden }).waitFor();
          await page.getByRole('heading', { level: 1, name: labels.users }).waitFor();
          assert.ok(await page.getByRole('navigation', { name: labels.menu }).isVisible());
        }
        assert.deepEqual(
          asked.filter(path => path.startsWith('/portal/api/users')),
          [],
        );
      });
    });
  }
});
