import process from 'node:process';

/** The only file that uses the process. */
const { stdin, stdout, stderr, env: environment, emitWarning } = process;
// SQLite is an experiment in Node 22, and its warning would be a line of every night.
process.emitWarning = (warning, ...rest: unknown[]) => {
  if (!String(warning).startsWith('SQLite is')) Reflect.apply(emitWarning, process, [warning, ...rest]);
};
// A reader that stops reading, such as `head`, is not an error.
stdout.on('error', () => {});
const { runProgram } = await import('./cli.ts');
process.exitCode = await runProgram({ stdin, stdout, stderr, environment }, process.argv.slice(2));
