// npm run pictures: takes the pictures of the guides (docs/portal) again, in English and German, from a fresh demo that it starts. Names as
// arguments take only those. It needs Chromium, and fonts for the scripts of the names.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';

interface Demo {
  readonly portalUrl: string;
  readonly users: readonly { email: string; password: string }[];
}

const repository = path.join(import.meta.dirname, '../../..');
const folder = path.join(repository, 'docs/portal');

const german = JSON.parse(
  await readFile(path.join(import.meta.dirname, '../src/locales/de.json'), 'utf8'),
) as Record<string, string>;

const languages = ['en', 'de'] as const;
type Language = (typeof languages)[number];
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
  readonly open?: (visit: Visit) => Promise<unknown>;
}

/** Presses the first element with these words. */
const press =
  (role: 'button' | 'link', message: string) =>
  ({ page, t }: Visit) =>
    page
      .getByRole('main')
      .getByRole(role, { name: t(message), exact: true })
      .first()
      .click();

/** Brings a part of the page to the top of the picture. */
const scrollTo =
  (message: string, content = '') =>
  async ({ page, t }: Visit) => {
    const part = page.locator('section').filter({ hasText: content });
    const heading = part.getByRole('heading', { name: t(message), exact: true }).first();
    await heading.evaluate(element => element.scrollIntoView());
    // The header of the frame covers the top.
    await page.mouse.wheel(0, -90);
  };

/** Opens the first row of a list in its panel. */
const openRow = async ({ page, t }: Visit) => {
  await page.locator('tbody a').first().click();
  await page.getByRole('dialog').getByText(t('Person'), { exact: true }).waitFor();
};

/** Opens an order whose buttons accept a click, which they do after a second. */
const openOrder = async (visit: Visit) => {
  const { page, t } = visit;
  await openRow(visit);
  await page
    .locator('button:enabled')
    .filter({ hasText: t('Approve') })
    .waitFor();
};

/** Opens a person with a running bike. */
const openPerson = async ({ page, t }: Visit) => {
  await page.getByRole('searchbox').fill('10041');
  await page.getByRole('row').filter({ hasText: '10041' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 2, name: t('Personal details') }).waitFor();
};

const openNamed =
  (name: string, ...then: readonly ((visit: Visit) => Promise<unknown>)[]) =>
  async (visit: Visit) => {
    const main = visit.page.getByRole('main');
    await main.getByRole('link', { name, exact: true }).first().click();
    await visit.page.getByRole('heading', { level: 1, name }).waitFor();
    for (const act of then) await act(visit);
  };

/** Opens the month of payroll that the demo has checked. */
const openMonth =
  (...then: readonly ((visit: Visit) => Promise<unknown>)[]) =>
  async (visit: Visit) => {
    const main = visit.page.getByRole('main');
    await main.getByRole('link', { name: company, exact: true }).click();
    await main.getByRole('table').first().waitFor();
    for (const act of then) await act(visit);
  };

/** Opens the reasons of the amounts of the first person. */
const explain = async ({ page, t }: Visit) => {
  const main = page.getByRole('main');
  await main.getByRole('button', { name: t('Salary conversion') }).click();
  await main.locator('a[href*="employee="]').first().click();
  await page.getByRole('dialog').getByRole('heading').first().waitFor();
};

/** Opens the month before, which is released and has files. */
const openReleased = async (visit: Visit) => {
  await visit.page.getByRole('main').locator('a[href*="month="]').first().click();
  await scrollTo('Files for the payroll system', '.csv')(visit);
};

/** Begins a departure on the incident that reports a termination. */
const recordDeparture = async ({ page, t }: Visit) => {
  await page
    .getByRole('row')
    .filter({ hasText: t('Termination') })
    .getByRole('link')
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: t('Record a departure') })
    .click();
  await page.getByLabel(t('Last day at the company')).first().waitFor();
};

const reportTheft = async ({ page, t }: Visit) => {
  await page.getByLabel(t('Person')).first().fill('10041');
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.getByLabel(t('Kind of incident')).selectOption('theft');
};

const chooseScope = async ({ page, t }: Visit) => {
  await page.locator('form input').first().fill('Musterwerk Payroll');
  await page.getByLabel(company).check();
  await page.getByText(t('Some divisions')).click();
  await page.getByRole('treeitem', { name: 'Technik' }).click();
};

/** What an HR clerk exports from a spreadsheet: a person moves, one is new, and one has no valid email. */
const spreadsheet = [
  'Personalnummer;E-Mail;Vorname;Nachname;Ort',
  '10001;;;;Augsburg',
  '90001;jana.neumann@musterwerk.example;Jana;Neumann;München',
  '90002;keine;Tim;Sommer;München',
].join('\r\n');

const upload = async (visit: Visit) => {
  const { page, t } = visit;
  const main = page.getByRole('main');
  await main.getByRole('link', { name: company, exact: true }).click();
  const button = main.getByRole('button', { name: t('Choose a file'), exact: true });
  // The import of the picture in the other language is open: it is shown again.
  const open = main.getByRole('link', { name: t('Continue this import'), exact: true });
  await button.or(open).first().waitFor();
  if (await open.isVisible()) await open.click();
  else {
    const chooser = page.waitForEvent('filechooser'); // cspell:disable-line
    await button.click();
    const buffer = Buffer.from(spreadsheet);
    await (await chooser).setFiles({ name: 'Personal November.csv', mimeType: 'text/csv', buffer });
    await press('button', 'Check the file')(visit);
  }
  await main.getByRole('button', { name: t('Import'), exact: true }).waitFor();
};

const company = 'Musterwerk GmbH';
const keys = '/settings/api-keys';

/** Few, and each shows something that no other one does. */
const pictures: readonly Picture[] = [
  { name: 'home', role: 'hr', path: '' },
  { name: 'order', role: 'hr', path: '/orders', open: openOrder },
  { name: 'employee', role: 'hr', path: '/employees', open: openPerson },
  { name: 'departure', role: 'hr', path: '/incidents?all=true', open: recordDeparture },
  { name: 'report', role: 'hr', path: '/incidents/new', open: reportTheft },
  { name: 'incident', role: 'hr', path: '/incidents', open: openRow },
  { name: 'import', role: 'hr', path: '/imports', open: upload },
  { name: 'payroll', role: 'hr', path: '/payroll', open: openMonth() },
  { name: 'payroll-person', role: 'hr', path: '/payroll', open: openMonth(explain) },
  { name: 'payroll-files', role: 'hr', path: '/payroll', open: openMonth(openReleased) },
  { name: 'users', role: 'admin', path: '/settings/users' },
  { name: 'invite', role: 'admin', path: '/settings/users/new' },
  {
    name: 'approval',
    role: 'admin',
    path: '/companies',
    open: openNamed(company, press('link', 'Approval rule')),
  },
  {
    name: 'payroll-settings',
    role: 'admin',
    path: '/companies',
    open: openNamed(company, press('link', 'Payroll settings'), scrollTo('Kinds of amounts')),
  },
  { name: 'settings', role: 'admin', path: '/settings/organization' },
  { name: 'audit', role: 'admin', path: '/settings/audit' },
  { name: 'keys', role: 'admin', path: keys },
  { name: 'key', role: 'admin', path: keys, open: openNamed('DATEV Lohn') },
  { name: 'new-key', role: 'admin', path: `${keys}/new`, open: chooseScope },
];

/** Starts a demo with data of its own, and returns what it announces. */
async function startDemo(data: string): Promise<{ demo: Demo; program: ChildProcess }> {
  const ownPlace = ['--data-dir', data, '--port', '0', '--management-port', '0'];
  const args = ['demo', '--json', '--log-level', 'error', ...ownPlace];
  const program = spawn(process.execPath, ['packages/server/bin/kontor.js', ...args], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: program.stdout }))
    return { demo: JSON.parse(line) as Demo, program };
  throw new Error('the demo ended');
}

/** A page of a user who is signed in, in a language. */
async function signIn(browser: Browser, { portalUrl, users }: Demo, language: Language, role: Role) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    reducedMotion: 'reduce',
  });
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

async function take(page: Page, address: string, language: Language, { name, open }: Picture): Promise<void> {
  const t = (message: string) => (language === 'de' ? german[message]! : message);
  await page.goto(address);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await open?.({ page, t });
  const pending = page.locator('[role=progressbar][aria-label], .mantine-Skeleton-root:visible');
  await pending.first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  await page.evaluate('document.fonts.ready');
  // WebP takes half of the bytes of PNG, and Playwright does not offer it.
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  const file = path.join(folder, `${name}${language === 'de' ? '-de' : ''}.webp`);
  await writeFile(file, Buffer.from(data, 'base64'));
}

/** Takes the pictures of a language and role; returns the names of those that failed. */
async function takeAll(browser: Browser, demo: Demo, language: Language, role: Role): Promise<string[]> {
  const page = await signIn(browser, demo, language, role);
  const failed: string[] = [];
  for (const picture of pictures.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
    if (picture.role !== role) continue;
    try {
      await take(page, demo.portalUrl + picture.path, language, picture);
    } catch (error) {
      console.error(`${picture.name} (${language}):`, (error as Error).message);
      failed.push(`${picture.name} (${language})`);
    }
  }
  await page.context().close();
  return failed;
}

const chosen = process.argv.slice(2);
const data = await mkdtemp(path.join(tmpdir(), 'kontor-pictures-'));
const { demo, program } = await startDemo(data);
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await mkdir(folder, { recursive: true });
  const failed: string[] = [];
  for (const language of languages)
    for (const role of ['hr', 'admin'] as const)
      failed.push(...(await takeAll(browser, demo, language, role)));
  const files = await readdir(folder);
  console.log(`docs/portal has ${files.length} files`, ...(failed.length > 0 ? ['failed:', failed] : []));
  if (failed.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  program.kill('SIGINT');
  await once(program, 'exit');
  await rm(data, { recursive: true, force: true });
}
