import { randomBytes } from 'node:crypto';

const machine = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

/**
 * Returns 24 lowercase hexadecimal characters: 4 bytes seconds, 5 random bytes per process, 3 bytes counter (specification.md 1.2).
 * Unique and roughly in creation order; no code may rely on that order.
 */
export function newId(): string {
  counter = (counter + 1) % 0x1000000;
  const seconds = Math.floor(Date.now() / 1000);
  return seconds.toString(16).padStart(8, '0') + machine + counter.toString(16).padStart(6, '0');
}

/** The identifier in a dry run's response for a resource that would be created (specification.md 4.2). */
export const dryRunId = '0'.repeat(24);
