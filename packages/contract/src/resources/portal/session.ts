import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Instant, KeyId, nullable, Values } from '../../schema.ts';
import { listOf } from '../list.ts';
import { Organization } from '../platform/organization.ts';
import { User } from '../platform/user.ts';

/** Minimum characters of a new password. Only length matters: all characters are allowed. */
export const passwordMinimum = 12;
const passwordMaximum = 1000;

const password = Type.String({
  minLength: 1,
  maxLength: passwordMaximum,
  description: 'The password of the user',
  examples: ['correct horse battery staple'],
});
const newPassword = Type.String({
  minLength: passwordMinimum,
  maxLength: passwordMaximum,
  description: `The new password: at least ${passwordMinimum} characters, and not easy to guess: no common password, no repetition, no name or e-mail of the user, each with digits around it or not`,
  examples: ['correct horse battery staple'],
});

export const PortalSession = Type.Object(
  {
    id: KeyId('Unique identifier of the session, which is no secret'),
    createdAt: Instant('When the user signed in'),
    lastSeenAt: Instant('When the session was last used, up to a minute ago'),
    expiresAt: Instant('When the session ends at the latest; it ends an hour after its last use before that'),
    address: Type.String({ description: 'Address that the sign-in came from', examples: ['192.0.2.1'] }),
    userAgent: nullable(
      Type.String({
        description: 'What the browser said of itself at the sign-in; null: nothing',
        examples: ['Mozilla/5.0'],
      }),
    ),
    current: Type.Boolean({ description: 'Whether it is the session of this request', examples: [true] }),
  },
  { $id: 'PortalSession', additionalProperties: false, description: 'A session of a user' },
);
export type PortalSession = Static<typeof PortalSession>;

export const PortalSessionList = listOf(PortalSession, 'PortalSessionList');

export const portalSessionFields = fieldsOf(PortalSession);

export const signInMethods = ['password', 'passkey', 'openid'] as const;
export type SignInMethod = (typeof signInMethods)[number];

export const Identity = Type.Object(
  {
    user: User,
    organization: Organization,
    session: PortalSession,
    freshUntil: nullable(
      Instant(
        'Until when the sign-in is fresh enough for what asks for that; null: the user must be confirmed',
      ),
    ),
    confirmsWith: Type.Array(
      Values('SignInMethod', signInMethods, 'A method to sign in or to confirm the identity'),
      {
        description: 'What the user can confirm the sign-in with',
      },
    ),
  },
  { $id: 'Identity', additionalProperties: false, description: 'Who is signed in' },
);
export type Identity = Static<typeof Identity>;

export const SignInMethods = Type.Object(
  {
    passkeyOrigin: nullable(
      Type.String({
        description:
          'The address of the pages on which passkeys work, since browsers bind them to a domain; null: the service has none',
        examples: ['https://kontor.example.com'],
      }),
    ),
    openIdName: nullable(
      Type.String({
        description: 'How the issuer of OpenID Connect is called; null: the service has none',
        examples: ['Muster Holding'],
      }),
    ),
    passwordReset: Type.Boolean({
      description:
        'Whether who has forgotten the password is mailed a link; if not, whoever administrates Kontor has to be asked for one',
      examples: [true],
    }),
  },
  {
    $id: 'SignInMethods',
    additionalProperties: false,
    description: 'The ways to sign in that the service offers, beside e-mail and password',
  },
);
export type SignInMethods = Static<typeof SignInMethods>;

export const SignIn = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The e-mail of the user, in any letter case',
      examples: ['petra.lang@example.com'],
    }),
    password,
  },
  { $id: 'SignIn', additionalProperties: false, description: 'What a user signs in with' },
);

export const InvitationAcceptance = Type.Object(
  {
    secret: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What stands behind `#` in the link of the invitation',
      examples: ['kontorl_…'],
    }),
    password: newPassword,
  },
  {
    $id: 'InvitationAcceptance',
    additionalProperties: false,
    description: 'The link of an invitation, and the password to set',
  },
);

export const PasswordConfirmation = Type.Object(
  { password },
  { $id: 'PasswordConfirmation', additionalProperties: false, description: 'The present password once more' },
);

export const PasswordChange = Type.Object(
  {
    currentPassword: Type.Optional({
      ...password,
      description: 'The password that the user has; left out by a user who has none',
    }),
    password: newPassword,
  },
  { $id: 'PasswordChange', additionalProperties: false, description: 'Another password' },
);
