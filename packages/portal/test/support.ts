import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import { isLong } from '../../server/test/support/service/scale.ts';

const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const found = browsers.filter(path => existsSync(path));
const [executablePath] = found;

/** The headless shell has no back/forward cache. */
const wholeBrowser = found.find(path => !path.endsWith('-shell'));

/** Why tests with a browser are skipped; false: they are not. */
export const noBrowser = !executablePath && 'no Chromium found';

/** Builds the pages as they are in the sources now. A run of many files has done so before. */
function buildPages(): void {
  const build = fileURLToPath(new URL('../../../tools/build.ts', import.meta.url));
  execFileSync(process.execPath, [build, '--if-changed'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

let browser: Browser;

interface BrowserOptions {
  /** Tests of the back button need this cache, which Playwright turns off. */
  readonly backForwardCache?: boolean;
}

/** Opens a browser for the tests of a suite, with the pages built as they are in the sources now. */
export function useBrowser({ backForwardCache = false }: BrowserOptions = {}): void {
  before(async () => {
    if (process.env.KONTOR_TEST_PAGES === undefined) buildPages();
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    const ignoreDefaultArgs = backForwardCache ? ['--disable-back-forward-cache'] : [];
    const path = backForwardCache ? wholeBrowser! : executablePath!;
    browser = await chromium.launch({ executablePath: path, args, ignoreDefaultArgs });
  });
  after(() => browser?.close());
}

/** A suite of tests in the browser ({@link useBrowser}), which is skipped where there is none. */
export function inBrowser(name: string, tests: () => void, options?: BrowserOptions): void {
  describe(name, { skip: noBrowser }, () => {
    useBrowser(options);
    tests();
  });
}

/** The button of a name. */
export function button(page: Page, name: string | RegExp): Locator {
  return page.getByRole('button', { name, exact: true });
}

type Language = 'de' | 'en';

/** The languages that a story runs in: both in `npm run test:long`, else the given one. */
export function inLanguages(short: Language): readonly Language[] {
  return isLong ? ['en', 'de'] : [short];
}

interface Visit {
  readonly language?: Language;
  readonly appearance?: 'light' | 'dark';
  readonly width?: number;
  readonly timeZone?: string;
  /** The secret of a session; absent: no user is signed in. */
  readonly secret?: string;
  /** Console messages that the test itself causes. */
  readonly breaks?: RegExp;
}

/** A context of its own in the browser of the suite ({@link useBrowser}); at the end nothing may have been rejected by the policy of the page, and no script have failed. */
export async function visit(
  origin: string,
  { language = 'en', appearance = 'light', width = 1280, timeZone = 'UTC', secret, breaks }: Visit,
  act: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width, height: 860 },
    colorScheme: appearance,
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    baseURL: origin,
    timezoneId: timeZone,
    reducedMotion: 'reduce',
  });
  await context.addCookies([
    { name: 'kontor-language', value: language, domain: new URL(origin).hostname, path: '/portal' },
  ]);
  if (secret !== undefined) {
    const cookie = { name: '__Host-kontor', value: secret, url: origin.replace('http:', 'https:') };
    await context.addCookies([{ ...cookie, secure: true, httpOnly: true, sameSite: 'Strict' }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    // A rejection of the API is no failure of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  try {
    await act(page, context);
    assert.deepEqual(
      complaints.filter(text => !breaks?.test(text)),
      [],
    );
  } finally {
    // A request that is held or fetched for the page ends with it, and its failure then is none.
    for (const each of context.pages()) await each.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }
}

/** Goes on with the tabulator until something has the focus, as who has no mouse does. */
export async function reach(page: Page, target: Locator): Promise<void> {
  // The keyboard does not come to a button that accepts nothing yet. A control that its label renders,
  // such as a radio of a group of buttons, is not visible itself.
  await target.and(page.locator(':not(:disabled, [aria-disabled=true])')).waitFor({ state: 'attached' });
  for (let step = 0; step < 100; step++) {
    if (await target.evaluate(element => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not come to ${target.toString()}`);
}

/** Presses a key on something that the keyboard has come to. */
export async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await reach(page, target);
  await page.keyboard.press(key);
}

/** Types into a field that the keyboard has come to. */
export async function type(page: Page, target: Locator, text: string): Promise<void> {
  await reach(page, target);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

/** What is held back between the page and the service, until it is let go. */
export async function holdBack(page: Page, address: string) {
  const arrived = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  await page.route(address, async route => {
    arrived.resolve();
    await letGo.promise;
    await route.continue();
  });
  return { arrived: arrived.promise, letGo: letGo.resolve };
}

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Each page that is loaded has to parse this: minified it is half as long as the `source` of the package. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** WCAG 2.2 AA and good practice, by the tags of axe. */
const everyRule = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules of axe that another color scheme can break. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds against the rules, which are given by tags or by names. */
async function findings(page: Page, rules: readonly string[]): Promise<string[]> {
  // Half faded in, an element has too little contrast, but only for a moment.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))',
  );
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // A dialog or menu may cover a part of a button behind it, which cannot be pressed meanwhile.
  const violations = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'], preload: false }).then(({ violations }) => {
      const dialog = document.querySelector('[aria-modal], [popover=auto]:popover-open');
      const isBehind = ({ target: [selector] }) => dialog && !dialog.contains(document.querySelector(selector));
      return violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.filter(node => id !== 'target-size' || !isBehind(node)),
      }));
    })`,
  )) as Finding[];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** The findings of axe against WCAG 2.2 AA and good practice. */
export const axeFindings = (page: Page): Promise<string[]> => findings(page, everyRule);

/** No finding of axe in light, in dark and on a phone of 320 pixels. */
export async function assertAccessible(page: Page, name = 'the page'): Promise<void> {
  // Each page has a heading, which is there when it is loaded.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  const size = page.viewportSize()!;
  await assertNoFindings(page, name);
  await page.setViewportSize({ width: 320, height: 700 });
  assert.deepEqual(await findings(page, everyRule), [], `${name}, narrow`);
  await assertReflows(page, name);
  await page.setViewportSize(size);
}

/** No finding of axe in light and in dark. */
export async function assertNoFindings(page: Page, name = 'the page'): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    const rules = colorScheme === 'light' ? everyRule : colorRules;
    assert.deepEqual(await findings(page, rules), [], `${name}, ${colorScheme}`);
  }
}

/** At 320 pixels nothing is wider than the screen (WCAG 2.2, 1.4.10), and nothing covers what has the focus. */
export async function assertReflows(page: Page, name = 'the page'): Promise<void> {
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, `${name}: too wide`);
  assert.deepEqual(await hiddenFocus(page), [], `${name}: the focus is behind something`);
}

/** Elements that are wholly covered while they have the focus (WCAG 2.2, 2.4.11), on the way back from the end to the beginning. */
async function hiddenFocus(page: Page): Promise<string[]> {
  await page.evaluate(
    "[...document.querySelectorAll('a[href], button, input, select, textarea')].findLast(element => element.checkVisibility() && !element.disabled && !element.closest('[aria-hidden]')).focus()",
  );
  const hidden: string[] = [];
  const seen = new Set<string>();
  for (;;) {
    const found = (await page.evaluate(`(() => {
      const element = document.activeElement;
      if (element === document.body) return null;
      // A field may be rendered by the label beside it.
      const { width, height } = element.getBoundingClientRect();
      const drawn = width * height > 4 || !element.labels?.length ? element : element.labels[0];
      const { left, top, right, bottom } = drawn.getBoundingClientRect();
      const shows = [0.1, 0.5, 0.9].some(x => [0.1, 0.5, 0.9].some(y => {
        const hit = document.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
        return hit !== null && (drawn.contains(hit) || hit.contains(drawn));
      }));
      element.dataset.place ??= String(document.querySelectorAll('[data-place]').length);
      return { place: element.dataset.place, html: element.outerHTML.slice(0, 200), shows };
    })()`)) as { place: string; html: string; shows: boolean } | null;
    if (found === null || seen.has(found.place)) break;
    seen.add(found.place);
    if (!found.shows) hidden.push(found.html);
    await page.keyboard.press('Shift+Tab');
  }
  assert.ok(seen.size > 0, 'the keyboard comes to something');
  return hidden;
}
