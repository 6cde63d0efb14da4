/** Milliseconds without input after which a page sends no more background requests, so that an unused session ends. */
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

let isReloading = false;

/** Loads the page again, without asking about what was typed into it: it may be that of another user. */
export function reloadPage(): void {
  isReloading = true;
  window.location.reload();
}

/** Whether the browser asks before it leaves a page with unsaved changes. */
export function asksBeforeUnload(): boolean {
  return !isReloading;
}

/** Calls back when the page is used again after a pause. */
export function onReturn(notify: () => void): void {
  returned.push(notify);
}
