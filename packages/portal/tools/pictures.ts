// node packages/portal/tools/pictures.ts < demo.json: takes the pictures of docs/portal from a demo, whose announcement (`npm run demo -- --json`)
// it reads. A folder as an argument takes them elsewhere. It needs Chromium, and fonts for the scripts of the names.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

interface Announcement {
  readonly portalUrl: string;
  readonly users: readonly { email: string; password: string; states: string }[];
}

const { portalUrl, users } = JSON.parse(readFileSync(0, 'utf8')) as Announcement;
const folder = process.argv[2]
  ? pathToFileURL(`${process.argv[2]}/`)
  : new URL('../../../docs/portal/', import.meta.url);

const german = JSON.parse(readFileSync(new URL('../src/locales/de.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

const wide = { width: 1280, height: 800 };

/** The ways to look at a page. */
const modes = {
  light: { viewport: wide, colorScheme: 'light', language: 'en' },
  dark: { viewport: wide, colorScheme: 'dark', language: 'en' },
  german: { viewport: wide, colorScheme: 'light', language: 'de' },
  phone: { viewport: { width: 390, height: 760 }, colorScheme: 'light', language: 'en' },
} as const;

type Mode = keyof typeof modes;
type Role = 'hr' | 'admin';

/** A page as it is opened: words are the English ones of the sources, in the language of the picture. */
interface Visit {
  readonly page: Page;
  readonly t: (message: string) => string;
}

interface Picture {
  readonly name: string;
  readonly role: Role;
  readonly path: string;
  readonly modes: readonly Mode[];
  readonly open?: (visit: Visit) => Promise<unknown>;
}

/** Presses the first element with these words. */
const press =
  (role: 'button' | 'link', message: string) =>
  ({ page, t }: Visit) =>
    page
      .getByRole(role, { name: t(message), exact: true })
      .first()
      .click();

/** Opens the first row of a list. */
const openRow = async ({ page, t }: Visit) => {
  await page.locator('tbody a').first().click();
  await page.getByRole('dialog').getByText(t('Person'), { exact: true }).waitFor();
};

/** Opens the row with a name. */
const openNamed =
  (name: string, ...then: readonly ((visit: Visit) => Promise<unknown>)[]) =>
  async (visit: Visit) => {
    await visit.page.getByRole('link', { name, exact: true }).first().click();
    await visit.page.getByRole('heading', { level: 1, name }).waitFor();
    for (const act of then) await act(visit);
  };

const query = encodeURIComponent('status = active AND (expiresAt IS NULL OR lastUsedAt IS NULL)');
const keys = '/settings/api-keys';
const everyMode = ['light', 'dark', 'german', 'phone'] as const;

const ofMusterwerk = async ({ page }: Visit) => {
  await page.getByRole('main').getByRole('link', { name: 'Musterwerk GmbH', exact: true }).click();
  await page.getByRole('main').getByRole('table').first().waitFor();
};

/** Opens a company as an administrator does, in one of its tabs. */
const openCompany = (tab: string) => async (visit: Visit) => {
  await openNamed('Musterwerk GmbH')(visit);
  if (tab !== 'Divisions') await press('link', tab)(visit);
};

/** What an HR clerk exports from a spreadsheet: a person moves, one is new, and one has no valid email. */
const spreadsheet = [
  'Personalnummer;E-Mail;Vorname;Nachname;Ort',
  '10001;;;;Augsburg',
  '90001;jana.neumann@musterwerk.example;Jana;Neumann;München',
  '90002;keine;Tim;Sommer;München',
].join('\r\n');

async function uploadSpreadsheet(visit: Visit): Promise<void> {
  const { page, t } = visit;
  await page.getByRole('main').getByRole('link', { name: 'Musterwerk GmbH', exact: true }).click();
  const chooser = page.waitForEvent('filechooser'); // cspell:disable-line
  await press('button', 'Choose a file')(visit);
  const buffer = Buffer.from(spreadsheet);
  await (await chooser).setFiles({ name: 'Personal November.csv', mimeType: 'text/csv', buffer });
  await press('button', 'Check the file')(visit);
  await page.getByRole('button', { name: t('Import'), exact: true }).waitFor();
}

/** Few, and each shows something that no other one does. */
const pictures: readonly Picture[] = [
  { name: 'home', role: 'admin', path: '', modes: everyMode },
  { name: 'keys', role: 'admin', path: keys, modes: everyMode },
  {
    name: 'failing-key',
    role: 'admin',
    path: keys,
    modes: ['light', 'dark'],
    open: openNamed('Zeiterfassung'),
  },
  { name: 'key', role: 'admin', path: keys, modes: ['light', 'german'], open: openNamed('DATEV Lohn') },
  {
    name: 'key-access',
    role: 'admin',
    path: keys,
    modes: ['light'],
    open: openNamed('Demo Technik', press('link', 'Access')),
  },
  {
    name: 'connect',
    role: 'admin',
    path: keys,
    modes: ['light', 'german'],
    open: openNamed('Demo Technik', press('link', 'Connect')),
  },
  {
    name: 'replace',
    role: 'admin',
    path: keys,
    modes: ['light', 'dark', 'german'],
    open: openNamed('DATEV Lohn', press('button', 'Replace')),
  },
  {
    name: 'filter',
    role: 'admin',
    path: `${keys}?filter=${query}`,
    modes: ['light', 'german'],
    open: ({ page, t }) =>
      page.getByRole('button', { name: t('Filter ({count})').replace('{count}', '3') }).click(),
  },
  {
    name: 'new-key',
    role: 'admin',
    path: `${keys}/new`,
    modes: ['light', 'phone'],
    async open({ page, t }) {
      await page.locator('form input').first().fill('Musterwerk Payroll');
      await page.getByLabel('Musterwerk GmbH').check();
      await page.getByText(t('Some divisions')).click();
      await page.getByRole('treeitem', { name: 'Technik' }).click();
      await page.keyboard.press('ArrowRight');
      await page
        .getByRole('status')
        .filter({ hasText: /4 divisions/ })
        .first()
        .waitFor();
    },
  },
  { name: 'users', role: 'admin', path: '/settings/users', modes: ['light', 'german'] },
  { name: 'settings', role: 'admin', path: '/settings/organization', modes: ['light', 'german'] },
  { name: 'works-council', role: 'admin', path: '/settings/organization/works-council', modes: ['german'] },
  { name: 'audit', role: 'admin', path: '/settings/audit', modes: ['light'] },
  {
    name: 'search',
    role: 'admin',
    path: '',
    modes: ['light'],
    async open({ page }) {
      await page.keyboard.press('Control+K');
      await page.getByRole('dialog').getByRole('combobox').fill('tech');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'approval',
    role: 'admin',
    path: '/companies',
    modes: ['german'],
    open: openCompany('Approval rule'),
  },
  {
    name: 'payroll-settings',
    role: 'admin',
    path: '/companies',
    modes: ['light', 'phone'],
    open: openCompany('Payroll settings'),
  },
  { name: 'employees', role: 'hr', path: '/employees', modes: ['light', 'phone'] },
  {
    name: 'employee',
    role: 'hr',
    path: '/employees',
    modes: ['dark', 'german'],
    async open({ page, t }) {
      await page.locator('tbody a').first().click();
      await page.getByRole('heading', { level: 2, name: t('Personal details') }).waitFor();
    },
  },
  { name: 'import', role: 'hr', path: '/imports', modes: ['light'], open: uploadSpreadsheet },
  { name: 'orders', role: 'hr', path: '/orders', modes: ['light'] },
  { name: 'order', role: 'hr', path: '/orders', modes: ['light', 'dark', 'german', 'phone'], open: openRow },
  { name: 'incidents', role: 'hr', path: '/incidents?all=true', modes: ['german'] },
  { name: 'incident', role: 'hr', path: '/incidents', modes: ['light', 'phone'], open: openRow },
  { name: 'report', role: 'hr', path: '/incidents/new', modes: ['german'] },
  { name: 'payroll', role: 'hr', path: '/payroll', modes: everyMode, open: ofMusterwerk },
  {
    name: 'company',
    role: 'hr',
    path: '/companies',
    modes: ['light'],
    async open(visit) {
      await openNamed('Musterwerk GmbH')(visit);
      await visit.page.getByRole('treeitem', { name: 'Technik' }).click();
    },
  },
];

/** A page of a user who is signed in, in the language of the mode. */
async function pageOf(browser: Browser, mode: Mode, role: Role): Promise<Page> {
  const { language, ...options } = modes[mode];
  const locale = language === 'de' ? 'de-DE' : 'en-GB';
  const context = await browser.newContext({ ...options, locale, reducedMotion: 'reduce' });
  const cookie = { name: 'kontor-language', value: language, path: '/portal' };
  await context.addCookies([{ ...cookie, domain: new URL(portalUrl).hostname }]);
  const page = await context.newPage();
  const { email, password } = users.find(user => user.email.startsWith(`${role}@`))!;
  await page.goto(`${portalUrl}/sign-in`);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('banner').waitFor();
  return page;
}

async function take(page: Page, mode: Mode, { name, path, open }: Picture): Promise<void> {
  const t = (message: string) => (modes[mode].language === 'de' ? german[message]! : message);
  await page.goto(portalUrl + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await open?.({ page, t });
  const pending = page.locator('[role=progressbar][aria-label], .mantine-Skeleton-root:visible');
  await pending.first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready');
  await page.screenshot({ path: fileURLToPath(new URL(`${name}-${mode}.png`, folder)) });
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
for (const mode of Object.keys(modes) as Mode[])
  for (const role of ['admin', 'hr'] as const) {
    const page = await pageOf(browser, mode, role);
    for (const picture of pictures)
      if (picture.role === role && picture.modes.includes(mode)) await take(page, mode, picture);
    await page.context().close();
  }
await browser.close();
