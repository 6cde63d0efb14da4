/** A value of a field. */
export type Value = string | boolean | null;

/**
 * The values of a field when the file and Kontor last agreed. Without `source` the file has never written it: a person has decided
 * that its value counts.
 */
export interface Base {
  readonly source?: Value;
  readonly server: Value;
}

/**
 * - `equal`: both sides have the value.
 * - `accepted`: they differ, and neither has changed since a person accepted that.
 * - `write`: only the file has changed it.
 * - `kept`: only a person in Kontor has changed it.
 * - `conflict`: both have.
 * - `first_contact`: they differ, and nothing is known of who is right.
 */
export type Merge = 'equal' | 'accepted' | 'write' | 'kept' | 'conflict' | 'first_contact';

/** Merges a field three ways: what was applied last, the file, and Kontor. Only `write` may be written. */
export function mergeField(source: Value, server: Value, base: Base | undefined): Merge {
  if (source === server) return 'equal';
  if (base === undefined) return 'first_contact';
  const isSourceChanged = source !== base.source;
  const isServerChanged = server !== base.server;
  if (isSourceChanged) return isServerChanged ? 'conflict' : 'write';
  return isServerChanged ? 'kept' : 'accepted';
}
