import { ApiError, passwordResetMinutes, type RequestedPasswordReset } from '@kontor/contract';
import type { HandlersOf } from '../../http/handlers.ts';
import { ok } from '../../http/route.ts';
import type { PasswordResets } from './passwords/resets.ts';

/** The operation of forgotten passwords, which is the portal's; without `resets` no mails are sent. */
export function passwordResetHandlers(
  resets: PasswordResets | null,
): HandlersOf<'portal', 'Forgotten passwords'> {
  const taken: RequestedPasswordReset = { minutes: passwordResetMinutes };
  return {
    async requestPasswordReset(call) {
      if (resets === null)
        throw new ApiError(
          'INVALID_STATE_TRANSITION',
          'No mail server is set; ask whoever administrates Kontor for a link',
        );
      await resets.request(call.body.email, call);
      return ok(JSON.stringify(taken));
    },
  };
}
