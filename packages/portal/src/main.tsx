import 'virtual:component-styles';
import './styles.css';
import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { identityQuery, queryClient } from './api/queries.ts';
import { preferredLanguage, speak } from './i18n.ts';
import { loadEarly, router } from './router.tsx';
import { FreshSignIn } from './session/fresh-sign-in.tsx';
import { appearance, theme, variables } from './theme.ts';

/** The nonce of this page, which style elements need; the dialogs of the library look for it where Webpack has it. */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** Milliseconds that the first page waits for its list; then it shows where the list will be. */
const patience = 200;

/** Draws the first page in one go: not an empty one first, then one without its list, and then the whole. */
async function start(): Promise<void> {
  const early = loadEarly();
  // A failure is shown by the page.
  const identity = await queryClient.ensureQueryData(identityQuery).catch(() => null);
  speak(preferredLanguage(identity?.user.language));
  const waited = new Promise(resolve => setTimeout(resolve, patience));
  await Promise.all([router.load(), Promise.race([early, waited])]);
  createRoot(document.querySelector('#portal')!).render(<Portal />);
}

function Portal() {
  return (
    <I18nProvider i18n={i18n}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        colorSchemeManager={appearance}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <FreshSignIn>
            <RouterProvider router={router} />
          </FreshSignIn>
        </QueryClientProvider>
      </MantineProvider>
    </I18nProvider>
  );
}

// Not awaited: the other files import this one, so none of them would be there before it ended. Nor from here: a browser that is watched notes
// for each request where it was made, and reads the whole script once more when that is its first level.
queueMicrotask(() => void start());
