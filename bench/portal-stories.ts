import type { Page } from 'playwright-core';
import { largeCompany } from './portal-population.ts';

/** Records in the page when the first row of a list has been painted, in milliseconds from the navigation on. */
export const recordFirstRow = `new MutationObserver((_, observer) => {
  if (!document.querySelector('tbody tr a')) return;
  observer.disconnect();
  requestAnimationFrame(() => setTimeout(() => { globalThis.firstRowAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

/** Keeps how long each interaction took until the next frame after it. */
export const recordInteractions = `globalThis.interactions = new Map();
new PerformanceObserver(list => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0));
}).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

/** Somebody's way through a page, with the keys and clicks that the browser measures. */
export const stories: Record<string, (page: Page, portal: string) => Promise<void>> = {
  async 'search, sort and filter the keys'(page, portal) {
    await page.goto(`${portal}/settings/api-keys`);
    await page
      .locator('#portal')
      .getByText(/^\d+ keys?$/)
      .waitFor();
    await page.getByRole('searchbox').pressSequentially('demo');
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('button', { name: /^Filter/ }).click();
    await page.getByRole('button', { name: 'More conditions' }).click();
    await page.getByLabel('Value for Name').pressSequentially('tech');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Filter (1)' }).waitFor();
  },
  async 'choose among 10,000 divisions for a key'(page, portal) {
    await page.goto(`${portal}/settings/api-keys/new`);
    await page.getByRole('checkbox', { name: largeCompany }).click();
    await page
      .getByRole('radiogroup', { name: `Divisions of ${largeCompany}` })
      .getByText('Some divisions')
      .click();
    const tree = page.getByRole('tree');
    await tree.waitFor({ timeout: 60_000 });
    await tree.focus();
    for (const key of [
      'ArrowRight',
      'ArrowDown',
      'ArrowRight',
      'ArrowDown',
      '*',
      'End',
      'Home',
      'PageDown',
      ' ',
    ])
      await page.keyboard.press(key);
    await page
      .getByRole('searchbox', { name: `Search the divisions of ${largeCompany}` })
      .pressSequentially('lung 09');
    await page.getByText(/divisions found/).waitFor();
    await tree.focus();
    for (const key of ['End', ' ', 'Home', ' ']) await page.keyboard.press(key);
    await page
      .getByRole('status')
      .getByText(/divisions/)
      .first()
      .waitFor();
  },
  async 'look at 10,000 divisions'(page, portal) {
    await page.goto(`${portal}/companies`);
    await page.getByRole('link', { name: largeCompany }).click();
    const tree = page.getByRole('tree');
    await tree.waitFor({ timeout: 60_000 });
    await page.getByRole('treeitem').nth(3).click();
    await tree.focus();
    for (const key of ['*', 'End', 'Enter', 'Home', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('searchbox').pressSequentially('0999');
    await page.getByText(/divisions found/).waitFor();
  },
};
