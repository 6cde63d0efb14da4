import type { FastifyReply } from 'fastify';

/** Sets the headers of a part of the documentation. It changes with the version only, so a client may keep it for an hour. */
export function setDocumentHeaders(
  reply: FastifyReply,
  { type, contentSecurityPolicy }: { readonly type: string; readonly contentSecurityPolicy: string },
): FastifyReply {
  return reply
    .type(`${type}; charset=utf-8`)
    .header('Content-Security-Policy', contentSecurityPolicy)
    .header('Referrer-Policy', 'no-referrer')
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', 'public, max-age=3600');
}
