import { Anchor } from '@mantine/core';
import { Trans } from '@lingui/react/macro';

/** Why no passkey works on this page: it is not at the origin of passkeys, there is none, or the browser has no passkeys. */
export function PasskeysUnavailable({ origin }: { origin: string | null }) {
  if (origin === null)
    return <Trans>Passkeys are not available: the operator must set up a host name with HTTPS.</Trans>;
  if (origin === window.location.origin)
    return (
      <Trans>
        This browser does not support passkeys. Use another browser, or contact your administrator.
      </Trans>
    );
  return (
    <Trans>
      Passkeys only work at{' '}
      <Anchor href={`${origin}${window.location.pathname}`} underline="always">
        {origin}
      </Anchor>
      . Open the portal there.
    </Trans>
  );
}
