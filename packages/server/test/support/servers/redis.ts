import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../service/free-port.ts';

/** Why Redis cannot be run here; false: it can. */
export const noRedis =
  spawnSync('redis-server', ['--version']).status === 0 ? false : 'redis-server is not installed';

/** A Redis of a test, which it can stop and start again. */
export interface RedisServer {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs a Redis while the test uses it. */
export async function withRedis(use: (redis: RedisServer) => Promise<void>): Promise<void> {
  const port = await findFreePort();
  const directory = await mkdtemp(join(tmpdir(), 'kontor-redis-'));
  let server: ChildProcess;
  const redis: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory];
      server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
      for await (const line of server.stdout!) if (String(line).includes('Ready to accept')) break;
    },
    async stop() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      server.kill('SIGKILL');
      await once(server, 'exit');
    },
  };
  try {
    await redis.start();
    await use(redis);
  } finally {
    await redis.stop();
    await rm(directory, { recursive: true });
  }
}
