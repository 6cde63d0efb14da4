import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { enterEmbedded } from '../../src/database/embedded.ts';
import { targetUrl } from '../../src/database/target.ts';

/** A PostgreSQL for tests. */
export interface TestCluster {
  /** A database from which others can be made. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts an empty embedded PostgreSQL in a temporary folder. It does without fsync: its data need not outlive a crash. */
export async function startTestCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-test-'));
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };
  const embedded = await enterEmbedded({ dataDirectory: folder, settings });
  return {
    url: targetUrl(embedded.target),
    async stop() {
      await embedded.leave();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a cluster in a process of its own, which stops it when this process ends, and answers its URL. */
export async function startClusterProcess(): Promise<string> {
  const script = fileURLToPath(import.meta.resolve('./cluster-process.ts'));
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string];
  child.unref();
  (child.stdin as unknown as Socket).unref();
  (child.stdout as unknown as Socket).unref();
  return url;
}
