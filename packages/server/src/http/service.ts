import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPublished, malformed, openApiDocument } from '@kontor/contract';
import createRouter, { type HTTPMethod } from 'find-my-way';
import type { Metrics } from './telemetry.ts';
import { acceptRequestId, begin } from './request-context.ts';
import { checkProtocol } from './request/headers.ts';
import { isDecodable, routableTarget, routePattern } from './request/parameters.ts';
import { type PipelineParts, operationHandler, serve } from './pipeline.ts';
import { type ConnectionTimeouts, type HttpServer, createHttpServer } from './server.ts';
import { RequestLimits } from './limits/request-limits.ts';
import type { Answer, JsonAnswer, Route } from './route.ts';
import { caching } from './request/tenant.ts';
import { findApi, unknownRouteOf } from './unknown-route.ts';

/** The APIs of one port share these parts. */
export interface Port extends Pick<
  PipelineParts,
  'telemetry' | 'lookups' | 'timeouts' | 'tenantExists' | 'organizationExists' | 'clientAddress'
> {}

export interface ServedApi extends Pick<PipelineParts, 'api' | 'authenticate' | 'quota' | 'publicUrl'> {
  readonly routes: readonly Route[];
}

export interface ServiceParts extends Port {
  readonly apis: readonly ServedApi[];
  readonly pages?: (get: AddPage) => void;
  /** Instead of the defaults. */
  readonly connectionTimeouts?: Partial<ConnectionTimeouts>;
  /** Milliseconds over which the rate of a body is measured. */
  readonly bodyRatePeriod?: number;
  readonly inFlight: Pick<Metrics['inFlight'], 'inc' | 'dec'>;
}

export interface Service extends HttpServer {
  /** Handles requests of a path outside of the stages, without a log line and a count. */
  add(methods: HTTPMethod[], path: string, handle: Handle): void;
}

type PathParameters = Readonly<Record<string, string>>;
export type Handle = (request: IncomingMessage, response: ServerResponse, parameters: PathParameters) => void;

/** Null: there is no such path. */
type Respond = (
  request: IncomingMessage,
  parameters: PathParameters,
) => Answer | null | Promise<Answer | null>;

/** Adds a page or file for browsers: `GET` of a path, with request identifier and error envelope. Log and metrics name it `pages`. */
export type AddPage = (path: string, respond: Respond) => void;

/** Builds the service of one port. The router finds the handler of a path; all else is ours, in the order of `pipeline.ts`. */
export function buildService(parts: ServiceParts): Service {
  const { apis, pages, telemetry } = parts;
  const served = apis.map(({ api }) => api);
  const unknownRoute = unknownRouteOf(served);
  const router = createRouter({
    maxParamLength: Number.MAX_SAFE_INTEGER,
    // `compileQuery` parses it.
    querystringParser: () => ({}),
  });
  const add: Service['add'] = (methods, path, handle) =>
    router.on(methods, path, (request, response, parameters) =>
      handle(request, response, parameters as PathParameters),
    );
  const common = {
    telemetry,
    limits: new RequestLimits(parts.bodyRatePeriod),
    lookups: parts.lookups,
    timeouts: parts.timeouts,
    clientAddress: parts.clientAddress,
    tenantExists: caching(parts.tenantExists),
    organizationExists: parts.organizationExists,
  };
  for (const { routes, ...api } of apis) addApi(add, routes, { ...api, ...common });
  pages?.((path, respond) =>
    add(
      ['GET'],
      path,
      simpleHandler('pages', telemetry, async (request, parameters) => {
        const answer = await respond(request, parameters);
        if (answer === null) throw unknownRoute(request.method, request.url);
        return answer;
      }),
    ),
  );
  const unknown = simpleHandler(
    'unknown',
    telemetry,
    ({ url = '', method }) => {
      throw isDecodable(url) ? unknownRoute(method, url) : malformed('The path is not percent-encoded UTF-8');
    },
    target => findApi(served, target)?.checksRequestId ?? false,
  );
  const server = createHttpServer(
    (request, response) => {
      const found = router.find(request.method as HTTPMethod, routableTarget(request));
      // The router also finds `/employees/{id}` for `/employees/`.
      const isEmpty = found !== null && !('*' in found.params) && Object.values(found.params).includes('');
      if (found && !isEmpty) found.handler(request, response, found.params, found.store, found.searchParams);
      else unknown(request, response, {});
    },
    { ...parts, unknownRoute },
  );
  return Object.assign(server, { add });
}

function addApi(add: Service['add'], routes: readonly Route[], pipeline: PipelineParts): void {
  const { api, telemetry } = pipeline;
  for (const route of routes) {
    const { method, path } = route.operation;
    add([method], `${api.prefix}${routePattern(path)}`, operationHandler(route, pipeline));
  }
  if (!isPublished(api)) return;
  let document: JsonAnswer | undefined;
  // Rendered for the first client that reads it. At the start it would cost 80 ms for all APIs.
  const respond = () => (document ??= { status: 200, body: JSON.stringify(openApiDocument(api)) });
  add(['GET'], `${api.prefix}/openapi.json`, simpleHandler('openapi', telemetry, respond));
}

/** The handler of everything but operations: `respond` answers or throws. `checksRequestId` decides by the target. */
function simpleHandler(
  name: string,
  telemetry: PipelineParts['telemetry'],
  respond: (request: IncomingMessage, parameters: PathParameters) => Answer | Promise<Answer>,
  checksRequestId = (_target: string) => false,
): Handle {
  return (request, response, parameters) => {
    const context = begin(request, response, name);
    void serve(context, telemetry, () => {
      acceptRequestId(context, checksRequestId(request.url!));
      checkProtocol(request);
      return respond(request, parameters);
    });
  };
}
