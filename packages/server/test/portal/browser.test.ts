import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { password, usePortal } from './support.ts';

const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
const executablePath = browsers.find(path => existsSync(path));

const fixture = usePortal();

describe(
  'the session of a browser, on plain HTTP of the machine itself',
  { skip: !executablePath && 'no Chromium found' },
  () => {
    let browser: Browser;
    before(async () => {
      const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
      browser = await chromium.launch({ executablePath: executablePath!, args });
    });
    after(() => browser?.close());

    /** Sends a request from a page, as its scripts do; returns the status, or the error of the browser. */
    const ask = (page: Page, address: string, method: string, body?: object): Promise<number | string> =>
      page.evaluate(
        async ([url, verb, text]) => {
          const headers = { 'content-type': 'application/json' };
          const options: RequestInit = { method: verb!, credentials: 'include' };
          const sent = text === '' ? options : { ...options, headers, body: text! };
          return fetch(url!, sent).then(
            ({ status }) => status,
            (error: Error) => error.name,
          );
        },
        [address, method, body ? JSON.stringify(body) : ''],
      );

    test('the cookie is kept, no script reads it, and a page of another origin can neither use nor end it', async () => {
      const { email } = await fixture.user();
      const session = `${fixture.service.url}/portal/api/session`;
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${fixture.service.url}/docs`);
      assert.equal(await ask(page, session, 'GET'), 401);
      assert.equal(await ask(page, session, 'POST', { email, password }), 200);
      assert.equal(await ask(page, session, 'GET'), 200);
      assert.equal(await page.evaluate('document.cookie'), '');
      const [cookie] = await context.cookies();
      assert.partialDeepStrictEqual(cookie, {
        name: '__Host-kontor',
        secure: true,
        httpOnly: true,
        sameSite: 'Strict',
      });

      const other = await context.newPage();
      await other.goto(fixture.service.managementUrl + '/livez');
      assert.equal(await ask(other, session, 'DELETE'), 'TypeError');
      await other.evaluate(
        url => fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' }),
        `${session}/confirmation`,
      );
      assert.equal(await ask(page, session, 'GET'), 200);
      assert.equal(await ask(page, session, 'DELETE'), 200);
      assert.equal(await ask(page, session, 'GET'), 401);
      await context.close();
    });
  },
);
