/** Milliseconds without a touch after which a page stops asking by itself, so that a session that nobody uses comes to its end. */
const timeout = 5 * 60_000;

let lastUse = Date.now();
const returned: (() => void)[] = [];
const record = () => {
  const wasAway = !wasUsedLately();
  lastUse = Date.now();
  if (wasAway) for (const notify of returned) notify();
};

/** Notices from now on whether somebody uses the page. */
export function watchUse(): void {
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'focus'])
    window.addEventListener(kind, record, { capture: true, passive: true });
}

/** Whether somebody has used the page in the last minutes. */
export function wasUsedLately(): boolean {
  return Date.now() - lastUse < timeout;
}

/** Tells when somebody uses the page again after a while. */
export function onReturn(notify: () => void): void {
  returned.push(notify);
}
