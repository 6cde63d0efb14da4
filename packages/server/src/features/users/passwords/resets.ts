import { createHmac } from 'node:crypto';
import { ApiError, passwordResetMinutes } from '@kontor/contract';
import { anonymous } from '../../../auth/caller.ts';
import type { Counting } from '../../../lib/counting.ts';
import { networkOf } from '../../../lib/network.ts';
import { emailKey } from '../../../lib/email-key.ts';
import { callOf, checkMaintenance } from '../../../write/writes.ts';
import { count } from '../attempts.ts';
import { newLink } from '../links.ts';
import { mailLink } from '../mails.ts';
import { lockUser, findOwnerOfEmail, updateLink } from '../store.ts';
import type { RouteParts } from '../../../http/route.ts';

/** Limits of reset requests: per email and network, per email, and per network. */
export const resetLimits = {
  ofBoth: { attempts: 5, seconds: 3600 },
  ofEmail: { attempts: 10, seconds: 3600 },
  ofNetwork: { attempts: 200, seconds: 3600 },
};

const maxWaiting = 100;

interface Visitor {
  readonly requestId: string;
  readonly address: string;
}

interface ResetParts extends RouteParts {
  readonly pepper: Buffer;
  readonly counting: Counting;
  /** Receives the error of a request that failed after its response was sent. */
  readonly failed: (error: unknown, requestId: string) => void;
}

/** Answers a request before the lookup: neither response nor timing reveals whether the user exists. Then processes requests one by one. */
export class PasswordResets {
  readonly #parts: ResetParts;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: ResetParts) {
    this.#parts = parts;
  }

  /** Queues a request. @throws ApiError RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE */
  async request(email: string, visitor: Visitor): Promise<void> {
    await this.#count(email, visitor);
    await checkMaintenance(this.#parts.reads);
    if (this.#waiting >= maxWaiting)
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'Too many links are requested at the moment; try again later',
      );
    this.#waiting++;
    this.#last = this.#last
      .then(() => this.#mail(email, visitor))
      .catch((error: unknown) => this.#parts.failed(error, visitor.requestId))
      .finally(() => this.#waiting--);
  }

  /** Resolves when the queue is empty. */
  close(): Promise<void> {
    return this.#last;
  }

  /** Requests for unknown emails are counted, too. */
  async #count(email: string, { address }: Visitor): Promise<void> {
    const { counting, pepper } = this.#parts;
    // Counters may be stored in Redis, which must not receive personal data.
    const name = createHmac('sha256', pepper)
      .update(`reset ${emailKey(email)}`)
      .digest('base64url');
    const network = networkOf(address);
    const what = 'requests for a link';
    await count(counting, `reset:from:${network}`, resetLimits.ofNetwork, what);
    await count(counting, `reset:${name}:${network}`, resetLimits.ofBoth, what);
    await count(counting, `reset:${name}`, resetLimits.ofEmail, what);
  }

  /** Replaces the link of an active user. The new link never expires before the old one, so an invitation is not shortened. */
  async #mail(email: string, { requestId, address }: Visitor): Promise<void> {
    const { reads, writes, pepper } = this.#parts;
    const owner = await findOwnerOfEmail(reads, email);
    if (owner === null) return;
    const { organizationId, userId } = owner;
    const author = { actor: anonymous.actor, requestId, address };
    await writes.runWithoutClock(callOf(organizationId, author), async (write, session) => {
      const user = await lockUser(session, organizationId, userId);
      if (user === null || user.status === 'inactive') return;
      const open = user.invitedUntil === null ? 0 : Date.parse(user.invitedUntil) - write.at.getTime();
      const life = Math.max(passwordResetMinutes * 60_000, open);
      const link = newLink(organizationId, pepper, write.at, life);
      updateLink(write, userId, link, 'user.forget_password');
      mailLink(write, user.status === 'invited' ? 'invitation' : 'password_reset', userId, link);
    });
  }
}
