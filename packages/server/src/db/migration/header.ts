/** How the statements of a migration are run. */
export type Mode = 'in one transaction' | 'outside of a transaction' | 'in batches';

/** What a migration says about itself in its first lines. */
export interface Header {
  /** The number of the oldest migration that a process must know to work on the schema from this migration on. */
  readonly compatibleWith: string;
  readonly mode: Mode;
  /** The index that it builds concurrently; null when it builds none in this way. */
  readonly index: string | null;
}

/** The last migration from before there was a header; those up to it say nothing. */
const lastWithoutHeader = '0003';

const modes: readonly string[] = [
  'in one transaction',
  'outside of a transaction',
  'in batches',
] satisfies Mode[];

/**
 * Reads the header of the migration with this number:
 *
 *     -- compatible with: 0003
 *     -- runs: in batches
 *
 * It is all comments up to the first line that is no comment, so a comment on the migration stands behind an empty line.
 * @throws an error that says what is wrong, also with statements that cannot be run in the manner it names.
 */
export function readHeader(number: string, text: string): Header {
  if (number <= lastWithoutHeader) return { compatibleWith: number, mode: 'in one transaction', index: null };
  const entries = readEntries(text);
  const compatibleWith = entries.get('compatible with');
  if (compatibleWith === undefined || !/^\d{4}$/.test(compatibleWith))
    throw new Error(
      `begin with the line "-- compatible with: NNNN", the oldest migration that a process must know to work beside this one (${number}: none but those that know this one)`,
    );
  const mode = entries.get('runs') ?? 'in one transaction';
  if (!isMode(mode))
    throw new Error(`"runs: ${mode}" is unknown: expected ${modes.map(known => `"${known}"`).join(', ')}`);
  return { compatibleWith, mode, index: checkStatement(mode, text) };
}

function readEntries(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('--')) break;
    const [, word, value] = /^-- (compatible with|runs): (.+)$/.exec(line) ?? [];
    if (word === undefined || value === undefined)
      throw new Error(
        `"${line}" is no header: expected "-- compatible with: …" or "-- runs: …", and comments behind an empty line`,
      );
    if (entries.has(word)) throw new Error(`"${word}" stands twice in the header`);
    entries.set(word, value);
  }
  return entries;
}

function isMode(text: string): text is Mode {
  return modes.includes(text);
}

/** The index that is built concurrently, if any. */
function checkStatement(mode: Mode, text: string): string | null {
  if (mode === 'in one transaction') return null;
  const statement = text.replaceAll(/^\s*--.*$/gm, '').trim();
  if (!/^[^;]+;?$/.test(statement))
    throw new Error(`what runs ${mode} is one statement, with no semicolon but at its end`);
  if (mode === 'outside of a transaction') return indexOf(statement);
  // The last batch would pass over what somebody holds, and the migration would end without it.
  if (/\bSKIP\s+LOCKED\b/i.test(statement)) throw new Error('a batch may not skip locked rows');
  return null;
}

/** Other statements may be half done when they are interrupted, and nobody would know how to take them up again. */
function indexOf(statement: string): string | null {
  if (/^DROP\s+INDEX\s+CONCURRENTLY\s+IF\s+EXISTS\s+[a-z_]\w*;?$/i.test(statement)) return null;
  const [, index] =
    /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+([a-z_]\w*)\s+ON\s/i.exec(statement) ?? [];
  if (index === undefined)
    throw new Error(
      'outside of a transaction runs "CREATE INDEX CONCURRENTLY name ON …" or "DROP INDEX CONCURRENTLY IF EXISTS name", which can be taken up again',
    );
  return index.toLowerCase();
}
