import { newId } from '../../../server/src/db/ids.ts';
import { type Area, longName } from './view.ts';

/** The pages of anonymous visitors, the frame, and the home page. */
export const frameViews: Area = async ({ sql, testData, userId, tenant }) => {
  const by = JSON.stringify({ type: 'user', id: userId, name: 'x' });
  const at = new Date(Date.now() - 3_600_000);
  await sql`
    INSERT INTO employee_import (organization_id, id, tenant_id, status, file_name, encoding, delimiter, header, created_by,
      created_at, ended_at, expires_at)
    VALUES (${testData.organization}, ${newId()}, ${tenant}, 'failed', 'x', 'utf-8', ';', '[]', ${by}::jsonb, ${at}, ${at},
      now() + interval '7 days')`;
  return [
    { name: 'sign-in', path: '/sign-in', as: 'anonymous' },
    { name: 'sign-in after the end of a session', path: '/sign-in?reason=expired', as: 'anonymous' },
    { name: 'invitation', path: '/invitation#x', as: 'anonymous' },
    { name: 'forgotten password', path: '/forgotten-password', as: 'anonymous' },
    {
      name: 'sign-in at the identity provider',
      path: '/sign-in/openid?error=access_denied',
      as: 'anonymous',
    },
    {
      name: 'required passkey',
      path: '/',
      as: 'passkey',
      open: (_page, words) => words.button('Register a passkey').waitFor(),
    },
    { name: 'home', path: '/' },
    {
      name: 'menu of the user',
      path: '/',
      async open(page, words) {
        await words.button('{name}: menu', { name: longName }).click();
        await page.getByRole('link', { name: words.text('My sessions') }).waitFor();
      },
    },
    {
      name: 'notifications in the bell',
      path: '/',
      async open(page, words) {
        await page.getByRole('button', { name: words.text('Notifications') }).click();
        await page
          .getByRole('link', { name: words.text('Your import has failed') })
          .first()
          .waitFor();
      },
    },
    {
      name: 'choice of the company',
      path: '/',
      async open(page, words) {
        await words.button('Company: {name}', { name: words.text('All companies') }).click();
        await page.getByRole('link', { name: 'Muster Logistik GmbH' }).waitFor();
      },
    },
    {
      name: 'search over everything',
      path: '/',
      async open(page) {
        await page.keyboard.press('Control+K');
        await page.getByRole('dialog').getByRole('combobox').fill(longName.slice(0, 9));
        await page.getByRole('option', { name: longName }).first().waitFor();
      },
    },
    { name: 'unknown address', path: '/nowhere' },
  ];
};
