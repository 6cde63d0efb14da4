// node packages/portal/tools/pictures.ts < demo.json: takes the pictures of docs/portal from a demo, whose announcement (`npm run demo -- --json`)
// it reads. A folder as an argument takes them elsewhere. It needs Chromium.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';

interface Announcement {
  readonly portalUrl: string;
  readonly users: readonly { email: string; password: string }[];
}

const { portalUrl, users } = JSON.parse(readFileSync(0, 'utf8')) as Announcement;
const folder = process.argv[2]
  ? pathToFileURL(`${process.argv[2]}/`)
  : new URL('../../../docs/portal/', import.meta.url);

/** How a page is looked at. */
const modes = {
  light: { viewport: { width: 1120, height: 700 }, colorScheme: 'light' },
  dark: { viewport: { width: 1120, height: 700 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 760 }, colorScheme: 'light' },
} as const;

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.activeElement?.blur()');
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: fileURLToPath(new URL(`${name}.png`, folder)) });
}

/** The pages that only who administrates sees. */
async function organizationTour(page: Page, mode: string): Promise<void> {
  await page.goto(`${portalUrl}/companies`);
  await page.getByText(/^\d+ companies$/).waitFor();
  await take(page, `companies-${mode}`);
  await page.getByRole('link', { name: 'Musterwerk GmbH' }).click();
  await page.getByRole('treeitem', { name: 'Technik' }).click();
  await page.getByRole('group', { name: 'About Technik' }).waitFor();
  await take(page, `company-${mode}`);
  await page.goto(`${portalUrl}/settings/users`);
  await page.getByText(/^\d+ users$/).waitFor();
  await take(page, `users-${mode}`);
  await page.getByRole('link', { name: 'Hanna Roth' }).click();
  await page.getByText('About this user').waitFor();
  await take(page, `user-${mode}`);
  await page.goto(`${portalUrl}/settings/users/new`);
  await page.getByLabel(/^Name/).fill('Jan Petersen');
  await page.getByRole('checkbox', { name: 'HR', exact: true }).check();
  await take(page, `invite-${mode}`);
}

async function tour(page: Page, mode: string): Promise<void> {
  await page.goto(portalUrl);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await take(page, `sign-in-${mode}`);
  // An administrator can open all pages.
  const { email, password } = users.at(-1)!;
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('active keys').waitFor();
  await take(page, `home-${mode}`);
  await page.goto(`${portalUrl}/settings/api-keys`);
  await page.getByText(/^\d+ keys$/).waitFor();
  await take(page, `keys-${mode}`);
  await page.goto(
    `${portalUrl}/settings/api-keys?filter=${encodeURIComponent('status = active AND (expiresAt IS NULL OR lastUsedAt IS NULL)')}`,
  );
  await page.getByRole('button', { name: 'Filter (3)' }).click();
  await page.getByRole('group', { name: 'Group of conditions' }).waitFor();
  await take(page, `filter-${mode}`);
  await page.getByRole('link', { name: 'Demo', exact: true }).click();
  await page.getByText('of them refused').waitFor();
  await take(page, `key-${mode}`);
  await page.goto(`${portalUrl}/settings/api-keys/new`);
  await page.getByLabel(/^Name/).fill('Payroll of Musterwerk');
  await page.getByLabel('Musterwerk GmbH').check();
  await page.getByText('Some divisions').click();
  await page.getByRole('treeitem', { name: 'Technik' }).click();
  await page.keyboard.press('ArrowRight');
  await page
    .getByRole('status')
    .getByText(/divisions?$/)
    .first()
    .waitFor();
  await take(page, `new-key-${mode}`);
  await page.goto(`${portalUrl}/sessions`);
  await page.getByText('This one').waitFor();
  await take(page, `sessions-${mode}`);
  await organizationTour(page, mode);
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const [mode, options] of Object.entries(modes)) {
  const context = await browser.newContext({ ...options, locale: 'en-GB' });
  await context.addCookies([
    { name: 'kontor-language', value: 'en', domain: new URL(portalUrl).hostname, path: '/portal' },
  ]);
  await tour(await context.newPage(), mode);
  await context.close();
}
await browser.close();
