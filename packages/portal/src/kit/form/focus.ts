/** Focuses the heading of the page if the focused element was removed. */
export function rescueFocus(): void {
  if (document.activeElement === document.body) document.querySelector('h1')?.focus({ preventScroll: true });
}

/** Returns a function that gives the focus back to the present element, if it was lost meanwhile: a button that loads is disabled. */
export function keepFocus(): () => void {
  const had = document.activeElement;
  if (!(had instanceof HTMLElement) || had === document.body) return () => {};
  return () => {
    if (document.activeElement === document.body) had.focus({ preventScroll: true });
    rescueFocus();
  };
}
