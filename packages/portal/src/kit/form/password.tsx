import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { Rejection } from '../../api/ask.ts';
import { Failure } from '../failure.tsx';

/** The field of a password, in which that can be shown. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useLingui();
  return (
    <PasswordInput
      label={t`Password`}
      name="password"
      autoComplete="current-password"
      required
      visibilityToggleButtonProps={{ 'aria-label': t`Show or hide the password`, tabIndex: 0 }}
      {...props}
    />
  );
}

/** The user is known: it is the password that is wrong. @throws always */
export function wrongPassword(error: unknown): never {
  throw error instanceof Rejection && error.code === 'SIGN_IN_FAILED' ? error.as('WRONG_PASSWORD') : error;
}

/** Fewest characters of a password in any organization; the service checks it. */
export const fewest = 12;

/** Checks the length of a new password before it is sent. */
export function useLengthCheck(fewest: number): (password: string) => string | null {
  const { t } = useLingui();
  return password => ([...password].length < fewest ? t`Use at least ${fewest} characters.` : null);
}

interface NewPasswordProps extends PasswordInputProps {
  /** Why the service did not take the form that the field is in. */
  readonly rejection: unknown;
}

/** The field of a new password, and the error of the request. */
export function NewPassword({ rejection, error, ...field }: NewPasswordProps) {
  const { t } = useLingui();
  const isWeak = rejection instanceof Rejection && rejection.field === 'password';
  const required = isWeak ? rejection.minimum : null;
  const guessable = t`This password is easy to guess. Choose several unrelated words, without your name or email.`;
  return (
    <>
      <PasswordField
        label={t`New password`}
        autoComplete="new-password"
        error={error ?? (required ? t`Use at least ${required} characters.` : isWeak && guessable)}
        errorProps={{ role: 'alert' }}
        {...field}
      />
      {rejection !== null && !isWeak && <Failure error={rejection} />}
    </>
  );
}
