import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

interface Props {
  /** Names the tabs for screen readers. */
  readonly label: string;
  /** The first one is shown without a tab in the address. */
  readonly tabs: readonly { readonly id: string; readonly name: ReactNode }[];
  readonly shown: string;
}

/** The parts of a page. Unlike Mantine's tabs, they are links to `?tab=` of the page itself, so each has an address, and the back button leads to the one before. */
export function Tabs({ label, tabs, shown }: Props) {
  const [first] = tabs;
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ id, name }) => (
        <Link
          key={id}
          to="."
          search={previous => ({ ...previous, tab: id === first!.id ? undefined : id, page: undefined })}
          resetScroll={false}
          // Otherwise the link without a tab is that of each page.
          activeOptions={{ explicitUndefined: true }}
          aria-current={id === shown ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Reads the tab of an address. An unknown one is left out, so the first is shown. */
export function parseTab(ids: readonly string[]) {
  return ({ tab }: Record<string, unknown>): { tab?: string | undefined } => ({
    tab: ids.find(id => id === tab),
  });
}
