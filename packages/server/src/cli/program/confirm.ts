import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { type CommandContext, CommandError, flag } from './command.ts';

type Terminal = Pick<CommandContext, 'stdin' | 'stderr' | 'signal'>;

export const yesOption = flag('--yes', 'Skip the confirmation prompt (required without a terminal)');

/** Whether a person can be asked. */
function canAsk({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY && stderr.isTTY;
}

/** @throws CommandError where `--yes` is missing and no person can be asked */
export function checkCanConfirm(terminal: Terminal, yes: boolean, action: string): void {
  if (!yes && !canAsk(terminal))
    throw new CommandError(`${action} is final, and there is no terminal to ask on: confirm it with --yes`);
}

/**
 * Asks a person to confirm something final, unless `yes`: with y or yes, or by typing a `name`, where a whole organization is at stake.
 * @throws CommandError without a terminal, and for any other answer
 */
export async function confirm(
  terminal: Terminal,
  yes: boolean,
  { action, question, name }: { action: string; question: string; name?: string },
): Promise<void> {
  checkCanConfirm(terminal, yes, action);
  if (yes) return;
  const { stdin: input, stderr: output, signal } = terminal;
  // Not as a terminal: Ctrl-C then remains a signal of the process.
  const asking = createInterface({ input, output, terminal: false });
  try {
    const ended = once(asking, 'close').then(() => '');
    const asked = name === undefined ? `${question} [y/N] ` : `${question}\nType its name, ${name}: `;
    const answer = (await Promise.race([asking.question(asked, { signal }), ended])).trim();
    if (name === undefined ? !/^y(es)?$/i.test(answer) : answer !== name.trim())
      throw new CommandError('not confirmed, nothing was changed');
  } finally {
    asking.close();
  }
}
