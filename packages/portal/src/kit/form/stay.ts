import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { asksBeforeUnload } from '../../api/use.ts';

const always: ShouldBlockFn = () => true;

/** Keeps the page open while leaving it would lose something: links and the back button do nothing, and the browser asks before it closes. */
export function useStay(whileLost: boolean): void {
  useBlocker({ shouldBlockFn: always, enableBeforeUnload: asksBeforeUnload, disabled: !whileLost });
}
