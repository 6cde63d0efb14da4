import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openEmbeddedPostgres } from '@kontor/embedded-postgres';
import { targetUrl } from './target-url.ts';

/** A PostgreSQL for tests. */
export interface TestCluster {
  /** A database from which others can be made. */
  readonly url: string;
  /** The data folder of PostgreSQL itself. */
  readonly data: string;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** A data folder made before, below which PostgreSQL's own is; absent: a new temporary one. It is removed in the end. */
  readonly folder?: string;
  /** Settings of PostgreSQL, on top of those of all tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts an embedded PostgreSQL, by default an empty one in a temporary folder. It does without fsync: its data need not
 * outlive a crash of the machine.
 */
export async function startTestCluster(options: ClusterOptions = {}): Promise<TestCluster> {
  const folder = options.folder ?? (await mkdtemp(path.join(tmpdir(), 'kontor-test-')));
  const settings = { fsync: 'off', full_page_writes: 'off', max_connections: '200', ...options.settings };
  const embedded = await openEmbeddedPostgres({ dataDirectory: folder, settings });
  return {
    url: await targetUrl(embedded.target),
    data: path.join(folder, 'postgres'),
    async stop() {
      await embedded.close();
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
