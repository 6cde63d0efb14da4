import process from 'node:process';
import { runProgram } from './cli.ts';

/** The only file that uses the process. */
const { stdin, stdout, stderr, env: environment } = process;
// A reader that stops reading, such as `head`, is not an error.
stdout.on('error', () => {});
process.exitCode = await runProgram({ stdin, stdout, stderr, environment }, process.argv.slice(2));
