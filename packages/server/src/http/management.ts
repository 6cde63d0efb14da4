import { apis } from '@kontor/contract';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { type Config, urlOf } from '../config.ts';
import { unavailableHeaders } from './response/failure.ts';
import { listen } from './listen.ts';
import { registerReference } from './response/documentation.ts';
import { watchLifecycle } from './server.ts';
import { type Port, type ServedApi, buildService } from './service.ts';

export interface Management {
  readonly url: string;
  /** Waits up to this time for requests in flight. */
  close(graceSeconds: number): Promise<void>;
}

interface Probes {
  readonly shown: Pick<Registry, 'metrics' | 'contentType'>;
  readonly ready: () => boolean | Promise<boolean>;
}

export interface ManagementParts extends Port, Probes {
  readonly config: Pick<Config, 'managementHost' | 'managementPort'>;
  readonly api: ServedApi;
}

/**
 * Listens on the operator's port. `/livez` (200 while the process answers), `/readyz` (200 or 503) and `/metrics` (Prometheus text) have no
 * authentication, so keep the port private. It also serves the platform API and its reference.
 * @throws OperatorError for a port that cannot be used.
 */
export async function startManagement({
  config,
  api,
  shown,
  ready,
  ...port
}: ManagementParts): Promise<Management> {
  const { managementHost: host, managementPort } = config;
  const app = buildService({ ...port, apis: [api], pages: pages => registerReference(pages, apis.platform) });
  addProbes(app, { shown, ready });
  // Not counted as in flight: every read of the metrics would count itself.
  const lifecycle = watchLifecycle(app, { inFlight: { inc() {}, dec() {} } });
  return {
    url: urlOf(host, await listen(app, 'managementPort', { host, port: managementPort })),
    close: graceSeconds => lifecycle.shutDown(graceSeconds),
  };
}

type ProbeAnswer = readonly [status: number, body: string, type?: string];

/** The probes are neither logged nor counted. */
function addProbes(app: FastifyInstance, { ready, shown }: Probes): void {
  const add = (path: string, probe: () => Promise<ProbeAnswer>) =>
    app.get(path, { exposeHeadRoute: true }, async (_request, reply) => {
      const [status, body, type = 'text/plain; charset=utf-8'] = await probe().catch(() => notReady);
      if (status === 503) reply.headers(unavailableHeaders);
      return reply.code(status).headers({ 'Content-Type': type, 'Cache-Control': 'no-store' }).send(body);
    });
  add('/livez', async () => [200, 'alive\n']);
  add('/readyz', async () => ((await ready()) ? [200, 'ready\n'] : notReady));
  add('/metrics', async () => [200, await shown.metrics(), shown.contentType]);
}

const notReady: ProbeAnswer = [503, 'not ready\n'];
