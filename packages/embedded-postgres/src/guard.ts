import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Guard {
  release(): Promise<void>;
}

/**
 * Starts a shell that closes the embedded PostgreSQL when this process ends in any way, even by kill -9. The shell reads a pipe that only this
 * process holds open: end of file means that the process has ended, a line releases the guard. The parent-death signal of Linux is not enough: it is
 * also sent after an orderly end, and would stop PostgreSQL while other processes use it.
 */
export function startGuard(dataDirectory: string): Guard {
  // In the folder of this file, with the same extension: TypeScript or compiled.
  const script = fileURLToPath(new URL(`leave${path.extname(import.meta.url)}`, import.meta.url));
  const child = spawn(
    '/bin/sh',
    ['-c', 'read -r line || exec "$@"', 'kontor-guard', process.execPath, script, dataDirectory],
    { cwd: '/', env: {}, stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  const ended = once(child, 'exit').catch(() => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as typeof child.stdin & { unref(): void }).unref();
  return {
    async release() {
      child.ref();
      child.stdin.end('released\n');
      await ended;
    },
  };
}
