import { Group, Loader, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  arrival,
  completeRedirect,
  type IssuerRedirect,
  leaveForIssuer,
  takePendingRedirect,
  notifyConfirmed,
} from '../../api/openid.ts';
import { identityQuery, queryClient } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { Icon } from '../../kit/icon.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { Entry } from './entry.tsx';

/** The redirect that this tab begins or completes: once, however often the page is rendered. */
let completion: Promise<IssuerRedirect | null> | null = null;

async function run(): Promise<IssuerRedirect | null> {
  const states = arrival.get('error') ?? arrival.get('code');
  if (arrival.get('begin') === 'confirmation') {
    await leaveForIssuer({ kind: 'confirmation' });
    return null;
  }
  const redirect = takePendingRedirect();
  // Neither code nor state stay in the address.
  window.history.replaceState(window.history.state, '', window.location.pathname);
  if (redirect === null || states === null || arrival.has('error')) throw new IssuerRejection();
  queryClient.setQueryData(identityQuery.queryKey, await completeRedirect(redirect));
  if (redirect.kind === 'confirmation') notifyConfirmed();
  return redirect;
}

/** The issuer rejected the sign-in, or this tab began none. */
class IssuerRejection extends Error {}

/** The page to which the issuer redirects. */
export function OpenIdPage() {
  const { t } = useLingui();
  const router = useRouter();
  const [ended, setEnded] = useState<IssuerRedirect | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    completion ??= run();
    completion.then(setEnded, setError);
  }, []);
  useEffect(() => {
    if (ended?.kind === 'confirmation') window.close();
    if (ended === null || ended.kind === 'confirmation') return;
    // Replaces this page: going back to it would start the redirect again.
    router.history.replace(`/portal${ended.from ?? '/'}`);
  }, [ended, router]);
  return (
    <Entry title={t`Sign in`} lead={<Lead error={error} ended={ended} />}>
      <Stack>
        {error !== null && !(error instanceof IssuerRejection) && <Failure error={error} />}
        {error !== null && (
          <TextLink to="/sign-in">
            <Trans>Go to sign-in</Trans>
          </TextLink>
        )}
        {error === null && <Progress ended={ended} />}
      </Stack>
    </Entry>
  );
}

function Lead({ error, ended }: { error: unknown; ended: IssuerRedirect | null }) {
  if (error instanceof IssuerRejection)
    return <Trans>The sign-in was cancelled or denied there. You can try again at any time.</Trans>;
  if (error !== null) return <Trans>That did not work.</Trans>;
  return ended?.kind === 'confirmation' ? <Trans>This is you.</Trans> : <Trans>One moment …</Trans>;
}

function Progress({ ended }: { ended: IssuerRedirect | null }) {
  if (ended?.kind !== 'confirmation') return <Loader size="sm" role="status" aria-label="…" />;
  return (
    <Group gap="sm" wrap="nowrap" role="status">
      <Icon name="check" />
      <Text>
        <Trans>Done. Close this tab and continue in the previous one.</Trans>
      </Text>
    </Group>
  );
}
