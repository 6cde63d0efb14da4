import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { databaseStore } from '../../packages/server/src/files/database-store.ts';
import { testDatabase } from '../../packages/server/test/support/database/database.ts';
import { startService } from '../../packages/server/test/support/service/service.ts';
import { type FaultStatus, partlyBroken } from './broken-files.ts';
import { makeFacts, payroll, pdf } from './facts.ts';

export interface LiveService {
  /** Makes an organization of its own, and writes `facts.json` and the files of a session into the folder. */
  prepare(folder: string): Promise<void>;
  stop(): Promise<void>;
}

/** What a session uploads, and what its downloads must be. */
const files: Record<string, Buffer> = {
  'beleg.pdf': pdf,
  'zu-gross.pdf': Buffer.concat([pdf, Buffer.alloc(5 * 1024 * 1024)]),
  'kein.pdf': Buffer.from('Das ist kein PDF.\n'),
  'expected-document': pdf,
  'expected-payroll': payroll,
};

/** A service on a PostgreSQL of its own, for all sessions of a run. */
export async function startLiveService(): Promise<LiveService> {
  await using started = new AsyncDisposableStack();
  const testing = await testDatabase();
  started.defer(() => testing.drop());
  const { sql } = testing.database;
  const broken = new Map<string, FaultStatus>();
  const store = partlyBroken(databaseStore(sql), broken);
  const service = await startService(sql, { files: { store, timeout: 10_000 } });
  started.defer(() => service.stop());
  const all = started.move();
  return {
    async prepare(folder) {
      const facts = await makeFacts(sql, service.url, broken);
      await writeFile(path.join(folder, 'facts.json'), JSON.stringify(facts));
      for (const [name, bytes] of Object.entries(files)) await writeFile(path.join(folder, name), bytes);
    },
    stop: () => all.disposeAsync(),
  };
}
