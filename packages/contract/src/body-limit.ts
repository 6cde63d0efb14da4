import type { Api } from './apis/api.ts';
import type { Operation } from './operation.ts';

/** Limits of request bodies, in bytes. */
export const bodyLimits = {
  /** Uploads, batches and the public API (specification.md 2.5). */
  large: 5 * 1024 * 1024,
  /** JSON with long lists, such as the divisions of an API key. */
  list: 512 * 1024,
  /** Any other JSON of an authenticated caller. */
  ordinary: 64 * 1024,
  /** An anonymous client, for example during sign-in. */
  anonymous: 16 * 1024,
} as const;

/**
 * The maximum body size of an operation in bytes. It derives from the kind of the operation, so no declaration can omit it.
 * It is small without authentication: only authenticated callers may occupy memory for large bodies.
 */
export function bodyLimitOf({ authenticated, upload, batch, bodyLimit }: Operation, api: Api): number {
  if (!authenticated) return bodyLimits.anonymous;
  return bodyLimit ?? api.bodyLimit ?? (upload || batch ? bodyLimits.large : bodyLimits.ordinary);
}

/** Formats a limit: `64 KiB (65,536 bytes)`. */
export function describeBodyLimit(bytes: number): string {
  const unit = bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
  return `${unit} (${bytes.toLocaleString('en')} bytes)`;
}
