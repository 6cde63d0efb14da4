import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Telemetry } from './response/respond.ts';
import { unavailableHeaders } from './response/failure.ts';
import { listenError, urlOf, watchLifecycle } from './lifecycle.ts';
import { registerReference } from './response/reference.ts';
import { type ServedApi, buildService } from './service.ts';

/** The operator's port, while it is served. */
export interface Management {
  readonly url: string;
  /** Lets requests under way end within so many seconds. */
  close(graceSeconds: number): Promise<void>;
}

/** What the probes of the port show. */
export interface Probes {
  /** What `/metrics` shows. */
  readonly shown: Pick<Registry, 'metrics' | 'contentType'>;
  /** Whether `/readyz` is 200. */
  readonly ready: () => boolean | Promise<boolean>;
}

/** What is served on the operator's port, and where. */
export interface ManagementParts extends Telemetry, Probes {
  readonly config: Pick<Config, 'managementHost' | 'managementPort'>;
  readonly api: ServedApi;
}

/**
 * Listens on the operator's port: `/livez` (the process answers), `/readyz` (200 or 503, as `ready` says) and `/metrics`
 * (Prometheus text), which have no authentication, and an API for the operator's own systems with its reference. Keep it private.
 * @throws OperatorError for a port that cannot be used.
 */
export async function startManagement(parts: ManagementParts): Promise<Management> {
  const { api, logger, metrics, rejected } = parts;
  const { managementHost: host, managementPort: port } = parts.config;
  const app = buildService({
    logger,
    metrics,
    ...(rejected && { rejected }),
    apis: [api],
    pages: pages => registerReference(pages, api.api),
    front: handle => probed(handle, parts),
  });
  // Not counted as in flight: a look at the metrics would always see itself.
  const lifecycle = watchLifecycle(app, { inFlight: { inc() {}, dec() {} } });
  await app.listen({ host, port }).catch((error: unknown) => {
    throw listenError(error, { host, port, option: '--management-port', variable: 'MANAGEMENT_PORT' });
  });
  return {
    url: urlOf(host, (app.server.address() as AddressInfo).port),
    close: graceSeconds => lifecycle.shutDown(graceSeconds),
  };
}

/** Answers the probes, and hands on all else. They are neither logged nor counted. */
function probed(handle: RequestListener, probes: Probes): RequestListener {
  return (request, response) => {
    const probe = probeOf(request);
    if (probe === undefined) return handle(request, response);
    request.resume();
    probe(response, probes).catch(() => text(response, 503, 'not ready'));
  };
}

type Probe = (response: ServerResponse, probes: Probes) => Promise<void>;

function probeOf({ method, url }: IncomingMessage): Probe | undefined {
  return method === 'GET' || method === 'HEAD' ? probes.get(url ?? '') : undefined;
}

const probes: ReadonlyMap<string, Probe> = new Map<string, Probe>([
  ['/livez', async response => text(response, 200, 'alive')],
  [
    '/readyz',
    async (response, { ready }) =>
      (await ready()) ? text(response, 200, 'ready') : text(response, 503, 'not ready'),
  ],
  ['/metrics', async (response, { shown }) => text(response, 200, await shown.metrics(), shown.contentType)],
]);

function text(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  const retry = status === 503 ? unavailableHeaders : {};
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...retry });
  response.end(type.startsWith('text/plain; charset') ? `${body}\n` : body);
}
