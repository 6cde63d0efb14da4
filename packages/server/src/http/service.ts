import { isPublished, malformed, openApiDocument } from '@kontor/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Telemetry } from '../telemetry/requests.ts';
import { acceptRequestId, begin } from './request-context.ts';
import { checkProtocol } from './request/headers.ts';
import { type Pages, addPages } from './response/pages.ts';
import { isDecodable, routableTarget, routePattern } from './request/parameters.ts';
import { type PipelineParts, operationHandler, serve } from './pipeline.ts';
import { answerProtocolError, type ConnectionTimeouts, createHttpServer } from './server.ts';
import { RequestLimits } from './limits/request-limits.ts';
import type { JsonAnswer, Route } from './route.ts';
import { caching } from './request/tenant.ts';
import { findApi, type UnknownRoute, unknownRouteOf } from './unknown-route.ts';

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
  readonly pages?: Pages;
  /** Instead of the defaults. */
  readonly connectionTimeouts?: Partial<ConnectionTimeouts>;
}

/** Builds the service of one port. Fastify only routes: it neither parses nor validates, as the pipeline has its own order of stages. */
export function buildService(parts: ServiceParts): FastifyInstance {
  const { apis, pages, telemetry } = parts;
  const unknownRoute = unknownRouteOf(apis.map(({ api }) => api));
  const app = createApp(parts, unknownRoute);
  const common = {
    telemetry,
    unknownRoute,
    limits: new RequestLimits(),
    lookups: parts.lookups,
    timeouts: parts.timeouts,
    clientAddress: parts.clientAddress,
    tenantExists: caching(parts.tenantExists),
    organizationExists: caching(parts.organizationExists),
  };
  for (const { routes, ...served } of apis) addApi(app, routes, { ...served, ...common });
  if (pages) addPages(app, pages, telemetry);
  return app;
}

function addApi(app: FastifyInstance, routes: readonly Route[], pipeline: PipelineParts): void {
  const { api, telemetry } = pipeline;
  for (const route of routes) {
    const { method, path } = route.operation;
    const url = `${api.prefix}${routePattern(path)}`;
    app.route({ method, url, handler: operationHandler(route, pipeline) });
  }
  if (!isPublished(api)) return;
  let document: JsonAnswer | undefined;
  app.get(
    `${api.prefix}/openapi.json`,
    // Rendered for the first client that reads it. At the start it would cost 80 ms for all APIs.
    simpleHandler(
      'openapi',
      telemetry,
      () => (document ??= { status: 200, body: JSON.stringify(openApiDocument(api)) }),
    ),
  );
}

function createApp(
  { apis, telemetry, connectionTimeouts }: ServiceParts,
  unknownRoute: UnknownRoute,
): FastifyInstance {
  const reject = simpleHandler(
    'unknown',
    telemetry,
    (target, method) => rejectUnknown(unknownRoute, target, method),
    target =>
      findApi(
        apis.map(({ api }) => api),
        target,
      )?.checksRequestId ?? false,
  );
  const app = Fastify({
    serverFactory: handler => createHttpServer(handler, { telemetry, unknownRoute, connectionTimeouts }),
    clientErrorHandler: (error, socket) => answerProtocolError(error, socket, telemetry),
    frameworkErrors: reject,
    rewriteUrl: routableTarget,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
  });
  // Fastify would parse the body of other methods before it calls the handler.
  for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'PUT', 'POST', 'QUERY'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  app.setNotFoundHandler(reject);
  return app;
}

type Respond = (target: string, method: string) => JsonAnswer;

/**
 * The handler of everything but operations. It accepts the request identifier, which `checksRequestId` decides by the target, then `respond`
 * answers or throws.
 */
function simpleHandler(
  name: string,
  telemetry: Telemetry,
  respond: Respond,
  checksRequestId = (_target: string) => false,
) {
  return (...args: [...unknown[], FastifyRequest, FastifyReply]): void => {
    const [request, reply] = args.slice(-2) as [FastifyRequest, FastifyReply];
    reply.hijack();
    const context = begin(request.raw, reply.raw, name);
    void serve(context, telemetry, () => {
      acceptRequestId(context, checksRequestId(request.originalUrl));
      checkProtocol(request.raw);
      return respond(request.originalUrl, request.method);
    });
  };
}

function rejectUnknown(unknownRoute: UnknownRoute, target: string, method: string): never {
  if (!isDecodable(target)) throw malformed('The path is not percent-encoded UTF-8');
  throw unknownRoute(method, target);
}
