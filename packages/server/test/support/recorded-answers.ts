import { appendFileSync } from 'node:fs';

/** Where the runs of `.ci/run` collect which errors were answered; else unset. */
const file = process.env.KONTOR_TEST_ANSWERS;
const recorded = new Set<string>();

/** Notes the code of an error answer as a line `operation status code`, once in a process. */
export function recordAnswer(operation: string | undefined, status: number, body: unknown): void {
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  if (file === undefined || operation === undefined || code === undefined) return;
  const line = `${operation} ${status} ${code}\n`;
  if (recorded.has(line)) return;
  recorded.add(line);
  // One short append is atomic, so that the processes of all test files can share the file.
  appendFileSync(file, line);
}
