import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { guides } from '../src/kit/help/guides.ts';
import { axeFindings, inBrowser, inLanguages, press, visit } from './support.ts';

const fixture = usePortal();

test('each part of a guide that a page leads to exists, in both languages', async () => {
  assert.ok(guides.length > 20);
  for (const address of guides.flatMap(guide => Object.values(guide))) {
    const [name, part] = address.split('#');
    const page = await (await fetch(`${fixture.service.url}/docs/${name}`)).text();
    assert.ok(page.includes(` id="${part}"`), address);
  }
});

const words = {
  en: {
    help: 'Help',
    explanation: /^Explanation: /,
    menu: 'Navigation',
    keys: 'administration#api-keys',
    keysTitle: 'API keys',
    tabs: { approval: 'administration#approval-rule', payroll: 'administration#payroll-settings' },
    pages: {
      '/portal/': 'hr#the-day',
      '/portal/orders': 'hr#decide-an-order',
      '/portal/payroll': 'payroll#a-month',
      '/portal/account': 'administration#sign-in',
    },
  },
  de: {
    help: 'Hilfe',
    explanation: /^Erklärung: /,
    menu: 'Navigation',
    keys: 'administration-de#api-schlüssel',
    keysTitle: 'API-Schlüssel',
    tabs: {
      approval: 'administration-de#genehmigungsregel',
      payroll: 'administration-de#abrechnungseinstellungen',
    },
    pages: {
      '/portal/': 'hr-de#der-tag',
      '/portal/orders': 'hr-de#bestellung-entscheiden',
      '/portal/payroll': 'payroll-de#ein-monat',
      '/portal/account': 'administration-de#anmeldung',
    },
  },
} as const;

inBrowser('the question mark beside a title', () => {
  for (const language of inLanguages('de'))
    test(`opens the guide about the page, in the language of the page (${language})`, async () => {
      const { sql, testData, service } = fixture;
      const { help, explanation, menu: name, keys, keysTitle, tabs, pages } = words[language];
      const permissions = ['IT', 'HR', 'COMPANY_ADMIN'] as const;
      const { secret } = await signedInUser(sql, testData.organization, {
        permissions: [...permissions],
        hrTenants: null,
      });
      await visit(service.url, { secret, language }, async (page, context) => {
        await page.goto('/portal');
        const menu = page.getByRole('navigation', { name });
        const inMenu = menu.getByRole('link', { name: help });
        await inMenu.waitFor();
        const mark = page.getByRole('main').getByRole('link', { name: explanation }).first();
        /** The part of the guide that a page opens, which must exist. */
        const guideOf = async (place: string): Promise<string> => {
          await page.goto(place);
          await page.getByRole('heading', { level: 1 }).waitFor();
          const href = (await mark.getAttribute('href'))!;
          assert.equal(await inMenu.getAttribute('href'), href, 'the help of the menu opens the same part');
          const guide = new URL(href, service.url);
          const answer = await fetch(guide);
          assert.equal(answer.status, 200, place);
          const text = await answer.text();
          assert.ok(text.includes(`<html lang="${language}">`), href);
          assert.ok(text.includes(`id="${decodeURIComponent(guide.hash.slice(1))}"`), `${place}: ${href}`);
          return href.replace('/docs/', '');
        };
        const links = menu.locator('a:not([target])');
        const places = await links.evaluateAll(found => found.map(link => link.getAttribute('href')!));
        assert.equal(places.length, 11);
        const company = `/portal/companies/${testData.tenantA}`;
        const others = [
          '/portal/account',
          '/portal/incidents/new',
          '/portal/settings/organization?tab=retention',
        ];
        const guides: Record<string, string> = {};
        for (const place of [...places, ...others]) guides[place] = await guideOf(place);
        for (const [place, guide] of Object.entries(pages)) assert.equal(guides[place], guide, place);
        for (const [tab, guide] of Object.entries(tabs))
          assert.equal(await guideOf(`${company}?tab=${tab}`), guide, tab);

        assert.equal(await guideOf('/portal/settings/api-keys/new'), keys);
        const opened = context.waitForEvent('page');
        await press(page, mark);
        const guide = await opened;
        await guide.getByRole('heading', { name: keysTitle }).waitFor();
        assert.equal(new URL(guide.url()).origin, service.url);
        const pictures = guide.locator('img');
        assert.ok((await pictures.count()) > 0);
        assert.deepEqual(await axeFindings(guide), []);
        assert.match(page.url(), /new$/, 'the page stays');
      });
    });
});
