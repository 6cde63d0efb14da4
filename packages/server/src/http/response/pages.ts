import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Telemetry, report } from '../../telemetry/requests.ts';
import { type RequestContext, acceptRequestId, begin } from '../request-context.ts';
import { failureAnswer } from './failure.ts';

export type Pages = (app: FastifyInstance) => void;

/** Adds browser pages as plain Fastify routes, with request identifier and error envelope. Log and metrics name them `pages`. */
export function addPages(app: FastifyInstance, pages: Pages, telemetry: Telemetry): void {
  app.register(async scope => {
    const contexts = new WeakMap<FastifyRequest, RequestContext>();
    scope.addHook('onRequest', async (request, reply) => {
      const context = begin(request.raw, reply.raw, 'pages');
      contexts.set(request, context);
      acceptRequestId(context, false);
      reply.header('X-Request-ID', context.requestId);
    });
    scope.setErrorHandler(async (error, request, reply) => {
      const context = contexts.get(request)!;
      const { status, body, headers } = failureAnswer(error, context, telemetry.logger);
      reply.code(status).headers({
        ...headers,
        'X-Request-ID': context.requestId,
        'Content-Type': 'application/json',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      });
      return body;
    });
    scope.addHook('onResponse', async (request, reply) =>
      report(contexts.get(request)!, reply.statusCode, telemetry),
    );
    pages(scope);
  });
}

/** Redirects browsers to the reference and other clients to the contract. Relative targets work behind a path prefix. */
export function registerEntrance(app: FastifyInstance): void {
  const lead = (request: FastifyRequest, reply: FastifyReply) => {
    const isPerson = /\btext\/html\b/i.test(request.headers.accept ?? '');
    return reply
      .code(302)
      .headers({
        Location: isPerson ? 'docs' : 'v1/openapi.json',
        Vary: 'Accept',
        'Content-Type': 'application/json',
      })
      .send(JSON.stringify({ contract: 'v1/openapi.json', reference: 'docs' }));
  };
  app.get('/', lead);
  app.get('/v1', lead);
}
