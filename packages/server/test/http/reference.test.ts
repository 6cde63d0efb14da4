import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { apis } from '@kontor/contract';
import { type Browser, chromium } from 'playwright-core';
import { registerReference } from '../../src/http/response/documentation.ts';
import { type StubService, stubService } from './stub-service.ts';

const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const executablePath = browsers.find(path => existsSync(path));

let service: StubService;
let origin: string;

before(async () => {
  service = await stubService({ pages: get => registerReference(get, apis.public) });
  ({ origin } = new URL(service.url));
});
after(() => service.close());

describe('the API reference', () => {
  test('forbids every other origin, and inline scripts', async () => {
    const response = await fetch(`${origin}/docs`);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; script-src 'self'; /);
    assert.match(policy, /connect-src 'self'/);
    assert.doesNotMatch(policy, /https?:|\*|unsafe-eval/);
    assert.doesNotMatch(await response.text(), /https?:\/\//);
  });

  test('serves its script, compressed or not', async () => {
    const [plain, compressed] = await Promise.all(
      ['identity', 'gzip'].map(coding =>
        fetch(`${origin}/docs/scalar.js`, { headers: { 'accept-encoding': coding } }),
      ),
    );
    assert.equal(plain!.headers.get('content-encoding'), null);
    assert.equal(compressed!.headers.get('content-encoding'), 'gzip');
    assert.equal(await plain!.text(), await compressed!.text());
  });
});

describe('the API reference in a browser', { skip: !executablePath && 'no Chromium found' }, () => {
  let browser: Browser;
  before(async () => {
    const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
    browser = await chromium.launch({ executablePath: executablePath!, args });
  });
  after(() => browser.close());

  test('shows every operation, has no request client, and loads nothing from elsewhere', async () => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    const requested: string[] = [];
    const complaints: string[] = [];
    page.on('request', request => requested.push(request.url()));
    page.on('pageerror', error => complaints.push(error.message));
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    await page.goto(`${origin}/docs`);
    const sidebar = page.getByRole('complementary').first();
    await sidebar.getByRole('link', { name: 'Health', exact: true }).waitFor();
    const closed = sidebar.getByRole('button', { name: /^Open Group - (?!Introduction|Models)/ });
    while ((await closed.count()) > 0) await closed.first().click();
    for (const { summary, method } of Object.values(apis.public.operations)) {
      await sidebar.getByRole('link', { name: `${summary!} HTTP Method: ${method}` }).click();
      await page.getByRole('heading', { name: summary!, exact: true }).waitFor();
    }
    assert.equal(await page.getByText(/test request|send request|ask ai/i).count(), 0);
    assert.equal(await page.locator('input[type=password]').count(), 0);
    const foreign = requested.filter(url => !url.startsWith(`${origin}/`) && !url.startsWith('data:'));
    assert.deepEqual(foreign, []);
    assert.deepEqual(complaints, []);
  });
});
