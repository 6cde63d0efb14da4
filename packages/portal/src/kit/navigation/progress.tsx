import { useLingui } from '@lingui/react/macro';
import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import styles from './progress.module.css';

/** A bar at the top while the next page, or the first data of this one, is loaded. */
export function NavigationProgress() {
  const { t } = useLingui();
  const isLoading = useRouterState({ select: state => state.isLoading });
  const fetching = useIsFetching({
    predicate: query => query.isActive() && query.state.dataUpdateCount + query.state.errorUpdateCount === 0,
  });
  const isBusy = isLoading || fetching > 0;
  // It belongs to no part of the page; what is live may stand outside of them.
  return (
    <div aria-live="polite">
      {isBusy && <div className={styles.progress} role="progressbar" aria-label={t`Loading`} />}
    </div>
  );
}
