import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { usePortal } from '../../server/test/portal/support.ts';
import { noBrowser, useBrowser, visit } from './support.ts';

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

describe('a browser that is watched', { skip: noBrowser }, () => {
  useBrowser();

  test('does not read a whole script again for where an error or a request was made', async () => {
    const { secret } = await fixture.user();
    let events: Event[] = [];
    await visit(fixture.service.url, { secret }, async page => {
      const browser = page.context().browser()!;
      await browser.startTracing(page, { categories: ['v8', 'disabled-by-default-v8.compile'] });
      await page.goto('/portal/settings/api-keys');
      await page.locator('.page').waitFor();
      ({ traceEvents: events } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: Event[] });
    });
    const named = (name: string) => events.filter(event => event.name === name);
    assert.ok(named('V8.ParseFunction').length > 0, 'the trace says what is read');
    const again = named('V8.ParseProgram').filter(read =>
      named('V8.CollectSourcePositions').some(search => isWithin(read, search)),
    );
    assert.equal(again.length, 0);
  });
});
