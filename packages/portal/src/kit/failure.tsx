import { Alert, Anchor, Button, Text } from '@mantine/core';
import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { createContext, useContext } from 'react';
import type { ErrorCode } from '@kontor/contract';
import { type PortalCode, Rejection } from '../api/ask.ts';
import { PasskeyFailure } from '../api/passkeys.ts';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import shared from './shared.module.css';

/** Words for a failure by its code, in the language of the page. */
export function useFailureWords(): (error: unknown) => string {
  const { t } = useLingui();
  return error => {
    if (error instanceof PasskeyFailure)
      return error.kind === 'has-one'
        ? t`This device already has a passkey for your account.`
        : t`No passkey was used. The request was cancelled, or this device has no passkey for this site.`;
    if (!(error instanceof Rejection)) return t`Something went wrong on this page. Reload it.`;
    const minutes = Math.ceil((error.retryAfter ?? 60) / 60);
    const code = error.code as ErrorCode | PortalCode;
    switch (code) {
      case 'SIGN_IN_FAILED':
        return t`The email or password is wrong, or this user cannot sign in.`;
      case 'PASSKEY_REFUSED':
        return t`This passkey is not registered here. It may have been removed. Sign in with your password.`;
      case 'OPENID_REFUSED':
        return t`No user of Kontor is linked to this account. If you can sign in in another way, do so and connect it under My account. Otherwise, contact your Kontor administrator.`;
      case 'OPENID_NOT_CONNECTED':
        return t`The account was not connected. The sign-in was denied there, or another user of Kontor is connected to it.`;
      case 'PROVIDER_UNAVAILABLE':
        return t`The sign-in provider does not respond. Try again later, or sign in with your password or a passkey.`;
      case 'BAD_GATEWAY':
      case 'GATEWAY_TIMEOUT':
        return t`The file storage does not respond, and nothing was changed. Try again in a moment.`;
      case 'FILE_NOT_FOUND':
        return t`The content of this file is missing. Contact your Kontor administrator.`;
      case 'DAMAGED_FILE':
        return t`The file was damaged on its way: its checksum differs. Download it again.`;
      case 'ORDER_ALREADY_DECIDED':
        return t`Someone else decided first. Your decision was not saved.`;
      case 'TENANT_NOT_IN_SCOPE':
        return t`You do not have access to this company.`;
      case 'INVALID_REFERENCE':
        return t`Something that you chose no longer exists, or you have lost access to it. Choose it again.`;
      case 'INTERNAL_SERVER_ERROR':
        return t`The service has a fault. Try again, or contact your Kontor administrator.`;
      case 'CHALLENGE_EXPIRED':
        return t`That took too long. Try again.`;
      case 'RATE_LIMIT_EXCEEDED':
        return t`Too many attempts. Try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}.`;
      case 'SIGN_IN_LIMITED':
        return t`Too many failed sign-ins with this email. Try again in ${plural(minutes, { one: '# minute', other: '# minutes' })}. Until then, use a browser that you have signed in with before, use a passkey, or reset your password.`;
      case 'WRONG_PASSWORD':
        return t`The password is wrong. Try again.`;
      case 'INVALID_LINK':
        return t`This link is not valid: it was used, has expired, or was replaced by a newer one. Request a new link.`;
      case 'INVALID_SESSION':
        return t`Your session has ended. Sign in and try again.`;
      case 'NOT_FOUND':
        return t`This does not exist, or you do not have access.`;
      case 'PERMISSION_DENIED':
        return t`You do not have the permission for this.`;
      case 'INVALID_STATE_TRANSITION':
        return t`This is no longer possible: it was changed in the meantime.`;
      case 'FIRST_PERIOD_FIXED':
        return t`The first month cannot change once a month was released.`;
      case 'CHANGED_MEANWHILE':
        return t`Another user has changed this in the meantime. Nothing was overwritten. Check what the page shows, and try again.`;
      case 'DIVISION_CYCLE':
        return t`A division cannot be moved below itself. Choose another place.`;
      case 'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL':
        return t`A division with this name exists at this place. Rename one of them first.`;
      case 'TREE_TOO_DEEP':
        return t`The tree would have more than 20 levels. Choose a higher place.`;
      case 'EMPLOYEE_BLOCKED':
        return t`This person is blocked. Unblock the person first.`;
      case 'EMPLOYEE_NOT_ACTIVATED':
        return t`The account of this person is not activated yet. An incident can be reported after the activation.`;
      case 'UNSUPPORTED_MEDIA_TYPE':
        return t`The content of this file is neither PNG, JPEG, WebP nor PDF.`;
      case 'OPEN_IMPORT':
        return t`An import of this company is open already. Reload the page to see it.`;
      case 'PASSKEY_FIRST':
        return t`Sign in with a passkey yourself before you require one of others.`;
      case 'PASSKEY_REQUIRED':
        return t`Confirm with your existing passkey first. If you have lost the device, ask an administrator for a new link.`;
      case 'PAYLOAD_TOO_LARGE':
        return t`The file is too large.`;
      case 'SERVICE_UNAVAILABLE':
        return t`The service is busy. Try again in a moment.`;
      case 'NO_ANSWER':
        return t`The service did not respond. Your action may have been completed: check before you try again.`;
      case 'UNREACHABLE':
        return t`The service cannot be reached. Check the connection and try again.`;
      case 'OPEN_RUN':
        return t`A month of this company is being checked already. Release or discard that check first.`;
      case 'RELEASE_IN_PROGRESS':
        return t`A month of this company is being released. Try again when that has ended.`;
      case 'FORMAT_NOT_POSSIBLE':
        return t`The format does not accept an amount of this month. Choose another format.`;
      case 'MONTH_NOT_POSSIBLE':
        return t`This month cannot be checked. It must not be before the first month of the payroll settings or the last released month, nor after the next month.`;
      case 'AMOUNT_NOT_OPEN':
        return t`This amount is no longer open. Reload the page to see what is.`;
      case 'EMPLOYEE_EXISTS':
        return t`Another employee already has this work email or employee number.`;
      case 'DUPLICATE_RESOURCE':
        return t`This exists already. Choose another value.`;
      case 'FRESH_SIGN_IN_REQUIRED':
        return t`Confirm your identity and try again.`;
      case 'VALIDATION_ERROR':
        return t`The service did not accept a value. Check what you have entered.`;
      case 'TENANT_CONTEXT_AMBIGUOUS':
        return t`Choose a company.`;
      case 'EMPLOYEE_PLACEMENT_AMBIGUOUS':
        return t`Choose a division.`;
      case 'INVALID_FILTER_SYNTAX':
      case 'UNSUPPORTED_FILTER_FIELD':
      case 'UNSUPPORTED_FILTER_OPERATOR':
      case 'UNSUPPORTED_SORT_FIELD':
        return t`The list cannot be filtered or sorted in this way. Change the filter.`;
      case 'MISSING_ATTACHMENT':
        return t`The file is empty.`;
      case 'INVALID_REQUEST_ID':
      case 'UNKNOWN_QUERY_PARAMETER':
      case 'UNSUPPORTED_HEADER':
      case 'UNSUPPORTED_FIELD':
      case 'INVALID_REFERENCE_ID':
      case 'INVALID_API_KEY':
      case 'INVALID_TOKEN':
      case 'CROSS_SITE_REQUEST':
      case 'NOT_ACCEPTABLE':
        return t`The service did not accept the request of this page. Reload the page and try again.`;
      default:
        // The service may be newer than the page. The compiler requires words for all present codes.
        return unknown(code, t`The service rejected this. Reload the page and try again.`);
    }
  };
}

function unknown(_code: never, words: string): string {
  return words;
}

/** Codes with words that hold for many causes. The message of the service, in English, names the field or state. */
const vague: ReadonlySet<string> = new Set<ErrorCode>([
  'VALIDATION_ERROR',
  'DUPLICATE_RESOURCE',
  'INVALID_STATE_TRANSITION',
  'INVALID_REFERENCE',
  'UNSUPPORTED_FIELD',
  'INVALID_REFERENCE_ID',
]);

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
  const hasEnded = error instanceof Rejection && error.code === 'INVALID_SESSION';
  if (isShown && hasEnded) return null;
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
      {hasEnded && <SignInLink />}
      {error instanceof Rejection && vague.has(error.code) && (
        <Text size="xs" c="dimmed" mt={4} lang="en">
          {error.message}
        </Text>
      )}
      {requestId && (
        <Text size="xs" c="dimmed" mt={4} component="div">
          <Trans>Request</Trans> <span className={shared.mono}>{requestId}</span>{' '}
          <CopyButton text={requestId} label={t`Copy request ID`} />
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

/** Opens the sign-in in another tab, so that what was typed stays. */
export function SignInLink() {
  return (
    <Anchor href="/portal/sign-in" target="_blank" size="sm" underline="always">
      <Trans>Sign in in another tab</Trans>
    </Anchor>
  );
}
