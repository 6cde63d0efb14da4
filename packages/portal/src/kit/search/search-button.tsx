import type { PortalPermission } from '@kontor/contract';
import { Trans, useLingui } from '@lingui/react/macro';
import { Suspense, useEffect, useState } from 'react';
import { Icon } from '../icon.tsx';
import { lazyPage } from '../navigation/lazy-page.ts';
import header from '../navigation/header.module.css';
import styles from './search.module.css';

/** Only who searches loads it. */
const SearchDialog = lazyPage(() => import('./search-dialog.tsx'), 'SearchDialog');

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Opens the search over everything, as Ctrl-K or Cmd-K does. */
export function SearchButton({ permissions }: { permissions: readonly PortalPermission[] }) {
  const { t } = useLingui();
  const [opened, setOpened] = useState(false);
  const keys = isMac ? '⌘K' : t`Ctrl K`;
  useEffect(() => {
    const openByKeys = (event: KeyboardEvent) => {
      const isShortcut = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!isShortcut || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      // A dialog may hold what is shown once.
      if (document.querySelector('[aria-modal="true"]') === null) setOpened(true);
    };
    document.addEventListener('keydown', openByKeys);
    return () => document.removeEventListener('keydown', openByKeys);
  }, []);
  return (
    <>
      <button
        type="button"
        className={`${header.button} ${styles.button}`}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
        onPointerEnter={() => void SearchDialog.preload?.()}
      >
        <Icon name="search" />
        <span>
          <Trans>Search</Trans>
        </span>{' '}
        <kbd>{keys}</kbd>
      </button>
      {opened && (
        <Suspense>
          <SearchDialog permissions={permissions} close={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}
