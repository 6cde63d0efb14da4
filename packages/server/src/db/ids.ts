import { randomBytes } from 'node:crypto';

const machine = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

/**
 * A new identifier: 24 lowercase hexadecimal characters of 4 bytes seconds, 5 bytes drawn once a process and a 3-byte
 * counter (specification.md 1.2). Unique, roughly in creation order; nothing may rely on that order.
 */
export function newId(): string {
  counter = (counter + 1) % 0x1000000;
  const seconds = Math.floor(Date.now() / 1000);
  return seconds.toString(16).padStart(8, '0') + machine + counter.toString(16).padStart(6, '0');
}

/** What a dry run shows as the identifier of a resource that would have been created (specification.md 4.2). */
export const dryRunId = '0'.repeat(24);
