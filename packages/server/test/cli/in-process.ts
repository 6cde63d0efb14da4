import { PassThrough } from 'node:stream';
import { loadCommand } from '../../src/cli/commands.ts';
import { runProgram } from '../../src/cli/program/program.ts';
import type { Run } from './kontor.ts';

/**
 * Runs the command in this process, which is cheaper than a process of its own; the rest is the same. `terminal`: what a person types who
 * reads stderr.
 */
export async function kontorHere(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  terminal?: string,
): Promise<Run> {
  const stdin = new PassThrough();
  const isTTY = terminal !== undefined;
  if (isTTY) stdin.write(terminal);
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runProgram(loadCommand, {
    arguments: args,
    variables,
    stdin: Object.assign(stdin, { isTTY }) as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: Object.assign(stderr, { isTTY }) as unknown as NodeJS.WriteStream,
    signal: new AbortController().signal,
    version: '0.0.0',
  });
  const text = (stream: PassThrough) => (stream.read() as Buffer | null)?.toString() ?? '';
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
