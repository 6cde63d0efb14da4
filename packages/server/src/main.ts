import { build } from './lib/build.ts';

/**
 * The only file that uses the process: its arguments, variables, streams, signals and exit code. A second Ctrl-C ends the process at once. One press
 * can arrive twice, from the terminal and from npm, so signals within `onePress` milliseconds count as one.
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

// A reader that stops reading, such as `head`, is not an error.
process.stdout.on('error', () => {});

/** The first socket that systemd passes has this number. The variables name the process that they are meant for (sd_listen_fds(3)). */
const firstSocket = 3;
const { LISTEN_FDS, LISTEN_PID } = process.env;
const socket = LISTEN_FDS === '1' && LISTEN_PID === String(process.pid) ? firstSocket : null;

const { version } = build;
const given = process.argv.slice(2);

// The version is there at once.
if (given.length === 1 && /^(--version|-V)$/.test(given[0]!)) process.stdout.write(`${version}\n`);
else await runCommands();

async function runCommands(): Promise<void> {
  const { loadCommand } = await import('./cli/commands.ts');
  const { runProgram } = await import('./cli/program/program.ts');
  try {
    process.exitCode = await runProgram(loadCommand, {
      arguments: given,
      variables: process.env,
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      signal: interruption.signal,
      socket,
      version,
    });
    // Unfinished work of an interrupted command would keep the process alive.
    if (interruption.signal.aborted) process.exit();
  } catch (error) {
    const { errorLine } = await import('./cli/program/run.ts');
    process.stderr.write(`${errorLine(error, false)}\n`);
    process.exit(1);
  }
}
