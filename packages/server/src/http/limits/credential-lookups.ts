import { Limiter } from '../../lib/limiter.ts';
import { networkOf } from '../request/client-address.ts';

/** Reads a credential from the database when the limiter has a place for its network. @throws ApiError SERVICE_UNAVAILABLE */
export type LookUp = <T>(read: () => Promise<T>) => Promise<T>;

const tooMany = 'Too many credentials from your network are being checked; try again later';

/**
 * Lookups of keys, tokens and links in the database, of which each network has a share. Their secrets have 256 random bits, so
 * failures are not counted and no network is shut out: a valid key waits for the lookups in front of it, and succeeds.
 */
export class CredentialLookups {
  readonly #limiter = new Limiter({
    running: { inAll: 6, perKey: 4 },
    waiting: { inAll: 20_000, perKey: 2_000 },
    tooMany,
    maxWait: { milliseconds: 5_000, message: tooMany },
  });

  /** How many run and how many wait, for metrics. */
  get state(): Limiter['state'] {
    return this.#limiter.state;
  }

  /** The lookups of a client at this address. */
  from(address: string): LookUp {
    return read => this.#limiter.run(networkOf(address), read);
  }
}
