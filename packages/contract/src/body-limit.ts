import type { Api } from './api.ts';
import type { Operation } from './operation.ts';

/** Limits of request bodies, in bytes. */
export const bodyLimits = {
  /** Uploads, batches and the public API (specification.md 2.5). */
  large: 5 * 1024 * 1024,
  /** JSON with long lists, such as the divisions of an API key. */
  list: 512 * 1024,
  /** Any other JSON of an authenticated caller. */
  ordinary: 64 * 1024,
  /** An anonymous client, such as one that signs in. */
  anonymous: 16 * 1024,
} as const;

/**
 * The largest body of an operation, in bytes. It follows from the kind of the operation, so no declaration can forget it.
 * Without authentication it is small in every API: memory for large bodies has an owner.
 */
export function bodyLimitOf({ authenticated, upload, batch, bodyLimit }: Operation, api: Api): number {
  if (!authenticated) return bodyLimits.anonymous;
  return bodyLimit ?? api.bodyLimit ?? (upload || batch ? bodyLimits.large : bodyLimits.ordinary);
}

/** A limit in words: `64 KiB (65,536 bytes)`. */
export function describeBodyLimit(bytes: number): string {
  const unit = bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
  return `${unit} (${bytes.toLocaleString('en')} bytes)`;
}
