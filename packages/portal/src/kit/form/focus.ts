/** Gives the focus to the heading of the page, if it is nowhere: what had it is gone. */
export function rescueFocus(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true });
}

/** Caches what has the focus. Answers how to give it back when it was lost meanwhile, as by a button that cannot be pressed while it loads. */
export function keepFocus(): () => void {
  const had = document.activeElement;
  if (!(had instanceof HTMLElement) || had === document.body) return () => {};
  return () => {
    if (document.activeElement === document.body) had.focus({ preventScroll: true });
    rescueFocus();
  };
}
