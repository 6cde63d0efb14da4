import { apis } from '@kontor/contract';
import { Gauge, Registry } from 'prom-client';
import { unavailableHeaders } from './response/failure.ts';
import { listen, urlOf } from './listen.ts';
import { registerReference } from './response/documentation.ts';
import { type Port, type Service, type ServedApi, buildService } from './service.ts';

export interface Management {
  readonly url: string;
  /** Waits up to this time for requests in flight. */
  close(graceSeconds: number): Promise<void>;
}

export interface ManagementParts extends Port {
  readonly config: { readonly managementHost: string; readonly managementPort: number };
  readonly api: ServedApi;
  readonly shown: Pick<Registry, 'metrics' | 'contentType'>;
  readonly ready: () => boolean | Promise<boolean>;
  /** Why the embedded PostgreSQL cannot be started; null if there is no such reason. */
  readonly failure: () => string | null;
}

/**
 * Listens on the operator's port. `/livez` (200 while the process answers, 503 while its embedded PostgreSQL cannot be started), `/readyz` (200 or 503) and `/metrics` (Prometheus text) have no
 * authentication, so keep the port private. It also serves the platform API and its reference.
 * @throws OperatorError for a port that cannot be used.
 */
export async function startManagement({
  config,
  api,
  shown,
  ready,
  failure,
  ...port
}: ManagementParts): Promise<Management> {
  const { managementHost: host, managementPort } = config;
  const service = buildService({
    ...port,
    apis: [api],
    pages: get => registerReference(get, apis.platform),
    // Every read of the metrics would count itself.
    inFlight: { inc() {}, dec() {} },
  });
  addProbes(service, { shown, ready, failure });
  return {
    url: urlOf(host, await listen(service.server, 'managementPort', { host, port: managementPort })),
    close: graceSeconds => service.shutDown(graceSeconds),
  };
}

type ProbeAnswer = readonly [status: number, body: string, type?: string];

type Probes = Pick<ManagementParts, 'ready' | 'shown' | 'failure'>;

/** The probes are neither logged nor counted. Load balancers send them as `HEAD`, too. */
function addProbes(service: Service, { ready, shown, failure }: Probes): void {
  const add = (path: string, probe: () => Promise<ProbeAnswer>) =>
    service.add(['GET', 'HEAD'], path, (_request, response) => {
      void probe()
        .catch(() => notReady)
        .then(([status, body, type = 'text/plain; charset=utf-8']) =>
          response
            .writeHead(status, {
              ...(status === 503 && unavailableHeaders),
              'Content-Type': type,
              'Cache-Control': 'no-store',
              'Content-Length': Buffer.byteLength(body),
            })
            .end(body),
        );
    });
  add('/livez', async () => {
    const reason = failure();
    return reason === null ? [200, 'alive\n'] : [503, `${reason}\n`];
  });
  add('/readyz', async () => ((await ready()) ? [200, 'ready\n'] : notReady));
  const readiness = registryOfReadiness(ready);
  add('/metrics', async () => [
    200,
    `${await shown.metrics()}\n${await readiness.metrics()}`,
    shown.contentType,
  ]);
}

function registryOfReadiness(ready: ManagementParts['ready']): Registry {
  const registry = new Registry();
  const gauge = new Gauge({
    name: 'kontor_ready',
    help: '1 while /readyz answers 200, else 0',
    registers: [],
    async collect() {
      this.set(Number(await Promise.resolve(ready()).catch(() => false)));
    },
  });
  registry.registerMetric(gauge);
  return registry;
}

const notReady: ProbeAnswer = [503, 'not ready\n'];
