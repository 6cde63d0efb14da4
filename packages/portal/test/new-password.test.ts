import { test } from 'node:test';
import { password, usePortal } from '../../server/test/portal/support.ts';
import { invitedUser, secretOf } from '../../server/test/support/data/users.ts';
import { assertAccessible, inBrowser, inLanguages, press, type, visit } from './support.ts';

const fixture = usePortal();

const words = {
  en: {
    guessable: /^This password is easy to guess\. Choose several/,
    short: 'Use at least 12 characters.',
    tooShort: 'Use at least 30 characters.',
    accept: 'Set password and sign in',
    set: 'Set password',
    greeting: /^Hello,/,
    changed: /^Your password is changed/,
  },
  de: {
    guessable: /^Dieses Passwort ist leicht zu erraten\. Wählen Sie mehrere Wörter/,
    short: 'Verwenden Sie mindestens 12 Zeichen.',
    tooShort: 'Verwenden Sie mindestens 30 Zeichen.',
    accept: 'Passwort festlegen und anmelden',
    set: 'Passwort festlegen',
    greeting: /^Guten Tag/,
    changed: /^Ihr Passwort wurde geändert/,
  },
} as const;

inBrowser('a new password that is easy to guess or too short is rejected with advice', () => {
  for (const language of inLanguages('en')) {
    const labels = words[language];

    test(`${language}: on the page of an invitation or a reset`, async () => {
      const invited = await invitedUser(fixture.sql, fixture.testData.organization, { language });
      await visit(fixture.service.url, { language }, async page => {
        await page.goto(`/portal/invitation#${secretOf(invited)}`);
        const field = page.locator('input[name=password]');
        const submit = page.getByRole('button', { name: labels.accept });
        await type(page, field, 'password1234');
        await press(page, submit);
        await page.getByRole('alert').filter({ hasText: labels.guessable }).waitFor();
        await assertAccessible(page);
        await field.fill('short');
        await press(page, submit);
        await page.getByRole('alert').filter({ hasText: labels.short }).waitFor();
        await field.fill('tacker brille zitrone wolke');
        await press(page, submit);
        await page.getByRole('heading', { name: labels.greeting }).waitFor();
      });
    });

    test(`${language}: on the page of an invitation, if it is too short for the organization`, async t => {
      const { sql, testData, service } = fixture;
      const { organization } = testData;
      const setMinimum = (length: number) =>
        sql`UPDATE organization SET min_password_length = ${length} WHERE id = ${organization}`;
      await setMinimum(30);
      t.after(() => setMinimum(12));
      const invited = await invitedUser(sql, organization, { language });
      await visit(service.url, { language }, async page => {
        // The page depends on no words of the service.
        await page.addInitScript(`
          const { json } = Response.prototype;
          Response.prototype.json = async function () {
            const body = await json.call(this);
            if (body.error) body.error.message = 'other words';
            return body;
          };`);
        await page.goto(`/portal/invitation#${secretOf(invited)}`);
        await type(page, page.locator('input[name=password]'), 'tacker brille zitrone wolke');
        await press(page, page.getByRole('button', { name: labels.accept }));
        await page.getByRole('alert').filter({ hasText: labels.tooShort }).waitFor();
      });
    });

    test(`${language}: on the page that changes it`, async () => {
      const { id, email, secret } = await fixture.user();
      await fixture.sql`
        UPDATE portal_user SET language = ${language}
        WHERE organization_id = ${fixture.testData.organization} AND id = ${id}`;
      await visit(fixture.service.url, { language, secret }, async page => {
        await page.goto('/portal/account/password');
        const field = page.locator('input[name=password]');
        const submit = page.getByRole('button', { name: labels.set });
        await type(page, page.locator('input[name=currentPassword]'), password);
        await type(page, field, email);
        await press(page, submit);
        await page.getByRole('alert').filter({ hasText: labels.guessable }).waitFor();
        await field.fill('tacker brille zitrone wolke');
        await press(page, submit);
        await page.getByRole('status').filter({ hasText: labels.changed }).waitFor();
      });
    });
  }
});
