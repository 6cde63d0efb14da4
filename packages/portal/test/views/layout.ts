import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** At 1100 pixels a list is the narrowest table; below that it is cards. */
const widths = [1920, 1280, 1100, 1024, 320];

/** Elements that leave the viewport sideways, dialogs that leave it at all, controls that are cut off, and words that are broken although a line has room for them. On a wide screen, no placeholder is cut off. */
const faults = `(() => {
  const isClipped = element => {
    for (let parent = element.parentElement; parent; parent = parent.parentElement)
      if (getComputedStyle(parent).overflowX !== 'visible') return parent !== document.documentElement && parent !== document.body;
    return false;
  };
  const outside = [...document.body.querySelectorAll('*')].filter(element => {
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width < 2 || height < 2 || !element.checkVisibility({ visibilityProperty: true }) || isClipped(element)) return false;
    return left < -0.5 || right > innerWidth + 0.5;
  });
  const dialogs = [...document.querySelectorAll('[role=dialog]')].filter(element => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return height > 0 && (top < -0.5 || bottom > innerHeight + 0.5);
  });
  const broken = [];
  const texts = document.createTreeWalker(document.querySelector('#portal'), NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); ) {
    if (!text.parentElement.checkVisibility() || text.parentElement.closest('.mono, [data-breaks]')) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\d]{2,20}/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  const scrolls = [...document.querySelectorAll('main *, [aria-modal], [aria-modal] *')].filter(
    element => element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll'].includes(getComputedStyle(element).overflowX),
  );
  const cut = [...document.querySelectorAll('a[href], button, input, select, textarea')].filter(element => {
    const { left, right, width } = element.getBoundingClientRect();
    if (width < 2 || !element.checkVisibility({ visibilityProperty: true }) || element.closest('[aria-hidden]')) return false;
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      const edge = parent.getBoundingClientRect();
      if (getComputedStyle(parent).overflowX !== 'visible' && (left < edge.left - 1 || right > edge.right + 1)) return true;
    }
    return false;
  });
  const context = document.createElement('canvas').getContext('2d');
  const placeholders = [...document.querySelectorAll('main input[placeholder]')].flatMap(element => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(element);
    context.font = font;
    const isCut = context.measureText(element.placeholder).width > element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return innerWidth >= 1280 && element.checkVisibility() && isCut ? [element.placeholder] : [];
  });
  const html = elements => elements.map(({ outerHTML }) => outerHTML.slice(0, 160));
  return { outside: html([...outside, ...dialogs]), broken, scrolls: html(scrolls), cut: html(cut), placeholders };
})()`;

/** From 1920 to 320 pixels nothing leaves the viewport or is wider than its dialog, and no word is broken. The page stays at 320 pixels. */
export async function assertFits(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 });
    const found = await page.evaluate(faults);
    assert.deepEqual(
      found,
      { outside: [], broken: [], scrolls: [], cut: [], placeholders: [] },
      `at ${width} pixels`,
    );
  }
}
