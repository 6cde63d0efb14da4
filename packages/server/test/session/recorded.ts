import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Where the recorded session is. */
export const recordedFile = fileURLToPath(new URL('recorded.http', import.meta.url));

const head = `Written by \`node tools/record-session.ts\`: a session with /v1 as it went over the wire, before the change that the test compares with it.
`;

/** The text of a recording. */
export function recordingOf(entries: readonly string[]): string {
  return [head, ...entries].join('\n');
}

/** The entries of the recorded session. */
export async function recordedSession(): Promise<string[]> {
  const text = await readFile(recordedFile, 'utf8');
  return text
    .split(/^(?=### )/m)
    .slice(1)
    .map(entry => `${entry.trimEnd()}\n`);
}

/** The exchanges that are not as they were recorded, each with both of its forms; those that are missing or new, too. */
export function departures(recorded: readonly string[], readRecorded: readonly string[]): string[] {
  const before = byName(recorded);
  const now = byName(readRecorded.map(entry => `${entry.trimEnd()}\n`));
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names]
    .filter(name => before.get(name) !== now.get(name))
    .map(name => `${before.get(name) ?? `${name} was not recorded`}\nnow:\n${now.get(name) ?? 'nothing'}`);
}

/** By their first line, which is different in each. */
function byName(entries: readonly string[]): Map<string, string> {
  return new Map(entries.map(entry => [entry.split('\n', 1)[0]!, entry]));
}
