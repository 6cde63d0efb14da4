import { createInterface } from 'node:readline/promises';
import { type CommandContext, CommandError, flag } from './command.ts';

type Terminal = Pick<CommandContext, 'stdin' | 'stderr' | 'signal'>;

export const yesOption = flag('--yes', 'Skip the confirmation prompt (required without a terminal)');

/** Whether a person can be asked. */
export function canAsk({ stdin, stderr }: Terminal): boolean {
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
  const prompt = name === undefined ? `${question} [y/N] ` : `${question}\nType its name, ${name}: `;
  const [answer] = await readAnswers(terminal, [prompt]);
  if (name === undefined ? !isYes(answer!) : answer !== name.trim())
    throw new CommandError('not confirmed, nothing was changed');
}

/** Asks a person questions one by one, and returns for each whether the answer was y or yes. */
export async function ask(terminal: Terminal, questions: readonly string[]): Promise<boolean[]> {
  const answers = await readAnswers(
    terminal,
    questions.map(question => `${question} [y/N] `),
  );
  return answers.map(isYes);
}

const isYes = (answer: string) => /^y(es)?$/i.test(answer);

/** The answers without space around them; an empty one where the input has ended. */
async function readAnswers(
  { stdin: input, stderr: output, signal }: Terminal,
  prompts: readonly string[],
): Promise<string[]> {
  // Not as a terminal: Ctrl-C then remains a signal of the process.
  const asking = createInterface({ input, terminal: false, signal });
  // Lines that were typed ahead are kept for the next question.
  const lines = asking[Symbol.asyncIterator]();
  try {
    const answers: string[] = [];
    for (const prompt of prompts) {
      output.write(prompt);
      const line = await lines.next();
      signal.throwIfAborted();
      answers.push(line.done ? '' : line.value.trim());
    }
    return answers;
  } finally {
    asking.close();
  }
}
