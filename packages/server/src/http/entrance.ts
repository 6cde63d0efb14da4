import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Registers what is at `/` and `/v1`, which whoever is given an address opens first: it leads a person, whose browser asks for
 * HTML, to the reference, and a program to the contract. The targets are relative, so that they hold behind a path prefix.
 */
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
