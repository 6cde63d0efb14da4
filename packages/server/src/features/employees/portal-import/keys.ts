import { cleanText, withoutFormulaMark } from '@kontor/tabular';
import { emailKey } from '../../../lib/email-key.ts';
import type { Cells } from '../import/read-cells.ts';

/** Fields whose values must be unique. */
const keys = ['email', 'employeeNumber'] as const;

export type Key = (typeof keys)[number];

export const isKey = (field: string): field is Key => (keys as readonly string[]).includes(field);

/** The line of another row with the same value; 0 without one. */
export type Repeated = Readonly<Record<Key, number>>;

/** Characters of the longest email. No employee has a longer value, and an index takes no text of any length. */
const maxLength = 254;

const keyOfText = (text: string, key: Key) => (key === 'email' ? emailKey(text) : text);

/** The value of a key as the file and the stored rows compare it; null without one that an employee can have. */
export function keyOf({ cells }: Pick<Cells, 'cells'>, key: Key): string | null {
  const { value, problem } = cells.get(key) ?? {};
  if (typeof value !== 'string' || problem || value.length > maxLength) return null;
  return keyOfText(value, key);
}

/** The value of any cell, also of one that is damaged. */
export function keyOfCell(cell: string, key: Key): string | null {
  if (cell.length > 2 * maxLength) return null;
  const text = cleanText(cell).replaceAll('\0', '\ufffd').toWellFormed();
  return text === '' || text.length > maxLength ? null : keyOfText(text, key);
}

/** The values by which an employee is found: that of the cell, and its text, as a stored value can look damaged. */
export function textsOf({ cells }: Pick<Cells, 'cells'>, key: Key): string[] {
  const { text = '', value } = cells.get(key) ?? {};
  const texts = [value, text, withoutFormulaMark(text.trim())].map(each =>
    each === undefined || each === null || typeof each === 'boolean' ? null : keyOfCell(each, key),
  );
  return [...new Set(texts.filter(each => each !== null))];
}

const bytesOfRow = 4 * keys.length;

/** Finds values that several rows have: nobody can know which row is right. */
export class RepeatedFinder {
  readonly #firstRows = keys.map(() => new Map<string, number>());
  readonly #lines: number[] = [];
  readonly #repeated: Buffer;

  constructor(maxRows: number) {
    this.#repeated = Buffer.alloc(maxRows * bytesOfRow);
  }

  get count(): number {
    return this.#lines.length;
  }

  add(cells: Pick<Cells, 'line' | 'cells'>): void {
    const row = this.#lines.push(cells.line) - 1;
    for (const [index, key] of keys.entries()) {
      const value = keyOf(cells, key);
      if (value === null) continue;
      const firstRow = this.#firstRows[index]!.get(value);
      if (firstRow === undefined) {
        this.#firstRows[index]!.set(value, row);
        continue;
      }
      this.#set(row, index, this.#lines[firstRow]!);
      this.#set(firstRow, index, cells.line);
    }
  }

  #set(row: number, index: number, line: number): void {
    this.#repeated.writeInt32LE(line, row * bytesOfRow + index * 4);
  }

  /** Eight bytes a row: the other line for each field. */
  get bytes(): Buffer {
    return this.#repeated.subarray(0, this.count * bytesOfRow);
  }
}

/** The bytes of some rows. */
export function repeatedRange(firstRow: number, count: number): { from: number; length: number } {
  return { from: firstRow * bytesOfRow, length: count * bytesOfRow };
}

export function repeatedOf(bytes: Buffer, row: number): Repeated {
  const [email, employeeNumber] = keys.map((_, index) => bytes.readInt32LE(row * bytesOfRow + index * 4));
  return { email: email!, employeeNumber: employeeNumber! };
}
