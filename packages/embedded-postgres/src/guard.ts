import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Watches over this process until it is released. */
export interface Guard {
  release(): Promise<void>;
}

/**
 * Starts a shell that waits for the end of this process, however it ends, kill -9 included, and then leaves the embedded
 * PostgreSQL in its place, so that PostgreSQL does not go on alone. The shell waits for the end of a pipe whose other end
 * only this process has; a line on it releases the guard. A signal on the death of the parent (Linux) would be less: it also
 * comes when the parent ends in order, and takes PostgreSQL away from the other processes.
 */
export function startGuard(dataDirectory: string): Guard {
  // Beside this file, and like it TypeScript or compiled.
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
