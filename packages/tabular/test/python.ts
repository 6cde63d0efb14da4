import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Reads texts from lines of JSON, and answers each with the lines and cells of its records; null for one that is rejected. Blanks before a
 * cell are skipped.
 */
const program = `
import csv, io, json, sys
for line in sys.stdin:
    text, delimiter, mode = json.loads(line)
    reader = csv.reader(io.StringIO(text, newline=''), delimiter=delimiter, skipinitialspace=True,
        strict=mode == 'strict')
    rows, begins = [], 1
    try:
        for cells in reader:
            if cells:
                rows.append([begins, cells])
            begins = reader.line_num + 1
    except csv.Error:
        rows = None
    print(json.dumps(rows), flush=True)
`;

export interface Python {
  read(text: string, delimiter: string, mode?: 'strict'): Promise<[line: number, cells: string[]][] | null>;
  end(): void;
}

/** Python's module `csv`; null where there is no Python. */
export async function openPython(): Promise<Python | null> {
  const child = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const isThere = await Promise.race([
    once(child, 'spawn').then(() => true),
    once(child, 'error').then(() => false),
  ]);
  if (!isThere) return null;
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async read(text, delimiter, mode) {
      child.stdin.write(`${JSON.stringify([text, delimiter, mode ?? null])}\n`);
      const { value } = await answers.next();
      return JSON.parse(value as string) as Awaited<ReturnType<Python['read']>>;
    },
    end: () => child.stdin.end(),
  };
}
