import { malformed } from '@kontor/contract';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Telemetry } from './answer.ts';
import { begin } from './exchange.ts';
import { checkProtocol } from './headers.ts';
import { type Pages, addPages } from './pages.ts';
import { isDecodable, routableTarget, routePattern } from './path.ts';
import { type PipelineParts, operationHandler, serve } from './pipeline.ts';
import { answerProtocolError, createHttpServer } from './protocol.ts';
import { acceptRequestId } from './request-id.ts';
import type { JsonAnswer, Route } from './route.ts';
import { remembering } from './tenant.ts';
import { unknownRoute } from './unknown-route.ts';

export interface ServiceParts extends PipelineParts {
  readonly routes: readonly Route[];
  /** The OpenAPI document as JSON text, served at `/v1/openapi.json`. */
  readonly openapi: string;
  /** Registers pages for people, such as the reference. */
  readonly pages?: Pages;
  /** How long a client may take nothing of its answer before it is cut off, in milliseconds; a minute unless said. */
  readonly readerPatience?: number;
}

/**
 * Builds the service, ready to listen. Fastify routes and serves; it neither parses nor validates, so that the stages of
 * the pipeline run in their order.
 */
export function buildService(parts: ServiceParts): FastifyInstance {
  const pipeline: PipelineParts = { ...parts, tenantExists: remembering(parts.tenantExists) };
  const app = createApp(pipeline, parts.readerPatience);
  for (const route of parts.routes) {
    const { method, path } = route.operation;
    app.route({ method, url: `/v1${routePattern(path)}`, handler: operationHandler(route, pipeline) });
  }
  const document: JsonAnswer = { status: 200, body: parts.openapi };
  app.get(
    '/v1/openapi.json',
    simpleHandler('openapi', pipeline, () => document),
  );
  app.setNotFoundHandler(simpleHandler('unknown', pipeline, refuseUnknown));
  if (parts.pages) addPages(app, parts.pages, pipeline);
  return app;
}

function createApp(telemetry: Telemetry, readerPatience?: number): FastifyInstance {
  const app = Fastify({
    serverFactory: handler => createHttpServer(handler, telemetry, readerPatience),
    clientErrorHandler: (error, socket) => answerProtocolError(error, socket, telemetry),
    frameworkErrors: simpleHandler('unknown', telemetry, refuseUnknown),
    rewriteUrl: request => routableTarget(request.url ?? '/'),
    genReqId: () => '',
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
  });
  // A method that Fastify holds to have no body reaches its handler at once, before any parsing.
  for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'PUT', 'POST', 'QUERY'])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  return app;
}

/** Answers a request target, as it came in, and a method. */
type Respond = (target: string, method: string) => JsonAnswer;

/** The handler of what is no operation: the request identifier is accepted, then `respond` answers or throws. */
function simpleHandler(name: string, telemetry: Telemetry, respond: Respond) {
  return (...args: [...unknown[], FastifyRequest, FastifyReply]): void => {
    const [request, reply] = args.slice(-2) as [FastifyRequest, FastifyReply];
    reply.hijack();
    const exchange = begin(request.raw, reply.raw, name);
    void serve(exchange, telemetry, () => {
      acceptRequestId(exchange);
      checkProtocol(request.raw);
      return respond(request.originalUrl, request.method);
    });
  };
}

function refuseUnknown(target: string, method: string): never {
  if (!isDecodable(target)) throw malformed('The path is not percent-encoded UTF-8');
  throw unknownRoute(method, target);
}
