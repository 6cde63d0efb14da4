import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { usePortal } from '../../server/test/portal/support.ts';
import { backdateSession, signedInUser } from '../../server/test/support/data/users.ts';
import { signIn, signInHeading, signOut } from './session-steps.ts';
import { button, inBrowser, inLanguages, visit } from './support.ts';

const fixture = usePortal();

const form = '/portal/settings/api-keys/new';

const words = {
  en: {
    field: 'Name',
    list: 'API keys',
    question: 'Leave without saving?',
    keep: 'Keep editing',
    discard: 'Discard changes',
  },
  de: {
    field: 'Name',
    list: 'API-Schlüssel',
    question: 'Ohne Speichern verlassen?',
    keep: 'Weiter bearbeiten',
    discard: 'Änderungen verwerfen',
  },
};

inBrowser('a form with unsaved changes', () => {
  let secret: string;
  before(async () => {
    ({ secret } = await fixture.user());
  });

  for (const language of inLanguages('de'))
    test(`asks before a link, the way back and a reload lose them, in ${language}`, () =>
      visit(fixture.service.url, { secret, language }, async page => {
        const { field, list, question, keep, discard } = words[language];
        const name = page.getByRole('textbox', { name: field });
        const dialog = page.getByRole('dialog', { name: question });
        const link = page.getByRole('navigation').getByRole('link', { name: list });
        await page.goto('/portal/settings/api-keys');
        await page.getByRole('main').locator('a[href$="/new"]').first().click();
        await name.fill('Payroll');
        await link.click();
        await dialog.waitFor();
        await button(page, keep).click();
        await dialog.waitFor({ state: 'detached' });
        assert.equal(await name.inputValue(), 'Payroll');
        await page.goBack();
        await dialog.waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        assert.equal(new URL(page.url()).pathname, form);
        const [asked] = await Promise.all([
          page.waitForEvent('dialog'),
          page.evaluate('setTimeout(() => location.reload())'),
        ]);
        assert.equal(asked.type(), 'beforeunload');
        await asked.dismiss();
        assert.equal(await name.inputValue(), 'Payroll');
        await link.click();
        await button(page, discard).click();
        await page.waitForURL(url => url.pathname === '/portal/settings/api-keys');
      }));

  test('is left without a question when nothing was changed, or what was is undone', async () => {
    const { sql, testData, service } = fixture;
    const { secret, user } = await signedInUser(sql, testData.organization, {
      permissions: ['COMPANY_ADMIN'],
    });
    await visit(service.url, { secret }, async page => {
      await page.goto(form);
      await page.getByRole('textbox', { name: 'Name' }).fill('Payroll');
      await page.getByRole('textbox', { name: 'Name' }).fill('');
      await page.getByRole('link', { name: 'Users' }).click();
      await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
      await page.goto(`/portal/settings/users/${user.id}`);
      await page.getByRole('textbox', { name: 'Name' }).fill('Other');
      await page.getByRole('link', { name: 'Home' }).click();
      await button(page, 'Keep editing').click();
      await button(page, 'Discard').click();
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('heading', { name: /^Hello,/ }).waitFor();
    });
  });

  test('shows each message until its fault is mended, and the others longer', async () => {
    const { sql, testData, service } = fixture;
    const { secret, user } = await signedInUser(sql, testData.organization, {
      permissions: ['COMPANY_ADMIN'],
    });
    await visit(service.url, { secret }, async page => {
      const taken = page.getByText('Another user already has this email');
      const email = page.getByRole('textbox', { name: 'Email' });
      const name = page.getByRole('textbox', { name: 'Name' });
      await page.goto('/portal/settings/users/new');
      await button(page, 'Create invitation').click();
      await page.getByText('Enter an email address').waitFor();
      await page.getByText('Enter a name').waitFor();
      await name.fill('Otto');
      await page.getByText('Enter a name').waitFor({ state: 'detached' });
      assert.ok(await page.getByText('Enter an email address').isVisible());
      await email.fill(user.email);
      await page.getByRole('checkbox', { name: 'IT', exact: true }).check();
      await button(page, 'Create invitation').click();
      await taken.waitFor();
      await email.fill('other@example.com');
      await taken.waitFor({ state: 'detached' });
      await page.goto(`/portal/settings/users/${user.id}`);
      await name.fill('');
      await button(page, 'Save').click();
      await page.getByText('Enter a name').waitFor();
      await name.fill('Otto');
      await page.getByText('Enter a name').waitFor({ state: 'detached' });
    });
  });

  test('shows one message when the session ends, which a sign-in in another tab removes', async () => {
    const { secret, email, id } = await fixture.user();
    await visit(fixture.service.url, { secret }, async (page, context) => {
      await page.goto(form);
      await page.getByRole('textbox', { name: 'Name' }).fill('Payroll');
      await page.getByRole('radio', { name: 'The whole organization' }).check();
      await fixture.sql`
        DELETE FROM portal_session WHERE organization_id = ${fixture.testData.organization} AND user_id = ${id}`;
      await button(page, 'Create key').click();
      const alert = page.getByRole('alert');
      await alert.filter({ hasText: 'Your session has ended' }).waitFor();
      assert.equal(await alert.count(), 1);
      const [other] = await Promise.all([
        context.waitForEvent('page'),
        page.getByRole('link', { name: 'Sign in in another tab' }).click(),
      ]);
      await signIn(other, email);
      await other.getByRole('heading', { name: /^Hello,/ }).waitFor();
      await alert.waitFor({ state: 'detached' });
      assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Payroll');
      await button(page, 'Create key').click();
      await page.getByTestId('key').waitFor();
    });
  });
});

inBrowser('the sign-in page', () => {
  const shows = async (page: Page, reason: string) => {
    // The home page asks every 15 seconds.
    await signInHeading(page).waitFor({ timeout: 30_000 });
    await page.getByRole('status').filter({ hasText: reason }).waitFor();
  };

  test('says why the user is there: signed out, expired or ended', async () => {
    const { secret, email, id } = await fixture.user();
    const { sql, testData, service } = fixture;
    await visit(service.url, { secret }, async page => {
      await page.goto('/portal');
      await signOut(page, 'Petra Lang');
      await shows(page, 'You are signed out.');
      await signIn(page, email);
      await page.getByRole('heading', { name: /^Hello,/ }).waitFor();
      await sql`DELETE FROM portal_session WHERE organization_id = ${testData.organization} AND user_id = ${id}`;
      await shows(page, 'Your session was ended');
      await signIn(page, email);
      await page.getByRole('heading', { name: /^Hello,/ }).waitFor();
      const cookies = await page.context().cookies(service.url.replace('http:', 'https:'));
      const session = cookies.find(({ name }) => name === '__Host-kontor')!.value.split('_')[2]!;
      await backdateSession(sql, session, { expires_at: 719 });
      await page.reload();
      await page.getByRole('heading', { name: /^Hello,/ }).waitFor();
      await page.clock.install({ time: Date.now() + 3_600_000 });
      await backdateSession(sql, session, { expires_at: 2 });
      await shows(page, 'Your session has expired');
    });
  });

  test('goes on by itself after a sign-in in another tab', async () => {
    const { email } = await fixture.user();
    await visit(fixture.service.url, {}, async (page, context) => {
      await page.goto('/portal/settings/api-keys');
      await signInHeading(page).waitFor();
      const other = await context.newPage();
      await other.goto('/portal');
      await signIn(other, email);
      await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    });
  });
});
