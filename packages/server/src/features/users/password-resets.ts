import { createHmac } from 'node:crypto';
import { ApiError, passwordResetMinutes } from '@kontor/contract';
import { anonymous } from '../../auth/caller.ts';
import type { Pool } from '../../db/connect.ts';
import { emailKey } from '../../lib/email-key.ts';
import type { Counting } from '../../lib/counting.ts';
import { networkOf } from '../../http/request/client-address.ts';
import type { Writes } from '../../write/writes.ts';
import { count } from './attempts.ts';
import { newLink } from './links.ts';
import { mailLink } from './mails.ts';
import { lockUser, ownerOfEmail, updateLink } from './store.ts';

/** Most requests for a link: for one e-mail from one network, for one e-mail, and from one network, each in so many seconds. */
export const resetLimits = {
  ofBoth: { attempts: 5, seconds: 3600 },
  ofEmail: { attempts: 10, seconds: 3600 },
  ofNetwork: { attempts: 200, seconds: 3600 },
};

/** Requests that may wait to be handled. */
const maxWaiting = 100;

/** From where somebody asks. */
interface Visitor {
  readonly requestId: string;
  readonly address: string;
}

/** What resets stand on. */
interface ResetParts {
  readonly reads: Pool;
  readonly writes: Writes;
  readonly pepper: Buffer;
  readonly counting: Counting;
  /** Told why a request came to nothing. */
  readonly failed: (error: unknown, requestId: string) => void;
}

/**
 * Mails links to those who have forgotten their passwords. A request is answered before anybody is looked for, so that neither the answer
 * nor its time tells whether there is somebody.
 */
export class PasswordResets {
  readonly #parts: ResetParts;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: ResetParts) {
    this.#parts = parts;
  }

  /** Takes a request; what becomes of it is done behind the answer. @throws ApiError RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE. */
  async request(email: string, visitor: Visitor): Promise<void> {
    await this.#count(email, visitor);
    if (this.#waiting >= maxWaiting)
      throw new ApiError('SERVICE_UNAVAILABLE', 'Too many ask for a link at the moment; try again later');
    this.#waiting++;
    this.#last = this.#last.then(() => this.#handle(email, visitor));
  }

  /** Resolves when all requests are handled. */
  close(): Promise<void> {
    return this.#last;
  }

  async #handle(email: string, visitor: Visitor): Promise<void> {
    try {
      await this.#mail(email, visitor);
    } catch (error) {
      this.#parts.failed(error, visitor.requestId);
    }
    this.#waiting--;
  }

  /** Also requests for an e-mail that nobody has are counted. */
  async #count(email: string, { address }: Visitor): Promise<void> {
    const { counting, pepper } = this.#parts;
    // Counters may be in a Redis, which is no place for addresses of people.
    const name = createHmac('sha256', pepper)
      .update(`reset ${emailKey(email)}`)
      .digest('base64url');
    const network = networkOf(address);
    const what = 'requests for a link';
    await count(counting, `reset:from:${network}`, resetLimits.ofNetwork, what);
    await count(counting, `reset:${name}:${network}`, resetLimits.ofBoth, what);
    await count(counting, `reset:${name}`, resetLimits.ofEmail, what);
  }

  /**
   * Gives the user of the e-mail a new link, if there is one who may sign in. It never works for a shorter time than the one that it takes the
   * place of, so that nobody makes an invitation short by asking for another one.
   */
  async #mail(email: string, { requestId, address }: Visitor): Promise<void> {
    const { reads, writes, pepper } = this.#parts;
    const owner = await ownerOfEmail(reads, email);
    if (owner === null) return;
    const { organizationId, userId } = owner;
    const author = { actor: anonymous.actor, requestId, address };
    await writes.runUnordered(
      { organizationId, author, authority: null, dryRunAt: null },
      async (turn, session) => {
        const user = await lockUser(session, organizationId, userId);
        if (user === null || user.status === 'inactive') return;
        const open = user.invitedUntil === null ? 0 : Date.parse(user.invitedUntil) - turn.at.getTime();
        const life = Math.max(passwordResetMinutes * 60_000, open);
        const link = newLink(organizationId, pepper, turn.at, life);
        updateLink(turn, userId, link, 'user.forget_password');
        mailLink(turn, user.status === 'invited' ? 'invitation' : 'password_reset', userId, link);
      },
    );
  }
}
