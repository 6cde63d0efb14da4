import { type RefObject, useEffect, useRef } from 'react';

/** How the open dialogs and panels are closed, the topmost last; undefined: only what is in it closes it. */
const overlays: RefObject<(() => void) | undefined>[] = [];

window.addEventListener(
  'keydown',
  event => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // An open list of choices closes first. Mantine marks the field that it belongs to.
    const { target } = event;
    if (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true') return;
    overlays.at(-1)?.current?.();
  },
  { capture: true },
);

/** Has Escape close a dialog or panel when it is the topmost one. Mantine would close all at once. */
export function useEscape(opened: boolean, close: (() => void) | undefined): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!opened) return;
    overlays.push(latest);
    return () => void overlays.splice(overlays.indexOf(latest), 1);
  }, [opened]);
}
