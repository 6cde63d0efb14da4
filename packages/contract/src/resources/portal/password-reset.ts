import type { Static } from 'typebox';
import { Integer, NamedObject, Text } from '../../schema.ts';

/** Minutes until a mailed password reset link expires. */
export const passwordResetMinutes = 60;

export const PasswordResetRequest = NamedObject('PasswordResetRequest', 'Who has forgotten the password', {
  email: Text('The e-mail that the user signs in with, in any letter case', 'petra.lang@example.com', {
    minLength: 1,
    maxLength: 254,
  }),
});

export const RequestedPasswordReset = NamedObject(
  'RequestedPasswordReset',
  'The same whether anybody has the e-mail or not',
  {
    minutes: Integer('How long the link works that is mailed if a user has the e-mail', passwordResetMinutes),
  },
);
export type RequestedPasswordReset = Static<typeof RequestedPasswordReset>;
