import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { noBrowser, openBrowser, visit } from './support.ts';

const fixture = usePortal();

/** What a trace of Chromium says. */
interface Event {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
}

/** Whether the one happens while the other does. */
const isWithin = (inner: Event, outer: Event) =>
  inner.pid === outer.pid &&
  inner.tid === outer.tid &&
  inner.ts >= outer.ts &&
  inner.ts <= outer.ts + outer.dur!;

test('a browser that is watched does not read a whole script again for where an error or a request was made', async t => {
  if (noBrowser) return t.skip(noBrowser);
  const browser = await openBrowser();
  const { secret } = await fixture.user();
  let events: Event[] = [];
  await visit(browser, fixture.service.url, { secret }, async page => {
    await browser.startTracing(page, { categories: ['v8', 'disabled-by-default-v8.compile'] });
    await page.goto('/portal/settings/api-keys');
    await page.locator('.page').waitFor();
    ({ traceEvents: events } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: Event[] });
  });
  await browser.close();
  const named = (name: string) => events.filter(event => event.name === name);
  assert.ok(named('V8.ParseFunction').length > 0, 'the trace says what is read');
  const again = named('V8.ParseProgram').filter(read =>
    named('V8.CollectSourcePositions').some(search => isWithin(read, search)),
  );
  assert.equal(again.length, 0);
});
