import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { asksBeforeUnload } from '../../api/use.ts';

const always: ShouldBlockFn = () => true;

/** Has the page not be left, neither by a link nor by the way back, while something would be lost with it. The browser asks before it is closed. */
export function useStay(whileLost: boolean): void {
  useBlocker({ shouldBlockFn: always, enableBeforeUnload: asksBeforeUnload, disabled: !whileLost });
}
