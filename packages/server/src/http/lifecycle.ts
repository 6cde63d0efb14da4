import type { Server, ServerResponse } from 'node:http';
import { Server as Listener } from 'node:net';
import { setImmediate as nextWrite, setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../telemetry/metrics.ts';
import { OperatorError } from '../lib/operator-error.ts';

/** Knows which requests are in progress, and ends the service without cutting them off. */
export interface Lifecycle {
  /** False once the shutdown has begun; for `/readyz`. */
  readonly ready: boolean;
  /**
   * Is not ready any more, but serves everything for `drainSeconds`, closing each connection with its answer: so long those in
   * front may go on sending requests. Then it takes no more connections, lets requests in progress end within `graceSeconds`, and
   * closes all connections: idle ones at once, others with their answer, and at the end of the grace time whatever is left.
   */
  shutDown(graceSeconds: number, drainSeconds?: number): Promise<void>;
}

/** Watches the requests of a service from {@link buildService}; call it before the service listens. */
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
      if (inProgress.size > 0) await remaining(graceSeconds * 1000, resolve => (onIdle = resolve));
      server.closeAllConnections();
      await app.close();
    },
  };
}

/** Lets the server go on for a while, and closes its listener after those who have connected by then, and sent a request. */
async function drain(server: Server, seconds: number): Promise<void> {
  await wait(seconds * 1000);
  // The system resets whom Node has not let in yet, and `close` of an HTTP server those whose request it has not read yet.
  await nextWrite();
  Listener.prototype.close.call(server);
  await nextWrite();
}

/** Resolves when `subscribe` calls back, or after so many milliseconds. */
async function remaining(milliseconds: number, subscribe: (resolve: () => void) => void): Promise<void> {
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

/** What the operator can do about an address that cannot be listened on; any other error stays what it is. */
export function listenError(error: unknown, { host, port, option, variable }: Place): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const other = `choose another one with ${option} or ${variable}`;
  if (code === 'EADDRINUSE') return new OperatorError(`port ${port} of ${host} is taken: ${other}`);
  if (code === 'EACCES') return new OperatorError(`port ${port} may not be used by this user: ${other}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new OperatorError(`${host} is no address of this machine`);
  return error;
}
