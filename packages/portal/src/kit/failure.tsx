import { Alert, Button, Text } from '@mantine/core';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { createContext, useContext } from 'react';
import { Rejection } from '../api/ask.ts';
import { PasskeyFailure } from '../api/passkeys.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import shared from './shared.module.css';

/** Words for a failure, in the language of the page; of what is seldom, those of the service. */
export function useFailureWords(): (error: unknown) => string {
  const { t } = useLingui();
  return error => {
    if (error instanceof PasskeyFailure)
      return error.kind === 'has-one'
        ? t`This device has a passkey of yours already.`
        : t`No passkey was used. Perhaps it was broken off, or this device has none for this page.`;
    if (!(error instanceof Rejection)) return t`Something went wrong in this page. Load it again.`;
    const seconds = error.retryAfter ?? 60;
    const minutes = Math.ceil(seconds / 60);
    switch (error.code) {
      case 'SIGN_IN_FAILED':
        return t`E-mail and password do not match, or the user may not sign in.`;
      case 'PASSKEY_REFUSED':
        return t`This passkey signs nobody in here. It may have been removed in the portal; use the password.`;
      case 'OPENID_REFUSED':
        return t`No user here has the account that you came with. Ask whoever administrates Kontor.`;
      case 'BAD_GATEWAY':
      case 'GATEWAY_TIMEOUT':
        return t`The other sign-in does not answer. Try again later, or sign in with the password or a passkey.`;
      case 'CHALLENGE_EXPIRED':
        return t`That took too long. Try it once more.`;
      case 'RATE_LIMIT_EXCEEDED':
        return t`There were too many attempts. Try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}.`;
      case 'SIGN_IN_LIMITED':
        return t`Too many sign-ins with this e-mail have failed. Try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}. Until then, use a browser in which you have signed in before, a passkey, or set a new password.`;
      case 'WRONG_PASSWORD':
        return t`The password is wrong. Try again.`;
      case 'INVALID_LINK':
        return t`This link does not work: it was used, has expired, or a newer one was sent. Ask for a new one.`;
      case 'INVALID_SESSION':
        return t`The session has ended. Sign in again, and then try it once more.`;
      case 'NOT_FOUND':
        return t`This does not exist, or you may not see it.`;
      case 'PERMISSION_DENIED':
        return t`You do not have the permission for this.`;
      case 'INVALID_STATE_TRANSITION':
        return t`This cannot be done any more: somebody has changed it meanwhile.`;
      case 'SERVICE_UNAVAILABLE':
        return t`The service is busy. Try again in a moment.`;
      case 'NO_ANSWER':
        return t`The service gave no answer. It may have been done all the same: check the connection, and look before you try again.`;
      case 'UNREACHABLE':
        return t`The service cannot be reached. Check the connection and try again.`;
      default:
        return error.message;
    }
  };
}

/** Whether the page around shows that the session has ended. Each failure would show it once more. */
export const ShowsSessionEnd = createContext(false);

/** Whether something does not exist or is forbidden, so that another attempt is no use. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Rejection && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED');
}

/** The error message, with the request id for the operator. */
export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useLingui();
  const isShown = useContext(ShowsSessionEnd);
  const words = useFailureWords()(error);
  if (isShown && error instanceof Rejection && error.code === 'INVALID_SESSION') return null;
  const requestId = error instanceof Rejection ? error.requestId : null;
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red"
      c="var(--mantine-color-error)"
      icon={<Icon name="alert" />}
    >
      <Text size="sm">{words}</Text>
      {requestId && (
        <Text size="xs" c="dimmed" mt={4} component="div">
          <Trans>Request</Trans> <span className={shared.mono}>{requestId}</span>{' '}
          <CopyButton text={requestId} label={t`Copy the request id`} />
        </Text>
      )}
      {retry && !isUnavailable(error) && (
        <Button size="xs" variant="default" mt="xs" onClick={retry}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </Alert>
  );
}
