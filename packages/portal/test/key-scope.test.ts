import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parseKey } from '../../server/src/auth/api-keys.ts';
import { usePortal } from '../../server/test/portal/support.ts';
import { testDivision, testKey } from '../../server/test/support/data/test-data.ts';
import { inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    title: 'Access',
    counts: ['2 companies', '107 divisions', '0 employees', '0 orders'],
    copy: 'Copy the ID of North',
    more: '6 more divisions',
    company: 'The whole company',
    organization: 'The whole organization, including companies that are created later.',
  },
  de: {
    title: 'Zugriff',
    counts: ['2 Unternehmen', '107 Abteilungen', '0 Mitarbeiter', '0 Bestellungen'],
    copy: 'ID von North kopieren',
    more: '6 weitere Abteilungen',
    company: 'Das ganze Unternehmen',
    organization: 'Die ganze Organisation, auch Unternehmen, die später angelegt werden.',
  },
} as const;

inBrowser('the scope on the page of a key', () => {
  let secret: string;
  let id: string;
  before(async () => {
    const { sql, testData } = fixture;
    const { organization, tenantA, tenantB, support, north } = testData;
    ({ secret } = await fixture.user());
    const divisions = [{ tenant: tenantA, id: north }];
    for (let number = 100; number < 205; number++) {
      const place = { organizationId: organization, tenantId: tenantA, parentId: support };
      divisions.push({ tenant: tenantA, id: await testDivision(sql, place, `Team ${number}`) });
    }
    ({ id } = parseKey(await testKey(sql, organization, { tenants: [tenantB], divisions }))!);
  });

  for (const language of inLanguages('de'))
    test(`names companies and divisions with path and id, and counts what they reach, in ${language}`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        const { title, counts, copy, more, company, organization } = words[language];
        const { keys, north, tenantB } = fixture.testData;
        await page.goto(`/portal/settings/api-keys/${id}?tab=access`);
        const scope = page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
        for (const count of counts) await scope.getByText(count, { exact: true }).waitFor();
        await scope.getByText(`Sales › North ${north}`).waitFor();
        await scope.getByRole('button', { name: copy }).waitFor();
        await scope.getByText('Support › Team 100').waitFor();
        assert.equal(await scope.getByRole('listitem').count(), 100);
        await scope.getByText(more).waitFor();
        await scope.getByRole('heading', { name: 'Muster Logistik GmbH' }).waitFor();
        await scope.getByText(tenantB).waitFor();
        await scope.getByText(company).waitFor();
        await page.goto(`/portal/settings/api-keys/${parseKey(keys.all)!.id}?tab=access`);
        await scope.getByText(organization).waitFor();
      }));
});
