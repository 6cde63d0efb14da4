import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';
import { type Header, readHeader } from './header.ts';

/** A numbered SQL file, which brings the schema one step further. */
export interface Migration extends Header {
  /** The file without its ending: `0004_shade`. */
  readonly name: string;
  readonly number: string;
  readonly text: string;
  /** SHA-256 of the text, whatever its line ends. */
  readonly checksum: string;
}

/**
 * The migrations of a folder in the order of their numbers.
 * @throws {@link OperatorError} for a file whose name or header is wrong, and where two have one number.
 */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter(file => file.endsWith('.sql')).sort();
  const migrations = await Promise.all(files.map(file => readMigration(directory, file)));
  for (const [i, { name, number, compatibleWith }] of migrations.entries()) {
    if (migrations[i + 1]?.number === number)
      throw new OperatorError(`Two migrations have the number ${number}`);
    if (!migrations.slice(0, i + 1).some(known => known.number === compatibleWith))
      throw new OperatorError(
        `Migration ${name} says that it is compatible with ${compatibleWith}, which is no migration up to itself`,
      );
  }
  return migrations;
}

async function readMigration(directory: string, file: string): Promise<Migration> {
  const [, name, number] = /^((\d{4})_\w+)\.sql$/.exec(file) ?? [];
  if (name === undefined || number === undefined)
    throw new OperatorError(`${file} is no name of a migration: expected 0004_words_and_digits.sql`);
  const text = (await readFile(`${directory}/${file}`, 'utf8')).replaceAll('\r\n', '\n');
  const checksum = createHash('sha256').update(text).digest('hex');
  try {
    return { name, number, text, checksum, ...readHeader(number, text) };
  } catch (cause) {
    throw new OperatorError(`Migration ${name}: ${(cause as Error).message}`, { cause });
  }
}
