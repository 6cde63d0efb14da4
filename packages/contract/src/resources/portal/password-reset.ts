import Type, { type Static } from 'typebox';
import { NamedObject } from '../../schema.ts';

/** Minutes until a mailed password reset link expires. */
export const passwordResetMinutes = 60;

export const PasswordResetRequest = NamedObject('PasswordResetRequest', 'Who has forgotten the password', {
  email: Type.String({
    minLength: 1,
    maxLength: 254,
    description: 'The e-mail that the user signs in with, in any letter case',
    examples: ['petra.lang@example.com'],
  }),
});

export const RequestedPasswordReset = NamedObject(
  'RequestedPasswordReset',
  'The same whether anybody has the e-mail or not',
  {
    minutes: Type.Integer({
      description: 'How long the link works that is mailed if a user has the e-mail',
      examples: [passwordResetMinutes],
    }),
  },
);
export type RequestedPasswordReset = Static<typeof RequestedPasswordReset>;
