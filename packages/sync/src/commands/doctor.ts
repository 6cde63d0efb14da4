import { readConnection, readKey } from '../config.ts';
import { type Check, runChecks } from '../doctor/checks.ts';
import { attentionCode } from '../report.ts';
import { openServer } from '../server.ts';
import type { Result } from '../sync.ts';
import type { Terminal } from '../terminal.ts';

/** `kontor-sync doctor`: checks what a night needs, and says what to do about each fault. */
export async function doctorCommand(
  { environment }: Terminal,
  { config }: { readonly config: string },
): Promise<Result> {
  const connection = await readConnection(config);
  const { kontor } = openServer(connection, await readKey(connection, environment['KONTOR_API_KEY']));
  const checks = await runChecks(connection, kontor);
  const exitCode = checks.some(({ state }) => state === 'failed')
    ? 1
    : checks.some(({ state }) => state === 'attention')
      ? attentionCode
      : 0;
  return { text: checks.map(linesOf).join('\n'), json: { checks }, exitCode };
}

const marks = { ok: 'ok', attention: 'check', failed: 'FAILED' } as const;

function linesOf({ name, state, text, todo }: Check): string {
  const line = `${marks[state].padEnd(7)} ${name.padEnd(12)} ${text}`;
  return todo === null ? line : `${line}\n${''.padEnd(21)}→ ${todo}`;
}
