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

const wide = { width: 1280, height: 800 };

/** How a page is looked at. */
const modes = {
  light: { viewport: wide, colorScheme: 'light', language: 'en' },
  dark: { viewport: wide, colorScheme: 'dark', language: 'en' },
  german: { viewport: wide, colorScheme: 'light', language: 'de' },
  phone: { viewport: { width: 390, height: 760 }, colorScheme: 'light', language: 'en' },
} as const;

type Language = 'en' | 'de';

/** The words that a picture waits for or presses. */
const words = {
  en: {
    filter: 'Filter (3)',
    replace: 'Replace',
    some: 'Some divisions',
    more: 'Actions for Zeiterfassung',
    deactivate: 'Deactivate',
  },
  de: {
    filter: 'Filter (3)',
    replace: 'Ersetzen',
    some: 'Einzelne Abteilungen',
    more: 'Aktionen für Zeiterfassung',
    deactivate: 'Deaktivieren',
  },
} as const;

class Tour {
  readonly #page: Page;
  readonly #mode: string;

  constructor(page: Page, mode: string) {
    this.#page = page;
    this.#mode = mode;
  }

  async open(address: string): Promise<void> {
    await this.#page.goto(portalUrl + address);
    await this.#page.getByRole('heading', { level: 1 }).waitFor();
    await this.#page.waitForLoadState('networkidle');
  }

  async take(name: string): Promise<void> {
    await this.#page.waitForLoadState('networkidle');
    await this.#page.evaluate('document.fonts.ready');
    await this.#page.locator('.mantine-Skeleton-root:visible').first().waitFor({ state: 'detached' });
    await this.#page.screenshot({ path: fileURLToPath(new URL(`${name}-${this.#mode}.png`, folder)) });
  }
}

async function signIn(page: Page, { email, password }: Announcement['users'][number]): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('banner').waitFor();
}

async function keyTour(page: Page, tour: Tour, language: Language): Promise<void> {
  const { filter, replace, some, more, deactivate } = words[language];
  await tour.open('/settings/api-keys');
  await tour.take('keys');
  const query = encodeURIComponent('status = active AND (expiresAt IS NULL OR lastUsedAt IS NULL)');
  await tour.open(`/settings/api-keys?filter=${query}`);
  await page.getByRole('button', { name: filter }).click();
  await tour.take('filter');
  await tour.open('/settings/api-keys');
  await page.getByRole('button', { name: more }).click();
  await page.getByRole('button', { name: deactivate, exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await tour.take('dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Zeiterfassung' }).click();
  await page.getByRole('heading', { level: 1, name: 'Zeiterfassung' }).waitFor();
  await tour.take('failing-key');
  await tour.open('/settings/api-keys');
  await page.getByRole('link', { name: 'DATEV Lohn' }).click();
  await page.getByRole('heading', { level: 1, name: 'DATEV Lohn' }).waitFor();
  await tour.take('key');
  await page.getByRole('button', { name: replace, exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await tour.take('replace');
  await tour.open('/settings/api-keys/new');
  await page.locator('form input').first().fill('Musterwerk Payroll');
  await page.getByLabel('Musterwerk GmbH').check();
  await page.getByText(some).click();
  await page.getByRole('treeitem', { name: 'Technik' }).click();
  await page.keyboard.press('ArrowRight');
  await tour.take('new-key');
}

/** The pages of administrators. */
async function organizationTour(page: Page, tour: Tour): Promise<void> {
  await tour.open('/companies');
  await tour.take('companies');
  await page.getByRole('link', { name: 'Musterwerk GmbH' }).click();
  await page.getByRole('treeitem', { name: 'Technik' }).click();
  await tour.take('company');
  await tour.open('/settings/users');
  await tour.take('users');
  await page.getByRole('link', { name: 'Hanna Roth' }).click();
  await page.getByRole('heading', { level: 1, name: 'Hanna Roth' }).waitFor();
  await tour.take('user');
  await tour.open('/settings/users/new');
  await tour.take('invite');
  await tour.open('/settings/organization');
  await tour.take('settings');
}

/** The pages of HR. */
async function hrTour(page: Page, tour: Tour): Promise<void> {
  await tour.open('/orders');
  await tour.take('orders');
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await page.getByRole('dialog').waitFor();
  await tour.take('order');
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const [mode, { language, ...options }] of Object.entries(modes)) {
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const [, hr, admin] = users as [unknown, Announcement['users'][number], Announcement['users'][number]];
  for (const user of [admin, hr]) {
    const context = await browser.newContext({ ...options, locale, reducedMotion: 'reduce' });
    const cookie = { name: 'kontor-language', value: language, path: '/portal' };
    await context.addCookies([{ ...cookie, domain: new URL(portalUrl).hostname }]);
    const page = await context.newPage();
    const tour = new Tour(page, mode);
    await tour.open('/sign-in');
    if (user === admin) await tour.take('sign-in');
    await signIn(page, user);
    // The user's own language would go before that of the cookie.
    await page.route('**/api/session', async route => {
      const answer = await route.fetch();
      const session = (await answer.json()) as { user: { language: string } };
      session.user.language = language;
      await route.fulfill({ response: answer, json: session });
    });
    if (user === hr) await hrTour(page, tour);
    else {
      await tour.open('');
      await tour.take('home');
      await keyTour(page, tour, language);
      await organizationTour(page, tour);
      await tour.open('/sessions');
      await tour.take('sessions');
    }
    await context.close();
  }
}
await browser.close();
