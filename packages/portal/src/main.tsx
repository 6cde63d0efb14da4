import '@mantine/core/styles.css';
import './styles.css';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { identityQuery, queryClient } from './api/queries.ts';
import { reloadPage, watchUse } from './api/use.ts';
import { loadEarlyMessages, preferredLanguage, speak } from './i18n.ts';
import { Portal } from './portal.tsx';
import { loadEarly, router } from './router.tsx';

/** The nonce of this page, which style elements need; the dialogs of the library look for it where Webpack has it. */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** Milliseconds that the first page waits for its list; then it shows where the list will be. */
const timeout = 200;

/** Draws the first page in one go: not an empty one first, then one without its list, and then the whole. */
async function start(): Promise<void> {
  watchUse();
  reloadOnReturn();
  printInLight();
  // The router follows the back button only from its first picture on.
  const stopFollowing = router.history.subscribe(() => void router.load());
  const early = loadEarly();
  loadEarlyMessages();
  // A failure is shown by the page.
  const identity = await queryClient.ensureQueryData(identityQuery).catch(() => null);
  await speak(preferredLanguage(identity?.user.language));
  const waited = new Promise(resolve => setTimeout(resolve, timeout));
  await Promise.all([router.load(), Promise.race([early, waited])]);
  const root = createRoot(document.querySelector('#portal')!);
  flushSync(() => root.render(<Portal router={router} queryClient={queryClient} nonce={nonce} />));
  stopFollowing();
}

/**
 * Loads the page again when the browser restores it from its memory (back/forward cache): meanwhile the session may have ended. It is hidden
 * when it is left, so that nothing of it is visible until then.
 */
function reloadOnReturn(): void {
  window.addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true;
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reloadPage();
  });
}

/** Paper is white: prints a dark page in the light colours. */
function printInLight(): void {
  const { dataset } = document.documentElement;
  let shown: string | undefined;
  matchMedia('print').addEventListener('change', ({ matches }) => {
    if (matches) shown = dataset.mantineColorScheme;
    dataset.mantineColorScheme = matches ? 'light' : shown;
  });
}

void start();
