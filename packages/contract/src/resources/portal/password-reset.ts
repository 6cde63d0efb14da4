import Type, { type Static } from 'typebox';

/** Minutes until a mailed password reset link expires. */
export const passwordResetMinutes = 60;

export const PasswordResetRequest = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The e-mail that the user signs in with, in any letter case',
      examples: ['petra.lang@example.com'],
    }),
  },
  { $id: 'PasswordResetRequest', additionalProperties: false, description: 'Who has forgotten the password' },
);

export const RequestedPasswordReset = Type.Object(
  {
    minutes: Type.Integer({
      description: 'How long the link works that is mailed if a user has the e-mail',
      examples: [passwordResetMinutes],
    }),
  },
  {
    $id: 'RequestedPasswordReset',
    additionalProperties: false,
    description: 'The same whether anybody has the e-mail or not',
  },
);
export type RequestedPasswordReset = Static<typeof RequestedPasswordReset>;
