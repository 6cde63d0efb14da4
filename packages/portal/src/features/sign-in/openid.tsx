import { Group, Loader, Stack, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  arrival,
  comeBack,
  type Errand,
  leaveForIssuer,
  takeErrand,
  notifyConfirmed,
} from '../../api/openid.ts';
import { identityQuery, queryClient } from '../../api/queries.ts';
import { Failure } from '../../kit/failure.tsx';
import { Icon } from '../../kit/icon.tsx';
import { TextLink } from '../../kit/navigation/link-button.tsx';
import { Entry } from './entry.tsx';

/** Begins or ends what this tab was opened for: once, however often the page is rendered. */
let course: Promise<Errand | null> | null = null;

async function run(): Promise<Errand | null> {
  const states = arrival.get('error') ?? arrival.get('code');
  if (arrival.get('begin') === 'confirmation') {
    await leaveForIssuer({ kind: 'confirmation' });
    return null;
  }
  const errand = takeErrand();
  // Neither code nor state stay in the address.
  window.history.replaceState(window.history.state, '', window.location.pathname);
  if (errand === null || states === null || arrival.has('error')) throw new IssuerRejection();
  queryClient.setQueryData(identityQuery.queryKey, await comeBack(errand));
  if (errand.kind === 'confirmation') notifyConfirmed();
  return errand;
}

/** The issuer has rejected it, or nothing was begun. */
class IssuerRejection extends Error {}

/** The page to which the issuer redirects. */
export function OpenIdPage() {
  const { t } = useLingui();
  const router = useRouter();
  const [ended, setEnded] = useState<Errand | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    course ??= run();
    course.then(setEnded, setError);
  }, []);
  useEffect(() => {
    if (ended?.kind === 'confirmation') window.close();
    if (ended?.kind !== 'sign-in') return;
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

function Lead({ error, ended }: { error: unknown; ended: Errand | null }) {
  if (error instanceof IssuerRejection)
    return <Trans>The sign-in was cancelled or denied there. You can try again at any time.</Trans>;
  if (error !== null) return <Trans>That did not work.</Trans>;
  return ended?.kind === 'confirmation' ? <Trans>This is you.</Trans> : <Trans>One moment …</Trans>;
}

function Progress({ ended }: { ended: Errand | null }) {
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
