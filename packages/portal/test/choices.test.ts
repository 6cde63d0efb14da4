import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createOrganization, createTenant } from '../../server/src/features/organizations/store.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

const form = '/portal/settings/api-keys/new';

const words = {
  en: {
    companies: 'Companies',
    search: 'Search companies',
    none: 'No matching companies',
    empty: 'The organization has no companies yet. The operator of this installation creates them.',
    whole: 'The whole organization',
    whyNotWhole: 'Only users with access to all companies can choose this',
    whyAdmin: 'Only another company admin can remove this permission from you',
    some: 'Some divisions',
    covered: 'Included in Sales.',
  },
  de: {
    companies: 'Unternehmen',
    search: 'Unternehmen durchsuchen',
    none: 'Keine passenden Unternehmen',
    empty: 'Die Organisation hat noch keine Unternehmen. Der Betreiber dieser Installation legt sie an.',
    whole: 'Die ganze Organisation',
    whyNotWhole: 'Nur Benutzer mit Zugriff auf alle Unternehmen können das wählen',
    whyAdmin: 'Diese Berechtigung kann Ihnen nur ein anderer Unternehmens-Admin entziehen',
    some: 'Einzelne Abteilungen',
    covered: 'In „Sales“ enthalten.',
  },
} as const;

inBrowser('what a form offers to choose from', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await fixture.user());
  });

  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: many companies have a search by name and id`, async () => {
      const { sql, service } = fixture;
      const organization = await createOrganization(sql, 'Viele');
      for (let number = 10; number < 53; number++)
        await createTenant(sql, organization, `Firma ${number} Süd`);
      const { secret } = await signedInUser(sql, organization);
      await visit(service.url, { secret, language }, async page => {
        await page.goto(form);
        const companies = page
          .getByRole('group', { name: labels.companies, exact: true })
          .getByRole('checkbox');
        await companies.nth(42).waitFor();
        const search = page.getByRole('searchbox', { name: labels.search });
        await search.fill('firma 27 SÜD');
        await companies.nth(1).waitFor({ state: 'detached' });
        await companies.check();
        await search.fill('nirgends');
        await page.getByText(labels.none).waitFor();
        await search.fill('');
        assert.ok(await page.getByRole('checkbox', { name: 'Firma 27 Süd', exact: true }).isChecked());
        assert.equal(await companies.count(), 43);
      });
    });

    test(`${language}: an organization without companies says who creates them`, async () => {
      const { sql, service } = fixture;
      const { secret } = await signedInUser(sql, await createOrganization(sql, 'Leer'));
      await visit(service.url, { secret, language }, async page => {
        await page.goto(form);
        await page.getByText(labels.empty).waitFor();
      });
    });

    test(`${language}: a choice that cannot be made says why`, async () => {
      const { sql, testData, service } = fixture;
      const { organization, tenantA } = testData;
      const hr = await signedInUser(sql, organization, { permissions: ['HR'], hrTenants: [tenantA] });
      await visit(service.url, { secret: hr.secret, language }, async page => {
        await page.goto(form);
        const whole = page.getByRole('radio', { name: labels.whole });
        await whole.waitFor();
        assert.ok(await whole.isDisabled());
        await page.getByText(labels.whyNotWhole).waitFor();
      });
      const admin = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN'] });
      await visit(service.url, { secret: admin.secret, language }, async page => {
        await page.goto(`/portal/settings/users/${admin.user.id}`);
        const own = page.locator('input[type=checkbox][value=COMPANY_ADMIN]');
        await own.waitFor();
        assert.ok(await own.isDisabled());
        await page.getByText(labels.whyAdmin).waitFor();
      });
    });

    test(`${language}: a division above a chosen one is mixed, and one below it says what it comes with`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        await page.goto(form);
        await page.getByRole('checkbox', { name: 'Muster GmbH', exact: true }).check();
        await page.getByText(labels.some).click();
        const line = (name: string) => page.getByRole('treeitem', { name, exact: true });
        const isChecked = (name: string) => line(name).getAttribute('aria-checked');
        await line('North').click();
        assert.deepEqual(
          [await isChecked('North'), await isChecked('Sales'), await isChecked('Support')],
          ['true', 'mixed', 'false'],
        );
        await line('Sales').click();
        assert.deepEqual([await isChecked('North'), await isChecked('Sales')], ['true', 'true']);
        await page.getByRole('tree').focus();
        await page.keyboard.press('ArrowDown');
        await page.getByRole('status').filter({ hasText: labels.covered }).waitFor();
        await line('Sales').click();
        assert.deepEqual([await isChecked('North'), await isChecked('Sales')], ['false', 'false']);
      }));
  }
});
