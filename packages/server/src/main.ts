import { readFileSync } from 'node:fs';
import { commands } from './cli/commands.ts';
import { errorLine } from './cli/program/run.ts';
import { runProgram } from './cli/program/program.ts';

/**
 * The one place that touches the process: its arguments, variables, streams, signals and exit code.
 * Whoever presses Ctrl-C again does not want to wait for the orderly end. One press can arrive twice, though: from the
 * terminal, and from npm, which passes it on.
 */
const interruption = new AbortController();
const onePress = 500;
let firstSignal: number | undefined;
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.on(name, () => {
    firstSignal ??= performance.now();
    interruption.abort();
    if (performance.now() - firstSignal > onePress) process.exit(130);
  });

// Whoever reads the output may stop reading, as `head` does; that is no error of ours.
process.stdout.on('error', () => {});

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

try {
  const exitCode = await runProgram(commands, {
    arguments: process.argv.slice(2),
    variables: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interruption.signal,
    version: (JSON.parse(manifest) as { version: string }).version,
  });
  process.exitCode = exitCode;
  // An interrupted command may still have something under way that would keep the process alive.
  if (interruption.signal.aborted) process.exit();
} catch (error) {
  process.stderr.write(`${errorLine(error, false)}\n`);
  process.exit(1);
}
