import { appendFileSync } from 'node:fs';

/** Where the runs of `.ci/run` collect what was answered; else unset. */
const file = process.env.KONTOR_TEST_ANSWERS;
const recorded = new Set<string>();

/** Records an answer as a line `operation status`, of an error with its code, once in a process. */
export function recordAnswer(operation: string | undefined, status: number, body: unknown): void {
  if (file === undefined || operation === undefined) return;
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  const line = [operation, status, ...(code === undefined ? [] : [code])].join(' ');
  if (recorded.has(line)) return;
  recorded.add(line);
  // One short append is atomic, so that the processes of all test files can share the file.
  appendFileSync(file, `${line}\n`);
}
