import { none } from '../../operation.ts';
import {
  PasswordResetOffer,
  PasswordResetRequest,
  RequestedPasswordReset,
} from '../../resources/portal/password-reset.ts';
import type { PortalOperation } from './operation.ts';

const open = {
  tag: 'Forgotten passwords',
  path: '/password-reset',
  authenticated: false,
  parameters: none,
  query: none,
} as const;

export const passwordResetOperations = {
  getPasswordResetOffer: {
    ...open,
    method: 'GET',
    summary: 'Get what there is for who has forgotten the password',
    description: 'Says whether a link can be mailed, which takes a mail server.',
    success: { status: 200, description: 'What there is', body: PasswordResetOffer },
    errors: [],
  },
  requestPasswordReset: {
    ...open,
    method: 'POST',
    summary: 'Ask for a link that sets a new password',
    description:
      'Has a link mailed to the user of the e-mail, which works once and as `POST /invitation/acceptance` takes it. The answer is the same, and as fast, whether anybody has the e-mail or not. The password before works until the link is used. Requests are limited by e-mail and by address.',
    body: PasswordResetRequest,
    success: { status: 200, description: 'It was taken', body: RequestedPasswordReset },
    errors: ['RATE_LIMIT_EXCEEDED', 'INVALID_STATE_TRANSITION', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PortalOperation>;
