/**
 * `node bench/portal.ts`: the pages of the portal in Chromium (Debian: apt-get install chromium), on a demo that is built for it and removed again.
 * Reports when the first list is usable on a processor that is four times as slow, and the cost of an open page without activity.
 * Reports also how long a page takes to answer the user (INP), in an organization with 10,000 divisions and 100,000 employees more.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { openDatabase } from '../packages/server/src/db/connect.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { type Announced, describeMachine, startKontor } from './fresh-service.ts';
import { startPlainBrowser } from './plain-browser.ts';
import { populateLarge } from './portal-population.ts';
import { recordFirstRow, recordInteractions, stories } from './portal-stories.ts';
import { processTreeOf, readCoreTime } from './processes.ts';

const { values: options } = parseArgs({
  options: {
    divisions: { type: 'string', default: '10000' },
    employees: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: 'list,rest,interactions' },
  },
});
const rounds = Number(options.rounds);
const program = '/usr/bin/chromium';

/** The further fields that a demo announces. */
interface Users {
  readonly portalUrl: string;
  readonly users: readonly { email: string; password: string }[];
}

type Demo = Announced & Users;

const folder = await mkdtemp(join(tmpdir(), 'kontor-portal-'));
const dataDirectory = join(folder, 'data');
const browser = await chromium.launch({
  executablePath: program,
  args: ['--no-sandbox', '--disable-gpu'],
});
let demo: Demo | undefined;
try {
  const small = await start();
  console.log(`${describeMachine()}, Chromium ${browser.version()}`);
  const wanted = options.only.split(',');
  if (wanted.includes('list')) await reportFirstList(browser, small);
  if (wanted.includes('rest')) await reportRest(browser, small);
  if (wanted.includes('interactions')) {
    await small.stop();
    await grow();
    const large = await start();
    for (const slowdown of [1, 4]) await reportInteractions(browser, large, slowdown);
  }
  console.log(`load at the end ${loadavg()[0]!.toFixed(1)}`);
} finally {
  await demo?.stop();
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

async function start(): Promise<Demo> {
  const environment = { KONTOR_DATA_DIR: dataDirectory, PORT: '18300', MANAGEMENT_PORT: '18301' };
  return (demo = await startKontor<Users>(environment, ['demo']));
}

async function grow(): Promise<void> {
  const database = await openDatabase({ dataDirectory, owner: 'service', poolSize: 4 });
  try {
    const { divisions, employees } = options;
    const [organization] = await database.reads.rows<{ id: string }>(sql`SELECT id FROM organization`);
    await populateLarge(database.writes, organization!.id, {
      divisions: Number(divisions),
      employees: Number(employees),
    });
  } finally {
    await database.close();
  }
}

/** A browser of its own in which the administrator is signed in; `slowdown` is by how much its processor is slower. */
async function signIn(
  browser: Browser,
  { portalUrl, users }: Demo,
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en-GB' });
  await context.addCookies([
    { name: 'kontor-language', value: 'en', domain: new URL(portalUrl).hostname, path: '/portal' },
  ]);
  const page = await context.newPage();
  await page.goto(portalUrl);
  const { email, password } = users.at(-1)!;
  await page.getByLabel('Email').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'API keys' }).waitFor();
  return { page, context };
}

async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/**
 * Reports when the list of keys shows, as the first page of a visit: with an empty cache, and with the files of the last visit.
 * The floor beside it is the same page as finished HTML with its styles and without a script.
 */
async function reportFirstList(browser: Browser, demo: Demo): Promise<void> {
  const { page, context } = await signIn(browser, demo);
  const cookies = await context.cookies();
  const address = `${demo.portalUrl}/settings/api-keys`;
  await page.goto(address);
  await page.locator('tbody tr a').first().waitFor();
  const floor = await serveFinished(await page.content(), demo.portalUrl);
  await context.close();
  const times: Record<'fresh' | 'again' | 'floor', number[]> = { fresh: [], again: [], floor: [] };
  const plain = await startPlainBrowser(program);
  const measured = { script: recordFirstRow, expression: 'globalThis.firstRowAt', slowdown: 4 };
  for (let round = 0; round < rounds; round++) {
    const profile = await plain.openProfile(cookies);
    times.fresh.push(await profile.visit({ ...measured, address }));
    times.again.push(await profile.visit({ ...measured, address }));
    times.floor.push(await profile.visit({ ...measured, address: floor.address }));
    await profile.close();
  }
  await plain.close();
  floor.server.close();
  console.log(
    `first list usable, four times slower: ${spread(times.fresh)} with nothing kept, ${spread(times.again)} with the files kept; floor ${spread(times.floor)}`,
  );
}

/** A server of a page as it was, without its scripts; its styles come from where they came from. */
async function serveFinished(content: string, portal: string) {
  const body = content
    .replaceAll(/<script.*?<\/script>|<link rel="(modulepreload|preload)"[^>]*>/gs, '')
    .replaceAll('href="/portal/', `href="${portal}/`)
    .replaceAll(' crossorigin=""', '');
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function spread(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  return `${Math.round(sorted[Math.floor(sorted.length / 2)]!)} ms (${Math.round(sorted[0]!)} to ${Math.round(sorted.at(-1)!)})`;
}

/** The cost of a page that is open without activity: requests, bytes, and time of a core of the service with its database. */
async function reportRest(browser: Browser, demo: Demo): Promise<void> {
  const seconds = Number(options.seconds);
  const { page, context } = await signIn(browser, demo);
  for (const path of ['/settings/api-keys', '/companies', '']) {
    await page.goto(`${demo.portalUrl}${path}`);
    await page.waitForLoadState('networkidle');
    const service = processTreeOf(demo.pid);
    let bytes = 0;
    let requests = 0;
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      requests++;
      bytes += encodedDataLength;
    });
    const before = readCoreTime(service);
    await setTimeout(seconds * 1000);
    const used = readCoreTime(service) - before;
    await session.detach();
    const perMinute = (number: number) => Math.round((number * 60) / seconds);
    console.log(
      `at rest, ${path || '/'}: ${perMinute(requests)} requests, ${perMinute(bytes / 1000)} kB and ${perMinute(used)} ms of a core a minute`,
    );
  }
  const idle = processTreeOf(demo.pid);
  await context.close();
  const before = readCoreTime(idle);
  await setTimeout(seconds * 1000);
  console.log(
    `with no page open: ${Math.round(((readCoreTime(idle) - before) * 60) / seconds)} ms of a core a minute`,
  );
}

async function reportInteractions(browser: Browser, demo: Demo, slowdown: number): Promise<void> {
  const { page, context } = await signIn(browser, demo);
  await page.addInitScript(recordInteractions);
  await slowDown(page, slowdown);
  for (const [name, story] of Object.entries(stories)) {
    await story(page, demo.portalUrl);
    await page.waitForLoadState('networkidle');
    const taken = (await page.evaluate('[...interactions.values()]')) as number[];
    const worst = taken.length === 0 ? 'all under 16' : Math.max(...taken);
    console.log(`INP${slowdown > 1 ? `, ${slowdown} times slower` : ''}: ${name}: ${worst} ms`);
  }
  await context.close();
}
