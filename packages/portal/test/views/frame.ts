import { type Area, longName } from './view.ts';

/** The pages of anonymous visitors, the frame, and the home page. */
export const frameViews: Area = async () => [
  { name: 'sign-in', path: '/sign-in', as: 'anonymous' },
  { name: 'sign-in after the end of a session', path: '/sign-in?reason=expired', as: 'anonymous' },
  { name: 'invitation', path: '/invitation#x', as: 'anonymous' },
  { name: 'forgotten password', path: '/forgotten-password', as: 'anonymous' },
  { name: 'sign-in at the identity provider', path: '/sign-in/openid?error=access_denied', as: 'anonymous' },
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
