import { createInterface } from 'node:readline/promises';
import { type CommandContext, CommandError, flag } from './command.ts';

type Terminal = Pick<CommandContext, 'stdin' | 'stderr' | 'signal'>;

export const yesOption = flag('--yes', 'Do not ask; required without a terminal');

/** Whether a person can be asked. */
export function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY && stderr.isTTY;
}

/** @throws CommandError where `--yes` is missing and no person can be asked */
export function checkCanConfirm(terminal: Terminal, yes: boolean, action: string): void {
  if (!yes && !canAsk(terminal))
    throw new CommandError(`${action} is final, and there is no terminal to ask on: confirm it with --yes`);
}

/** Asks a person to confirm something final, unless `yes`. @throws CommandError without a terminal, and for any other answer than y or yes */
export async function confirm(
  terminal: Terminal,
  yes: boolean,
  { action, question }: { action: string; question: string },
): Promise<void> {
  checkCanConfirm(terminal, yes, action);
  if (yes) return;
  const [isConfirmed] = await ask(terminal, [question]);
  if (!isConfirmed) throw new CommandError('not confirmed, nothing was changed');
}

/** Asks a person questions one by one, and returns for each whether the answer was y or yes. */
export async function ask(
  { stdin: input, stderr: output, signal }: Terminal,
  questions: readonly string[],
): Promise<boolean[]> {
  // Not as a terminal: Ctrl-C then remains a signal of the process.
  const asking = createInterface({ input, terminal: false, signal });
  // Lines that were typed ahead are kept for the next question.
  const lines = asking[Symbol.asyncIterator]();
  try {
    const answers: boolean[] = [];
    for (const question of questions) {
      output.write(`${question} [y/N] `);
      const line = await lines.next();
      signal.throwIfAborted();
      answers.push(!line.done && /^y(es)?$/i.test(line.value.trim()));
    }
    return answers;
  } finally {
    asking.close();
  }
}
