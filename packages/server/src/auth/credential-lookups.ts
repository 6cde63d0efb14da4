import { Limiter } from '../lib/concurrency/limiter.ts';
import { networkOf } from '../lib/network.ts';

/** Runs a read of a credential when the limiter has a place for its network. @throws ApiError SERVICE_UNAVAILABLE */
export type LookUp = <T>(read: () => Promise<T>) => Promise<T>;

const tooMany = 'Too many credentials from your network are being checked; try again later';

/** Limits lookups of credentials per network. Failures block no network: secrets have 256 random bits, so a valid key waits and succeeds. */
export class CredentialLookups {
  readonly #limiter = new Limiter({
    running: { inAll: 6, perKey: 4 },
    waiting: { inAll: 20_000, perKey: 2_000 },
    tooMany,
    maxWait: { milliseconds: 5_000, message: tooMany },
  });

  /** For metrics. */
  get state(): Limiter['state'] {
    return this.#limiter.state;
  }

  from(address: string): LookUp {
    return read => this.#limiter.run(networkOf(address), read);
  }
}
