import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { createTenant } from '../../server/src/features/organizations/store.ts';
import { invitedUser, signedInUser } from '../../server/test/support/data/users.ts';
import { inBrowser, inLanguages, press, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    menu: 'Navigation',
    all: ['Home', 'Organization', 'Companies', 'Users', 'Settings', 'Audit log', 'IT', 'API keys', 'Help'],
    ofIt: ['Home', 'Organization', 'Companies', 'IT', 'API keys', 'Help'],
    companies: 'Companies',
    users: 'Users',
    everyCompany: 'All companies',
    company: /^Company: /,
    search: 'Search',
    opener: /^Search/,
    divisions: 'Divisions',
    keys: 'API keys',
    nothing: /^No matches/,
    forbidden: 'You do not have the permission for this page. A company admin can give it to you.',
  },
  de: {
    menu: 'Navigation',
    all: [
      'Start',
      'Organisation',
      'Unternehmen',
      'Benutzer',
      'Einstellungen',
      'Audit-Protokoll',
      'IT',
      'API-Schlüssel',
      'Hilfe',
    ],
    ofIt: ['Start', 'Organisation', 'Unternehmen', 'IT', 'API-Schlüssel', 'Hilfe'],
    companies: 'Unternehmen',
    users: 'Benutzer',
    everyCompany: 'Alle Unternehmen',
    company: /^Unternehmen: /,
    search: 'Suche',
    opener: /^Suche/,
    divisions: 'Abteilungen',
    keys: 'API-Schlüssel',
    nothing: /^Keine Treffer/,
    forbidden: 'Sie haben keine Berechtigung für diese Seite. Ein Unternehmens-Admin kann sie Ihnen geben.',
  },
} as const;

inBrowser('the menu', () => {
  for (const language of inLanguages('de')) {
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

inBrowser('the company of the header', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: narrows the lists, stays in the address from page to page, and is chosen by keyboard`, async () => {
      const { sql, testData, service } = fixture;
      const { organization, tenantA, tenantB } = testData;
      const { secret } = await signedInUser(sql, organization, { permissions: ['COMPANY_ADMIN'] });
      const hr = { permissions: ['HR' as const] };
      await invitedUser(sql, organization, { ...hr, name: `Ada ${language}`, hrTenants: [tenantA] });
      await invitedUser(sql, organization, { ...hr, name: `Bea ${language}`, hrTenants: [tenantB] });
      await visit(service.url, { secret, language }, async page => {
        await page.goto('/portal/settings/users');
        const main = page.getByRole('main');
        await main.getByRole('link', { name: `Bea ${language}` }).waitFor();
        const opener = page.getByRole('button', { name: labels.company });
        await press(page, opener);
        await page.locator('a:focus', { hasText: labels.everyCompany }).waitFor();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.waitForURL(url => url.searchParams.get('company') === tenantA);
        await main.getByRole('link', { name: `Bea ${language}` }).waitFor({ state: 'detached' });
        await main.getByRole('link', { name: `Ada ${language}` }).waitFor();
        await press(page, page.getByRole('navigation').getByRole('link', { name: labels.companies }));
        await main.getByRole('link', { name: 'Muster GmbH' }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get('company'), tenantA);
        assert.equal(await main.getByRole('link', { name: 'Muster Logistik GmbH' }).count(), 0);
        await page.reload();
        await press(page, opener);
        await press(page, page.getByRole('link', { name: labels.everyCompany, exact: true }));
        await main.getByRole('link', { name: 'Muster Logistik GmbH' }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get('company'), null);
      });
    });
  }

  test('is hidden from a user of one company', async () => {
    const { sql, testData, service } = fixture;
    const one = { permissions: ['HR' as const], hrTenants: [testData.tenantA] };
    const { secret } = await signedInUser(sql, testData.organization, one);
    await visit(service.url, { secret }, async page => {
      await page.goto('/portal/companies');
      await page.getByRole('main').getByRole('link', { name: 'Muster GmbH' }).waitFor();
      assert.equal(await page.getByRole('button', { name: words.en.company }).count(), 0);
    });
  });

  test('is searched among 43, and takes the first key after it was opened', async () => {
    const { sql, testData, service } = fixture;
    const { organization } = testData.foreign;
    for (let number = 1; number < 43; number++) await createTenant(sql, organization, `Werk ${number}`);
    const { secret } = await signedInUser(sql, organization);
    await visit(service.url, { secret }, async page => {
      await page.goto('/portal/companies');
      const opener = page.getByRole('button', { name: words.en.company });
      const focused = await opener.evaluate(button => {
        button.click();
        return button.ownerDocument.activeElement?.getAttribute('aria-label');
      });
      assert.equal(focused, 'Search for a company');
      await page.keyboard.type('werk 42');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Company: Werk 42' }).waitFor();
      await page.getByText('1 company').waitFor();
    });
  });
});

inBrowser('the search over everything', () => {
  for (const language of inLanguages('de')) {
    const labels = words[language];

    test(`${language}: finds and opens by keyboard, and names no text in an address`, async () => {
      const { sql, testData, service } = fixture;
      const { secret } = await signedInUser(sql, testData.organization, { permissions: ['COMPANY_ADMIN'] });
      await visit(service.url, { secret, language }, async page => {
        const asked: string[] = [];
        page.on('request', request => asked.push(request.url()));
        await page.goto('/portal');
        await page.getByRole('button', { name: labels.opener }).waitFor();
        await page.keyboard.press('Control+k');
        const dialog = page.getByRole('dialog', { name: labels.search });
        const input = dialog.getByRole('combobox', { name: labels.search });
        await input.waitFor();
        await dialog.getByRole('option', { name: labels.users }).waitFor();
        await page.keyboard.type('LAGER');
        await dialog
          .getByRole('group', { name: labels.divisions })
          .getByRole('option', { name: /^Lager/ })
          .waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Muster Logistik GmbH' }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get('division'), testData.lager);
        await press(page, page.getByRole('button', { name: labels.opener }));
        await input.waitFor();
        await page.keyboard.type('zzz');
        await dialog.getByText(labels.nothing).waitFor();
        await page.keyboard.press('Control+A');
        await page.keyboard.insertText('muster');
        await dialog.getByRole('option', { name: 'Muster Logistik GmbH' }).waitFor();
        const selected = dialog.locator('[role=option][aria-selected=true]');
        assert.equal(await selected.innerText(), 'Muster GmbH');
        await page.keyboard.press('ArrowDown');
        assert.equal(await selected.innerText(), 'Muster Logistik GmbH');
        assert.equal(await input.getAttribute('aria-activedescendant'), await selected.getAttribute('id'));
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        assert.ok(!asked.some(url => /lager|muster|zzz/i.test(url)), asked.join('\n'));
      });
    });
  }

  test('offers no users, and not their page, to whom they are not for', async () => {
    const { sql, testData, service } = fixture;
    await invitedUser(sql, testData.organization, { name: 'Zacharias Berger' });
    const { secret } = await signedInUser(sql, testData.organization, { permissions: ['IT'] });
    await visit(service.url, { secret }, async page => {
      await page.goto('/portal/companies');
      await page.getByRole('main').getByRole('link', { name: 'Muster GmbH' }).waitFor();
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('option', { name: 'Companies' }).waitFor();
      assert.equal(await dialog.getByRole('option', { name: 'Users' }).count(), 0);
      await page.keyboard.type('zacharias');
      await dialog.getByText(words.en.nothing).waitFor();
    });
  });

  test('says when a kind may have more results than are shown', async () => {
    const { sql, testData, service } = fixture;
    const { secret } = await signedInUser(sql, testData.organization, { permissions: ['COMPANY_ADMIN'] });
    for (const name of ['Anton', 'Berta', 'Clara', 'Dora', 'Emil'])
      await invitedUser(sql, testData.organization, { name: `${name} Sommer` });
    await visit(service.url, { secret }, async page => {
      await page.goto('/portal/companies');
      await page.getByRole('main').getByRole('link', { name: 'Muster GmbH' }).waitFor();
      await page.keyboard.press('Control+k');
      const dialog = page.getByRole('dialog');
      const more = dialog.getByText('At most 5 results of a kind are shown. Type more to find others.');
      await dialog.getByRole('option', { name: 'Companies' }).waitFor();
      await page.keyboard.type('sommer');
      await more.waitFor();
      await page.keyboard.type(' dora');
      await dialog.getByRole('option', { name: 'Dora Sommer' }).waitFor();
      await more.waitFor({ state: 'detached' });
    });
  });
});

inBrowser('the summary', () => {
  test('is one request for home and the menu', async () => {
    const { sql, testData, service } = fixture;
    const { organization } = testData;
    const { secret } = await signedInUser(sql, organization, { permissions: ['IT', 'COMPANY_ADMIN'] });
    const late = await invitedUser(sql, organization, { name: 'Laura Late' });
    await sql`
      UPDATE portal_user SET link_expires_at = now() WHERE organization_id = ${organization} AND id = ${late.id}`;
    await visit(service.url, { secret }, async page => {
      const asked: string[] = [];
      page.on('request', request => asked.push(new URL(request.url()).pathname));
      await page.goto('/portal');
      await page.getByRole('main').getByRole('link', { name: 'Laura Late' }).waitFor();
      await page.getByRole('navigation').getByRole('link', { name: 'Users 1 needs attention' }).waitFor();
      assert.equal(asked.filter(path => path === '/portal/api/summary').length, 1);
      assert.ok(!asked.some(path => /\/api\/(api-keys|users)$/.test(path)), asked.join('\n'));
    });
  });
});
