import { useBlocker } from '@tanstack/react-router';

/** Has the page not be left, neither by a link nor by the way back, while something would be lost with it. The browser asks before it is closed. */
export function useStay(whileLost: boolean): void {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true, disabled: !whileLost });
}

/** Keeps what was typed into a form when the session ends: the page does not leave for the sign-in, so that it can be sent after one in another tab. */
export function useDraft(isTyped = true): void {
  useBlocker({
    shouldBlockFn: ({ next }) => next.routeId === '/sign-in',
    enableBeforeUnload: false,
    disabled: !isTyped,
  });
}
