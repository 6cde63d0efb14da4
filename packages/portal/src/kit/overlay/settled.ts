import { useEffect, useState } from 'react';

/** The keys and pointers that are pressed. */
const pressed = new Set<string>();

const press = ({ code }: KeyboardEvent) => pressed.add(code);
const release = ({ code }: KeyboardEvent) => pressed.delete(code);
const pointer = ({ pointerId }: PointerEvent) => `pointer ${pointerId}`;
const options = { capture: true };
window.addEventListener('keydown', press, options);
window.addEventListener('keyup', release, options);
window.addEventListener('pointerdown', event => pressed.add(pointer(event)), options);
window.addEventListener('pointerup', event => pressed.delete(pointer(event)), options);
window.addEventListener('pointercancel', event => pressed.delete(pointer(event)), options);
window.addEventListener('blur', () => pressed.clear());

/** Milliseconds: twice the usual time between the clicks of a double click. */
const settlingTime = 1000;

/**
 * Whether buttons that an action brought under the pointer, or under the focus, accept a click. They do so a second after they appeared, once
 * every key and pointer was released: a second click, or a key that is held, was meant for what stood there before.
 */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const settle = () => {
      if (pressed.size > 0 || leaving.signal.aborted) return;
      leaving.abort();
      setSettled(true);
    };
    // The click of a released button comes after its `pointerup`, in the same task.
    const settleLater = () => setTimeout(settle);
    const timer = setTimeout(() => {
      settle();
      for (const event of ['keyup', 'pointerup', 'pointercancel', 'blur'])
        window.addEventListener(event, settleLater, { signal: leaving.signal });
    }, settlingTime);
    leaving.signal.addEventListener('abort', () => clearTimeout(timer));
    return () => leaving.abort();
  }, []);
  return isSettled;
}
