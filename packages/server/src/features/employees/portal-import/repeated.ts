import { emailKey } from '../../../lib/email-key.ts';

/** Fields whose values must be unique. */
const uniqueFields = ['email', 'employeeNumber'] as const;

type UniqueField = (typeof uniqueFields)[number];

/** The values of a row. */
interface Keyed {
  readonly values: Readonly<Partial<Record<UniqueField, string | boolean | null>>>;
}

/** The line of another row with the same value; 0 without one. */
export type Repeated = Readonly<Record<UniqueField, number>>;

/** Characters of the longest email. No employee has a longer value, and an index takes no text of any length. */
const maxLength = 254;

/** The value of a unique field as the file and the stored rows compare it; null without one that an employee can have. */
export function keyOf({ values }: Keyed, field: UniqueField): string | null {
  const value = values[field];
  if (typeof value !== 'string' || value.length > maxLength) return null;
  return field === 'email' ? emailKey(value) : value;
}

const bytesOfRow = 4 * uniqueFields.length;

/** Finds values that several rows have: nobody can know which row is right. */
export class RepeatedFinder {
  readonly #firstRows = uniqueFields.map(() => new Map<string, number>());
  readonly #lines: number[] = [];
  readonly #repeated: Buffer;

  constructor(maxRows: number) {
    this.#repeated = Buffer.alloc(maxRows * bytesOfRow);
  }

  get count(): number {
    return this.#lines.length;
  }

  add(cells: Keyed & { readonly line: number }): void {
    const row = this.#lines.push(cells.line) - 1;
    for (const [index, field] of uniqueFields.entries()) {
      const key = keyOf(cells, field);
      if (key === null) continue;
      const firstRow = this.#firstRows[index]!.get(key);
      if (firstRow === undefined) {
        this.#firstRows[index]!.set(key, row);
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
  const [email, employeeNumber] = uniqueFields.map((_, index) =>
    bytes.readInt32LE(row * bytesOfRow + index * 4),
  );
  return { email: email!, employeeNumber: employeeNumber! };
}
