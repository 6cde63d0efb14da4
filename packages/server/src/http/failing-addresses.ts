import { isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@kontor/contract';
import type { Counting } from './counting.ts';

/** Failed authentications of an address that are nothing special, in a window of so many seconds. */
const tolerated = { failures: 30, seconds: 60 };

/** How long whoever comes from a failing address waits before a key is looked up, in milliseconds. */
const pause = 1000;

/** Most of one address who wait; the next one is refused at once. */
const mostWaiting = 10;

/** Most failing addresses that are remembered. */
const memory = 10_000;

/**
 * Slows down addresses from which invalid keys keep coming, so that trying keys costs the database little. Keys that are in
 * memory are not concerned, so a proxy with many clients behind it serves the good ones as before.
 */
export class FailingAddresses {
  readonly #counting: Counting;
  /** Until when an address counts as failing, by `performance.now()`. */
  readonly #until = new Map<string, number>();
  readonly #waiting = new Map<string, number>();

  constructor(counting: Counting) {
    this.#counting = counting;
  }

  /** The gate of an address: whoever looks up keys asks there before, and tells it of failures. */
  gateOf(address: string): { admit(): Promise<void>; refused(): Promise<void> } {
    return {
      admit: () => this.#admit(networkOf(address)),
      refused: () => this.#failed(networkOf(address)),
    };
  }

  async #failed(name: string): Promise<void> {
    const { count, milliseconds } = await this.#counting.add(`failed:${name}`, tolerated.seconds);
    if (count <= tolerated.failures) return;
    if (this.#until.size >= memory) this.#until.delete(this.#until.keys().next().value!);
    this.#until.set(name, performance.now() + milliseconds);
  }

  /** Resolves when a key may be looked up. @throws ApiError SERVICE_UNAVAILABLE when too many wait already. */
  async #admit(name: string): Promise<void> {
    const until = this.#until.get(name);
    if (until === undefined) return;
    if (until < performance.now()) return void this.#until.delete(name);
    const waiting = this.#waiting.get(name) ?? 0;
    if (waiting >= mostWaiting)
      throw new ApiError(
        'SERVICE_UNAVAILABLE',
        'Too many invalid keys come from this address; try again later',
      );
    this.#waiting.set(name, waiting + 1);
    await delay(pause);
    const left = this.#waiting.get(name)! - 1;
    if (left === 0) this.#waiting.delete(name);
    else this.#waiting.set(name, left);
  }
}

/** The address, of IPv6 the first 64 bits, which is the least that one client has to choose from. */
export function networkOf(address: string): string {
  const groups = address.split(':');
  return isIPv6(address) && !address.startsWith('::ffff:') ? groups.slice(0, 4).join(':') : address;
}
