import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { networkOf } from '../request/network.ts';

/** Reads a credential from the database when the queue of its network allows it. @throws ApiError SERVICE_UNAVAILABLE */
export type LookUp = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * Lookups of keys, tokens and links in the database, of which each network has a share. Their secrets have 256 random bits, so nothing is
 * counted and no network is shut out for its failures: a valid key waits for the lookups in front of it, and succeeds.
 */
export class CredentialLookups {
  readonly #limiter = new ConcurrencyLimiter({
    running: { inAll: 6, perClient: 4 },
    waiting: { inAll: 20_000, perClient: 2_000 },
    maxWait: 5_000,
    message: 'Too many credentials from your network are being checked; try again later',
  });

  /** How many run and how many wait, for metrics. */
  get state(): ConcurrencyLimiter['state'] {
    return this.#limiter.state;
  }

  /** The lookups of a client at this address. */
  from(address: string): LookUp {
    return read => this.#limiter.run(networkOf(address), read);
  }
}
