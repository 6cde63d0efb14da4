import { none } from '../../operation.ts';
import { PasswordResetRequest, RequestedPasswordReset } from '../../resources/portal/password-reset.ts';
import type { PortalOperation } from './operation.ts';

export const passwordResetOperations = {
  requestPasswordReset: {
    tag: 'Forgotten passwords',
    method: 'POST',
    path: '/password-reset',
    authenticated: false,
    parameters: none,
    query: none,
    summary: 'Ask for a link that sets a new password',
    description:
      'Has a link mailed to the user of the e-mail, which works once and as `POST /invitation/acceptance` takes it. The answer is the same, and as fast, whether anybody has the e-mail or not. The password before works until the link is used. Requests are limited by e-mail and by address. `GET /sign-in-methods` says whether it is offered.',
    body: PasswordResetRequest,
    success: { status: 200, description: 'It was taken', body: RequestedPasswordReset },
    errors: ['RATE_LIMIT_EXCEEDED', 'INVALID_STATE_TRANSITION', 'SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, PortalOperation>;
