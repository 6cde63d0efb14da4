import type { Server, ServerResponse } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as nextWrite, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../telemetry/metrics.ts';
import { OperatorError } from '../lib/operator-error.ts';

/** Tracks requests in flight, and stops the service without cutting them off. */
export interface Lifecycle {
  /** False once the shutdown has begun; `/readyz` returns it. */
  readonly ready: boolean;
  /**
   * Stops in three steps:
   * 1. For `drainSeconds` it is not ready but serves everything, and closes each connection after its answer. Proxies in
   *    front may send requests until then.
   * 2. It accepts no more connections, closes idle ones, and waits up to `graceSeconds` for requests in flight.
   * 3. It closes all connections that are left.
   */
  shutDown(graceSeconds: number, drainSeconds?: number): Promise<void>;
}

/** Tracks the requests of a service from {@link buildService}. Call it before the service listens. */
export function watchLifecycle(
  app: FastifyInstance,
  metrics: { readonly inFlight: Pick<Metrics['inFlight'], 'inc' | 'dec'> },
): Lifecycle {
  const { server } = app;
  const inProgress = new Set<ServerResponse>();
  let ready = true;
  let onIdle = () => {};

  function countEnd(this: ServerResponse): void {
    inProgress.delete(this);
    metrics.inFlight.dec();
    if (inProgress.size === 0) onIdle();
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, (_request, response: ServerResponse) => {
      inProgress.add(response);
      metrics.inFlight.inc();
      response.once('close', countEnd);
      if (!ready) response.shouldKeepAlive = false;
    });

  return {
    get ready() {
      return ready;
    },
    async shutDown(graceSeconds, drainSeconds = 0) {
      ready = false;
      for (const response of inProgress) response.shouldKeepAlive = false;
      if (drainSeconds > 0) await drain(server, drainSeconds);
      server.close();
      if (inProgress.size > 0) await waitAtMost(graceSeconds * 1000, resolve => (onIdle = resolve));
      server.closeAllConnections();
      await app.close();
    },
  };
}

/** Serves for the time of the drain, then closes the listener. Clients that have connected by then still get answers. */
async function drain(server: Server, seconds: number): Promise<void> {
  await wait(seconds * 1000);
  // The system resets connections that Node has not accepted yet. `close` of an HTTP server closes those whose request is still unread.
  await nextWrite();
  Listener.prototype.close.call(server);
  await nextWrite();
}

/** Resolves when `subscribe` calls back, or after the timeout. */
async function waitAtMost(milliseconds: number, subscribe: (resolve: () => void) => void): Promise<void> {
  const timer = new AbortController();
  const late = wait(milliseconds, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([new Promise<void>(subscribe), late]);
  timer.abort();
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

interface Place {
  readonly host: string;
  readonly port: number;
  readonly option: string;
  readonly variable: string;
}

/** Explains to the operator why the service cannot listen on an address. Returns any other error unchanged. */
export function listenError(error: unknown, { host, port, option, variable }: Place): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const other = `choose another one with ${option} or ${variable}`;
  if (code === 'EADDRINUSE') return new OperatorError(`port ${port} of ${host} is taken: ${other}`);
  if (code === 'EACCES') return new OperatorError(`port ${port} may not be used by this user: ${other}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorError(`${host} is no address of this machine`);
  return error;
}
