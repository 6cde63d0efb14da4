import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** What the service has put into the page, so that it is not asked for once more: answers of the portal API, each by its query. */
export interface Known {
  readonly answers: readonly (readonly [QueryKey, unknown])[];
}

/** Takes over what the page came with. */
export function takeKnown(queryClient: QueryClient): void {
  const element = document.querySelector('#known');
  if (!element) return;
  const { answers } = JSON.parse(element.textContent) as Known;
  // Who signs in next in this tab finds nothing of it.
  element.remove();
  // A tab that nobody looks at begins its script when somebody does.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const updatedAt = performance.timeOrigin + (navigation?.responseEnd ?? performance.now());
  for (const [key, answer] of answers) queryClient.setQueryData(key, answer, { updatedAt });
}
