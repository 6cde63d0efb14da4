import { type Server, type ServerResponse, createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { unavailableHeaders } from './failure.ts';
import { listenError, urlOf } from './listening.ts';

export interface Management {
  /** The port it listens on. */
  readonly port: number;
  close(): Promise<void>;
}

/** What `/metrics` shows, and when `/readyz` is 200. */
interface Shown {
  readonly metrics: { readonly registry: Pick<Registry, 'metrics' | 'contentType'> };
  readonly ready: () => boolean | Promise<boolean>;
}

/**
 * Listens on the operator's port: `/livez` (the process answers), `/readyz` (200 or 503, as `ready` says) and `/metrics`
 * (Prometheus text). It has no authentication; keep it private.
 */
export async function startManagement(options: Shown & { host: string; port: number }): Promise<Management> {
  const { metrics, ready } = options;
  const server = createServer((request, response) => {
    request.resume();
    answer(
      request.method === 'GET' || request.method === 'HEAD' ? request.url : undefined,
      response,
      metrics,
      ready,
    ).catch(() => text(response, 503, 'not ready'));
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

/** The same where the configuration says. @throws OperatorError for a port that cannot be used. */
export async function manage(
  { managementHost: host, managementPort: port }: { managementHost: string; managementPort: number },
  shown: Shown,
): Promise<{ url: string; close(): Promise<void> }> {
  const management = await startManagement({ host, port, ...shown }).catch((error: unknown) => {
    throw listenError(error, { host, port, option: '--management-port', variable: 'MANAGEMENT_PORT' });
  });
  return { url: urlOf(host, management.port), close: () => management.close() };
}

async function answer(
  url: string | undefined,
  response: ServerResponse,
  { registry }: Shown['metrics'],
  ready: Shown['ready'],
): Promise<void> {
  if (url === '/livez') return text(response, 200, 'alive');
  if (url === '/readyz')
    return (await ready()) ? text(response, 200, 'ready') : text(response, 503, 'not ready');
  if (url === '/metrics') return text(response, 200, await registry.metrics(), registry.contentType);
  return text(response, 404, 'there is /livez, /readyz and /metrics');
}

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

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
