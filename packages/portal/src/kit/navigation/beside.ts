import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';

/** What the address names while it is shown in a panel beside its page. */
type Item = 'order' | 'incident' | 'employee';

/** The state of the history for a link that opens a panel beside the present page. */
export const besidePage = <State extends object>(state: State) => ({ ...state, isBeside: true as const });

/**
 * Opens an item beside its page, and closes it (undefined). The address has it, so the back button leads to the page. A panel that was opened
 * there is closed the same way: otherwise the history would have the page twice.
 */
export function useOpenBeside(item: Item): (id: string | undefined) => void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOpen = useSearch({ strict: false, select: search => search[item] !== undefined });
  const isLeaving = useRef(false);
  return id => {
    if (isOpen && id === undefined && history.location.state.isBeside) {
      // The browser goes back later. A second Escape until then must not leave the page.
      if (isLeaving.current) return;
      isLeaving.current = true;
      window.addEventListener('popstate', () => (isLeaving.current = false), { once: true });
      history.back();
      return;
    }
    void navigate({
      to: '.',
      search: before => ({ ...before, [item]: id }),
      state: isOpen || besidePage,
      replace: isOpen,
      resetScroll: false,
    });
  };
}
