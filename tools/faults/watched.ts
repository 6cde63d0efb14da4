// Loaded before `kontor serve`: writes down every uncaught error, a line each, and ends the process with the
// one that started it, however that ends.
import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';

const file = process.env.KONTOR_FAULTS_ERRORS!;
const written = new Set<unknown>();

function writeDown(origin: string, error: unknown): void {
  if (written.has(error)) return;
  written.add(error);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  appendFileSync(file, `${JSON.stringify({ origin, text })}\n`);
}

process.on('uncaughtExceptionMonitor', (error, origin) => writeDown(origin, error));
process.on('unhandledRejection', reason => {
  writeDown('unhandledRejection', reason);
  // A listener alone would keep the process alive, which without us it would not be.
  if (process.listenerCount('unhandledRejection') === 1) throw reason;
});

const parent = new Socket({ fd: 3 });
// Not `exit`, which would first wait for the rest of the log to be read.
parent.on('error', () => {}).on('close', () => process.kill(process.pid, 'SIGKILL'));
parent.resume().unref();
