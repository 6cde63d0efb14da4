import { PasswordInput } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Rejection } from '../api/ask.ts';
import { Failure } from '../parts/failure.tsx';

/** Fewest characters of a password; the service checks it. */
export const fewest = 12;

/** Checks the length of a new password before it is sent. */
export function useNewPassword() {
  const [isShort, setShort] = useState(false);
  const isLongEnough = (password: string): boolean => {
    const enough = [...password].length >= fewest;
    setShort(!enough);
    return enough;
  };
  return { isShort, isLongEnough };
}

interface NewPasswordProps {
  readonly isShort: boolean;
  /** State of the request that sends the password. */
  readonly error: unknown;
  readonly size?: 'md';
  readonly autoFocus?: boolean;
}

/** The field of a new password, and the error of the request. */
export function NewPassword({ isShort, error, ...field }: NewPasswordProps) {
  const { t } = useLingui();
  const isGuessable = error instanceof Rejection && error.status === 422 && error.code === 'VALIDATION_ERROR';
  const guessable = t`This password is easy to guess. Choose a few words that do not belong together, without your name or e-mail.`;
  return (
    <>
      <PasswordInput
        label={t`New password`}
        name="password"
        autoComplete="new-password"
        required
        error={isShort ? t`Use at least ${fewest} characters.` : isGuessable && guessable}
        errorProps={{ role: 'alert' }}
        visibilityToggleButtonProps={{ 'aria-label': t`Show or hide the password`, tabIndex: 0 }}
        {...field}
      />
      {error !== null && !isGuessable && <Failure error={error} />}
    </>
  );
}
