import type { Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { apis, createOrderBatch, type OpenApiDocument, openApiDocument } from '@kontor/contract';
import { type Logger, pino } from 'pino';
import type { Caller } from '../../src/auth/caller.ts';
import { CredentialLookups } from '../../src/auth/credential-lookups.ts';
import type { QuotaPolicy } from '../../src/auth/caller.ts';
import {
  type ForwardedHeader,
  type TrustedProxies,
  clientAddressReader,
} from '../../src/http/client-address.ts';
import { healthRoute } from '../../src/http/health.ts';
import { implement } from '../../src/http/implement.ts';
import { type Metrics, createMetrics } from '../../src/http/telemetry.ts';
import { memoryCounting } from '../../src/lib/counting.ts';
import { type Quota, quotaOf } from '../../src/http/admission.ts';
import { type Answer, type Call, ok, type Route } from '../../src/http/route.ts';
import { type AddPage, buildService, type ServedApi } from '../../src/http/service.ts';
import { listen } from '../../src/http/listen.ts';
import type { ConnectionTimeouts, HttpServer } from '../../src/http/server.ts';
import type { TenantExists } from '../../src/http/request/tenant.ts';
import type { Scope } from '../../src/auth/scope.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';

export const tenantA = '65f0c0ffee0000000000000a';
export const tenantB = '65f0c0ffee0000000000000b';
export const employeeId = '65f0c0ffee0123456789abcd';

/** Keys of the stub: over the whole organization, over tenant A only, and with a small quota of its own. */
export const keys = { all: 'key-all', tenantA: 'key-tenant-a', small: 'key-small' };

const document: OpenApiDocument = openApiDocument(apis.public);

const employee = {
  id: employeeId,
  email: 'maria.schulz@example.com',
  privateEmail: null,
  employeeNumber: null,
  firstName: 'Maria',
  lastName: 'Schulz',
  phoneNumber: null,
  street: null,
  postalCode: null,
  city: null,
  countryCode: null,
  additionalInfo: null,
  blocked: false,
  tenant: null,
  divisionId: null,
  createdAt: '2026-09-02T08:15:30.123Z',
  updatedAt: '2026-09-02T08:15:30.123Z',
};
const attachment = {
  id: employeeId,
  fileName: 'a.pdf',
  mediaType: 'application/pdf',
  size: 5,
  createdAt: '2026-09-02T08:15:30.123Z',
};
const emptyPage = { page: 1, pageSize: 100, totalPages: 0, totalElements: 0, items: [] };

const { operations } = apis.public;

export type Handlers = Readonly<Record<string, (call: Call) => Promise<Answer>>>;

export interface StubService {
  readonly port: number;
  readonly url: string;
  readonly server: Server;
  readonly client: ApiClient;
  /** The calls that reached a handler. */
  readonly calls: Call[];
  /** The lines of the log. */
  readonly log: Record<string, unknown>[];
  readonly metrics: Metrics;
  readonly lifecycle: HttpServer;
  close(): Promise<void>;
}

export interface StubOptions {
  /** Milliseconds that a request may take. */
  readonly requestTimeout?: number;
  /** Waited for before a key is known. */
  readonly authenticating?: () => Promise<void>;
  readonly tenantExists?: TenantExists;
  readonly trustedProxies?: TrustedProxies;
  readonly forwardedHeader?: ForwardedHeader;
  readonly handlers?: Handlers;
  readonly healthy?: () => Promise<boolean>;
  readonly quota?: Quota;
  readonly defaultQuota?: QuotaPolicy;
  readonly pages?: (get: AddPage) => void;
  /** Whether a part of the platform API is served, too. */
  readonly platform?: boolean;
  readonly connectionTimeouts?: Partial<ConnectionTimeouts>;
  readonly bodyRatePeriod?: number;
}

/**
 * The real pipeline on a random port over real HTTP, in front of handlers that answer a fixed employee, or as `options`
 * say. There is no database behind it.
 */
export async function stubService(options: StubOptions = {}): Promise<StubService> {
  const calls: Call[] = [];
  const log: Record<string, unknown>[] = [];
  const metrics = createMetrics({ process: false });
  const quota =
    options.quota ?? quotaOf(memoryCounting(), options.defaultQuota ?? { requests: 100_000, seconds: 60 });
  const served: ServedApi = {
    api: apis.public,
    routes: [
      ...stubRoutes(calls, options.handlers ?? {}),
      healthRoute(options.healthy ?? (async () => true)),
    ],
    async authenticate(header) {
      await options.authenticating?.();
      return keyOf(header);
    },
    quota,
  };
  const lifecycle = buildService({
    inFlight: metrics.inFlight,
    apis: options.platform ? [served, stubPlatform(served)] : [served],
    telemetry: { logger: collectingLogger(log), metrics },
    lookups: new CredentialLookups(),
    timeouts: { request: options.requestTimeout ?? 10_000, files: 10_000 },
    tenantExists:
      options.tenantExists ?? (async (_organization, tenant) => tenant === tenantA || tenant === tenantB),
    organizationExists: async () => true,
    clientAddress: clientAddressReader(
      options.trustedProxies ?? null,
      options.forwardedHeader ?? 'x-forwarded-for',
    ),
    ...(options.pages && { pages: options.pages }),
    ...(options.bodyRatePeriod && { bodyRatePeriod: options.bodyRatePeriod }),
    ...(options.connectionTimeouts && { connectionTimeouts: options.connectionTimeouts }),
  });
  const { server } = lifecycle;
  const port = await listen(server, 'port', { port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${port}/v1`;
  const client = apiClient(url, { key: keys.all, openapi: document });
  const close = async () => {
    client.close();
    await lifecycle.shutDown(0);
  };
  return { port, url, server, client, calls, log, metrics, lifecycle, close };
}

/** The operations of the platform API that take a batch, for every caller. */
function stubPlatform(served: ServedApi): ServedApi {
  return {
    ...served,
    api: apis.platform,
    quota: null,
    authenticate: async () => ({
      actor: { type: 'platform_token', id: 'stub', name: 'stub' },
      scope: { organizations: 'all' },
      permissions: new Set([createOrderBatch.permission]),
      quota: null,
      authority: null,
    }),
    routes: [implement(createOrderBatch, async () => ok('{"items":[]}'))],
  };
}

function stubRoutes(calls: Call[], handlers: Handlers): Route[] {
  const route = (operationId: string, answer: Answer): Route => ({
    operationId,
    operation: operations[operationId]!,
    handle: async call => {
      calls.push(call);
      return handlers[operationId]?.(call) ?? answer;
    },
  });
  const body = JSON.stringify(employee);
  return [
    route('listEmployees', { status: 200, body: JSON.stringify(emptyPage) }),
    route('getEmployee', { status: 200, body }),
    route('createEmployee', { status: 201, body, headers: { Location: `/v1/employees/${employeeId}` } }),
    route('updateEmployee', { status: 200, body }),
    route('uploadIncidentAttachment', {
      status: 201,
      body: JSON.stringify(attachment),
      headers: { Location: `/v1/incidents/${employeeId}` },
    }),
    route('createDivision', { status: 201, body: '{}' }),
    route('createIncident', { status: 201, body: '{}' }),
    route('decideOrder', { status: 200, body: '{}' }),
    route('downloadPayrollExportDocument', { status: 200, body: '' }),
  ];
}

function keyOf(header: string | undefined): Caller | null {
  const caller = (id: string, grants: Scope['grants'], quota: QuotaPolicy | null = null): Caller => ({
    actor: { type: 'api_key', id, name: id },
    scope: { organizationId: 'organization', callerId: id, grants },
    permissions: new Set(),
    quota,
    authority: null,
  });
  switch (header) {
    case keys.all:
      return caller('all', 'all');
    case keys.tenantA:
      return caller('a', [{ tenantId: tenantA, divisions: 'all' }]);
    case keys.small:
      return caller('small', 'all', { requests: 3, seconds: 60 });
    default:
      return null;
  }
}

function collectingLogger(lines: Record<string, unknown>[]): Logger {
  return pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
}

/** Sends bytes over a fresh connection and answers everything that comes back until the other side closes. */
export async function rawRequest(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(bytes);
  return text(socket);
}

/** A body that `POST /employees` accepts. */
export const newEmployee = { email: 'maria.schulz@example.com', firstName: 'Maria', lastName: 'Schulz' };
