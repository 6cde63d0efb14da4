import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { signedInUser } from '../../server/test/support/data/users.ts';
import { axeFindings, inBrowser, inLanguages, press, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: { help: 'Help', menu: 'Navigation' },
  de: { help: 'Hilfe (auf Englisch)', menu: 'Navigation' },
} as const;

inBrowser('the help', () => {
  for (const language of inLanguages('de'))
    test(`leads to the guide for the page, which the service has itself, in ${language}`, async () => {
      const { sql, testData, service } = fixture;
      const permissions = ['IT', 'HR', 'COMPANY_ADMIN'] as const;
      const { secret } = await signedInUser(sql, testData.organization, {
        permissions: [...permissions],
        hrTenants: null,
      });
      await visit(service.url, { secret, language }, async (page, context) => {
        await page.goto('/portal');
        const menu = page.getByRole('navigation', { name: words[language].menu });
        const help = menu.getByRole('link', { name: words[language].help });
        await help.waitFor();
        const links = menu.locator('a:not([target])');
        const places = await links.evaluateAll(found => found.map(link => link.getAttribute('href')!));
        assert.equal(places.length, 11);
        const guides = new Map<string, string>();
        for (const place of [...places, '/portal/account']) {
          await page.goto(place);
          await page.getByRole('heading', { level: 1 }).waitFor();
          const guide = new URL((await help.getAttribute('href'))!, service.url);
          const answer = await fetch(guide);
          assert.equal(answer.status, 200, place);
          const anchor = guide.hash === '' ? '<h1 id=' : `id="${guide.hash.slice(1)}"`;
          assert.ok((await answer.text()).includes(anchor), `${place}: ${guide.href}`);
          guides.set(place, guide.pathname + guide.hash);
        }
        assert.equal(guides.get('/portal/payroll'), '/docs/portal#payroll');
        assert.equal(guides.get('/portal/settings/api-keys'), '/docs/portal#api-keys');
        assert.equal(guides.get('/portal/account'), '/docs/sign-in');

        await page.goto('/portal/settings/api-keys/new');
        const opened = context.waitForEvent('page');
        await press(page, help);
        const guide = await opened;
        await guide.getByRole('heading', { name: 'API keys' }).waitFor();
        assert.equal(new URL(guide.url()).origin, service.url);
        assert.deepEqual(await axeFindings(guide), []);
        assert.match(page.url(), /new$/, 'the page stays');
      });
    });
});
