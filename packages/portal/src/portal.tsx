import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { FreshSignIn } from './kit/form/fresh-sign-in.tsx';
import { appearance, theme, variables } from './theme.ts';

interface Props {
  readonly router: AnyRouter;
  readonly queryClient: QueryClient;
  /** That of the page, which style elements need. */
  readonly nonce: string;
}

/** The portal at the address of its router, with all that its pages share. */
export function Portal({ router, queryClient, nonce }: Props) {
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
