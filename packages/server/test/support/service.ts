import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { createCollection } from '../../src/collection/page.ts';
import type { Sql } from '../../src/database/connect.ts';
import { employeeRoutes } from '../../src/features/employees/routes.ts';
import { employeeTable } from '../../src/features/employees/table.ts';
import { createKeyring } from '../../src/features/keys/keyring.ts';
import { tenantExists } from '../../src/features/organizations/store.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { memoryQuota } from '../../src/http/quota.ts';
import { buildService } from '../../src/http/service.ts';
import { execute } from '../../src/database/execute.ts';
import { testPepper } from './world.ts';

/** The service on a free port, in this process, on a database. */
export interface TestService {
  readonly url: string;
  /** The log lines so far, as JSON text. */
  readonly log: readonly string[];
  stop(): Promise<void>;
}

const openapi = readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8');

/** Starts the service as `kontor serve` composes it, with a quota that tests do not reach by accident. */
export async function startService(sql: Sql): Promise<TestService> {
  const log: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(line) });
  const keyring = createKeyring({ sql, pepper: testPepper });
  const quota = memoryQuota({ requests: 1_000_000, seconds: 60 });
  const app = buildService({
    routes: employeeRoutes({ sql, collection: createCollection(employeeTable, execute(sql), { now: Date.now }) }),
    authenticate: header => keyring.authenticate(header),
    tenantExists: (organizationId, tenantId) => tenantExists(sql, organizationId, tenantId),
    quota,
    logger,
    metrics: createMetrics({ process: false }),
    openapi,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    log,
    async stop() {
      app.server.closeAllConnections();
      await app.close();
      await keyring.close();
      await quota.close();
    },
  };
}
