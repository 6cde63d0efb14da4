/** Milliseconds without a touch after which a page stops asking by itself, so that an unused session ends. */
const timeout = 5 * 60_000;

let lastUse = Date.now();
const returned: (() => void)[] = [];
const record = () => {
  const wasAway = !wasUsedLately();
  lastUse = Date.now();
  if (wasAway) for (const notify of returned) notify();
};

/** Watches from here on whether the page is used. */
export function watchUse(): void {
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'focus'])
    window.addEventListener(kind, record, { capture: true, passive: true });
}

/** Whether the page was used in the last minutes. */
export function wasUsedLately(): boolean {
  return Date.now() - lastUse < timeout;
}

/** Calls back when the page is used again after a pause. */
export function onReturn(notify: () => void): void {
  returned.push(notify);
}
