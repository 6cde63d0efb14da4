import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { password, usePortal } from '../../server/test/portal/support.ts';
import {
  activeUser,
  invitedUser,
  secretOf,
  sessionOfUser,
  signedInUser,
} from '../../server/test/support/data/users.ts';
import { button, holdBack, inBrowser, inLanguages, press, reach, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    users: 'Users',
    companies: 'Companies',
    invite: 'Invite',
    name: /^Name/,
    email: /^Email/,
    language: 'Language',
    hr: 'HR',
    withHr: 'Only together with the permission HR',
    check: 'Check payroll',
    release: 'Release payroll',
    company: 'Muster GmbH',
    make: 'Create invitation',
    done: 'Done',
    set: 'Set password and sign in',
    greeting: /^Hello,/,
    it: 'IT',
    save: 'Save',
    undo: 'Discard',
    deactivate: 'Deactivate',
    reactivate: 'Reactivate',
    reset: 'Reset password',
    makeLink: 'Create link',
    delete: 'Delete',
    deleteForEver: 'Delete permanently',
    enterName: 'Enter a name',
    taken: /^Another user already has this email/,
    endOne: /^End the session of/,
    endAll: 'End all sessions',
    ended: 'Sessions ended',
    signedOut: 'This user is not signed in.',
    signIn: 'Sign in',
    denied: 'You do not have the permission for this page.',
  },
  de: {
    users: 'Benutzer',
    companies: 'Unternehmen',
    invite: 'Einladen',
    name: /^Name/,
    email: /^E-Mail/,
    language: 'Sprache',
    hr: 'HR',
    withHr: 'Nur zusammen mit der Berechtigung HR',
    check: 'Abrechnung prüfen',
    release: 'Abrechnung freigeben',
    company: 'Muster GmbH',
    make: 'Einladung erstellen',
    done: 'Fertig',
    set: 'Passwort festlegen und anmelden',
    greeting: /^Guten Tag/,
    it: 'IT',
    save: 'Speichern',
    undo: 'Verwerfen',
    deactivate: 'Deaktivieren',
    reactivate: 'Reaktivieren',
    reset: 'Passwort zurücksetzen',
    makeLink: 'Link erstellen',
    delete: 'Löschen',
    deleteForEver: 'Endgültig löschen',
    enterName: 'Name eingeben',
    taken: /^Ein anderer Benutzer hat diese E-Mail/,
    endOne: /^Sitzung von .* beenden/,
    endAll: 'Alle Sitzungen beenden',
    ended: 'Sitzungen beendet',
    signedOut: 'Dieser Benutzer ist nicht angemeldet.',
    signIn: 'Anmelden',
    denied: 'Sie haben keine Berechtigung für diese Seite.',
  },
} as const;

type Words = (typeof words)[keyof typeof words];

const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });

/** The path of the link that is shown now, after which the dialog is closed. */
async function keepLink(page: Page, labels: Words): Promise<string> {
  const link = new URL((await page.getByTestId('link').textContent())!);
  await press(page, button(page, labels.done));
  return `${link.pathname}${link.hash}`;
}

/** Presses a button, and the one in the dialog that it opens. */
async function confirm(page: Page, name: string, yes = name): Promise<void> {
  await press(page, button(page, name));
  await press(page, page.getByRole('dialog').getByRole('button', { name: yes, exact: true }));
}

inBrowser('users, by keyboard alone', () => {
  const admin = () =>
    signedInUser(fixture.sql, fixture.testData.organization, { permissions: ['COMPANY_ADMIN'] });
  const statusOf = async (email: string) =>
    (
      await fixture.sql`SELECT permissions, hr_tenants, deactivated_at FROM portal_user WHERE email = ${email}`
    )[0];

  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: payroll is permitted beside HR only, which the form says, and goes with it`, async () => {
      const { secret } = await admin();
      const user = await activeUser(fixture.sql, fixture.testData.organization, { permissions: ['IT'] });
      const permissions = async () =>
        (await fixture.portal.get(`/users/${user.id}`, { key: secret })).body.permissions;
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/settings/users/${user.id}`);
        await page.getByText(labels.withHr).nth(1).waitFor();
        assert.ok(await box(page, labels.release).isDisabled());
        await press(page, box(page, labels.hr), 'Space');
        assert.equal(await page.getByText(labels.withHr).count(), 0);
        await press(page, box(page, labels.check), 'Space');
        await press(page, box(page, labels.release), 'Space');
        await press(page, box(page, labels.company), 'Space');
        await press(page, button(page, labels.save));
        await button(page, labels.undo).waitFor({ state: 'detached' });
        assert.deepEqual(await permissions(), ['IT', 'HR', 'PAYROLL_RUN', 'PAYROLL_RELEASE']);
        await page.getByRole('heading', { level: 1 }).focus();
        await press(page, box(page, labels.hr), 'Space');
        await press(page, button(page, labels.save));
        await button(page, labels.undo).waitFor({ state: 'detached' });
        assert.deepEqual(await permissions(), ['IT']);
      });
    });

    test(`${language}: a user is invited for HR of a company, signs in, and is given another permission`, async () => {
      const { secret } = await admin();
      const email = `anna.${language}@example.com`;
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal');
        await press(page, page.getByRole('link', { name: labels.users, exact: true }));
        await press(page, page.getByRole('link', { name: labels.invite, exact: true }));
        await type(page, page.getByRole('textbox', { name: labels.email }), email);
        await press(page, button(page, labels.make));
        await page.getByText(labels.enterName).waitFor();
        await type(page, page.getByRole('textbox', { name: labels.name }), 'Anna Berger');
        await press(page, box(page, labels.hr), 'Space');
        await press(page, box(page, labels.company), 'Space');
        await press(page, button(page, labels.make));
        const link = await keepLink(page, labels);
        await page.getByRole('heading', { name: 'Anna Berger', level: 1 }).waitFor();
        await visit(fixture.service.url, { language }, async other => {
          await other.goto(link);
          await type(other, other.locator('input[name=password]'), password);
          await press(other, button(other, labels.set));
          await other.getByRole('heading', { name: labels.greeting }).waitFor();
        });
        const { hr_tenants } = (await statusOf(email))!;
        assert.deepEqual(hr_tenants, [fixture.testData.tenantA]);
        await press(page, box(page, labels.it), 'Space');
        await press(page, button(page, labels.save));
        await button(page, labels.undo).waitFor({ state: 'detached' });
        assert.deepEqual((await statusOf(email))!.permissions, ['IT', 'HR']);
      });
    });

    test(`${language}: an invitation has the language of the inviter, unless another one is chosen`, async () => {
      const { sql, service } = fixture;
      const { user, secret } = await admin();
      await sql`UPDATE portal_user SET language = 'de' WHERE id = ${user.id}`;
      const invite = async (email: string, choose: (page: Page) => Promise<void>) => {
        await visit(service.url, { language, secret }, async page => {
          await page.goto('/portal/settings/users/new');
          await type(page, page.getByRole('textbox', { name: labels.email }), email);
          await type(page, page.getByRole('textbox', { name: labels.name }), 'Bea Busch');
          await choose(page);
          await press(page, box(page, labels.it), 'Space');
          await press(page, button(page, labels.make));
          await keepLink(page, labels);
        });
        const [{ language: stored } = {}] =
          await sql`SELECT language FROM portal_user WHERE email = ${email}`;
        return stored;
      };
      assert.equal(await invite(`suggested.${language}@example.com`, async () => {}), 'de');
      const chosen = await invite(`chosen.${language}@example.com`, async page => {
        const field = page.getByRole('combobox', { name: labels.language });
        assert.equal(await field.inputValue(), 'Deutsch');
        await press(page, field, 'ArrowDown');
        await page.getByRole('option').first().waitFor();
        const english = page.locator('[data-combobox-selected]', { hasText: 'English' });
        while (!(await english.isVisible())) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
      });
      assert.equal(chosen, 'en');
    });

    test(`${language}: a user gets a link for a new password, is deactivated, reactivated and deleted`, async () => {
      const { secret } = await admin();
      const { id, email } = await fixture.user();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto(`/portal/settings/users/${id}`);
        await confirm(page, labels.reset, labels.makeLink);
        assert.match(await keepLink(page, labels), /^\/portal\/invitation#kontorl_/);
        await confirm(page, labels.deactivate);
        await button(page, labels.reactivate).waitFor();
        assert.notEqual((await statusOf(email))!.deactivated_at, null);
        await press(page, button(page, labels.reactivate));
        await button(page, labels.deactivate).waitFor();
        assert.equal((await statusOf(email))!.deactivated_at, null);
        await confirm(page, labels.delete, labels.deleteForEver);
        await page.waitForURL(url => url.pathname === '/portal/settings/users');
        assert.equal(await statusOf(email), undefined);
      });
    });

    test(`${language}: an administrator endButtons a session of a user, then all, and the other browser is signed out`, async () => {
      const { secret } = await admin();
      const { id, secret: ended } = await fixture.user();
      const { organization } = fixture.testData;
      const { secret: lasting } = await sessionOfUser(fixture.sql, organization, id);
      await visit(fixture.service.url, { language, secret: lasting }, async other => {
        await other.goto('/portal');
        await other.getByRole('heading', { name: labels.greeting }).waitFor();
        await visit(fixture.service.url, { language, secret }, async page => {
          await page.goto(`/portal/settings/users/${id}`);
          const endButtons = button(page, labels.endOne);
          await endButtons.nth(1).waitFor();
          await press(page, endButtons.last());
          await endButtons.nth(1).waitFor({ state: 'detached' });
          const whoIs = (key: string) => fixture.portal.get('/session', { key });
          assert.equal((await whoIs(ended)).status, 401);
          assert.equal((await whoIs(lasting)).status, 200);
          await confirm(page, labels.endAll);
          await page.getByText(labels.ended).waitFor();
          await page.getByText(labels.signedOut).waitFor();
          await other.getByRole('link', { name: labels.companies, exact: true }).click();
          await other.getByRole('heading', { name: labels.signIn, level: 1 }).waitFor();
        });
      });
    });

    test(`${language}: a taken email is rejected at its field`, async () => {
      const { secret, user } = await admin();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/users/new');
        await type(page, page.getByRole('textbox', { name: labels.email }), user.email);
        await type(page, page.getByRole('textbox', { name: labels.name }), 'Petra');
        await press(page, box(page, labels.it), 'Space');
        await press(page, button(page, labels.make));
        await page.getByText(labels.taken).waitFor();
      });
    });

    test(`${language}: a user who is no administrator has no link to the users, and a message when following one`, async () => {
      const { secret } = await fixture.user();
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/settings/users');
        await page.getByRole('alert').filter({ hasText: labels.denied }).waitFor();
        assert.equal(await page.getByRole('link', { name: labels.users, exact: true }).count(), 0);
      });
    });
  }

  test('a change asks for the password again after ten minutes, and is done then', async () => {
    const { sql, testData } = fixture;
    const invited = await fixture.user();
    await sql`UPDATE portal_user SET permissions = ARRAY['COMPANY_ADMIN'] WHERE organization_id = ${testData.organization} AND id = ${invited.id}`;
    const { id } = await fixture.user();
    const shown = new Date(Date.now() - 3_600_000);
    await sql`UPDATE portal_session SET authenticated_at = ${shown} WHERE organization_id = ${testData.organization}`;
    await visit(fixture.service.url, { secret: invited.secret }, async page => {
      await page.goto(`/portal/settings/users/${id}`);
      await confirm(page, words.en.deactivate);
      await type(page, page.getByRole('dialog').locator('input[name=password]'), password);
      await page.keyboard.press('Enter');
      await button(page, words.en.reactivate).waitFor();
    });
  });

  test('what is saved is what was changed here: what others change meanwhile, and what is typed while it is saved, stays', async () => {
    const { sql, testData } = fixture;
    const { secret } = await admin();
    const permissions = ['IT', 'HR'] as const;
    const user = await activeUser(sql, testData.organization, {
      permissions: [...permissions],
      hrTenants: null,
    });
    const read = async () => (await fixture.portal.get(`/users/${user.id}`, { key: secret })).body;
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/settings/users/${user.id}`);
      const name = page.getByRole('textbox', { name: words.en.name });
      await type(page, name, 'Berta');
      const taken = { permissions: ['IT'] };
      const answer = await fixture.portal.patch(`/users/${user.id}`, taken, { key: secret });
      assert.equal(answer.status, 200);
      const { arrived, letGo } = await holdBack(page, `**/users/${user.id}`);
      await press(page, button(page, words.en.save));
      await arrived;
      await type(page, name, 'Berta Berg');
      letGo();
      await page.getByRole('heading', { name: 'Berta', exact: true }).waitFor();
      const { name: saved, permissions: left } = await read();
      assert.deepEqual([saved, left], ['Berta', ['IT']]);
      await button(page, words.en.save).click();
      await page.getByRole('heading', { name: 'Berta Berg' }).waitFor();
    });
  });

  test('who is given HR has it for the companies that are chosen, not for all of them unasked', async () => {
    const { secret } = await admin();
    const user = await activeUser(fixture.sql, fixture.testData.organization);
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/settings/users/${user.id}`);
      await press(page, box(page, words.en.hr), 'Space');
      await press(page, button(page, words.en.save));
      await page.getByText('Choose at least one company.').waitFor();
    });
  });

  test('a link that is shown once stays until it was kept: the way back does not lose it', async () => {
    const { secret } = await admin();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto('/portal/settings/users');
      await press(page, page.getByRole('link', { name: words.en.invite }));
      await type(page, page.getByRole('textbox', { name: words.en.email }), 'linked@example.com');
      await type(page, page.getByRole('textbox', { name: words.en.name }), 'Linda');
      await press(page, box(page, words.en.it), 'Space');
      await press(page, button(page, words.en.make));
      const link = page.getByTestId('link');
      await link.waitFor();
      await page.evaluate('history.back()');
      await press(page, button(page, 'Copy link'));
      await press(page, button(page, words.en.done));
      await page.getByRole('heading', { name: 'Linda' }).waitFor();
    });
  });

  test('a second link that is opened in the tab of the first is the one that counts, and leaves the address, too', async () => {
    const { sql, testData } = fixture;
    const [old, renewed] = [
      secretOf(await invitedUser(sql, testData.organization)),
      secretOf(await invitedUser(sql, testData.organization)),
    ];
    await visit(fixture.service.url, {}, async page => {
      await page.goto(`/portal/invitation#${old}`);
      await page.getByLabel('New password').first().waitFor();
      await page.evaluate(`window.location.href = '/portal/invitation#${renewed}'`);
      await page.waitForURL(url => url.hash === '');
      const sent = page.waitForRequest('**/invitation/acceptance');
      await page.locator('input[name=password]').fill(password);
      await press(page, button(page, words.en.set));
      assert.equal((await sent).postDataJSON().secret, renewed);
    });
  });

  test('users cannot lock themselves out', async () => {
    const { secret, user } = await admin();
    await visit(fixture.service.url, { secret }, async page => {
      await page.goto(`/portal/settings/users/${user.id}`);
      await reach(page, box(page, words.en.it));
      assert.equal(await box(page, 'Company admin').isDisabled(), true);
      assert.equal(await button(page, words.en.deactivate).count(), 0);
      assert.equal(await button(page, words.en.delete).count(), 0);
    });
  });
});
