import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';

/** The items that the address names while a panel shows them. */
type Item = 'order' | 'incident' | 'employee';

/** The state of the history for a link that opens a panel over the present page. */
export const panelState = <State extends object>(state: State) => ({ ...state, isPanel: true as const });

/**
 * Opens an item in a panel over its page, and closes it (undefined). The address has it, so the back button leads to the page. A panel that
 * was opened there is closed the same way: otherwise the history would have the page twice.
 */
export function useOpenPanel(item: Item): (id: string | undefined) => void {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOpen = useSearch({ strict: false, select: search => search[item] !== undefined });
  const isLeaving = useRef(false);
  return id => {
    if (isOpen && id === undefined && history.location.state.isPanel) {
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
      state: isOpen || panelState,
      replace: isOpen,
      resetScroll: false,
    });
  };
}
