import { PassThrough } from 'node:stream';
import { commands } from '../../src/cli/commands.ts';
import { runProgram } from '../../src/cli/program/program.ts';
import type { Run } from './kontor.ts';

/** Runs the command in this process, which is cheaper than a process of its own; the rest is the same. */
export async function kontorHere(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Run> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runProgram(commands, {
    arguments: args,
    variables,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    signal: new AbortController().signal,
    version: '0.0.0',
  });
  const text = (stream: PassThrough) => (stream.read() as Buffer | null)?.toString() ?? '';
  return { code, stdout: text(stdout), stderr: text(stderr) };
}
