import { randomBytes } from 'node:crypto';
import { ApiError, apis } from '@kontor/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownRouteOf } from '../unknown-route.ts';
import { readIfThere, sendFile, sendNotBuilt } from './static-files.ts';

/** The build of `packages/portal`: the page and its files, each also in two compressed forms. */
const built = new URL('../../../portal/', import.meta.url);

const nonceMark = '__NONCE__';

/** Allows inline scripts and styles only with the nonce. The component library positions elements with style attributes. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** For the page and its files. */
const headers = { 'Referrer-Policy': 'same-origin', 'X-Content-Type-Options': 'nosniff' };

/** Paths below `/portal` that are not pages. */
const elsewhere = /^(api|assets)(\/|$)/;

/** Serves one page below `/portal`, with client-side routing, and its files, which have content hashes. A new build in `folder` is used at once. */
export function registerPortal(app: FastifyInstance, folder: URL = built): void {
  const unknown = unknownRouteOf([apis.portal]);
  app.get('/portal', (_request, reply) => sendPage(reply, folder));
  app.get<{ Params: { '*': string } }>('/portal/*', async (request, reply) => {
    if (elsewhere.test(request.params['*'])) throw unknown(request.method, request.originalUrl);
    return sendPage(reply, folder);
  });
  app.get<{ Params: { name: string } }>('/portal/assets/:name', (request, reply) =>
    sendAsset(request, reply, { name: request.params.name, folder: new URL('assets/', folder) }),
  );
}

async function sendPage(reply: FastifyReply, folder: URL): Promise<FastifyReply> {
  const page = await readIfThere(new URL('index.html', folder));
  if (page === null) return sendNotBuilt(reply);
  const nonce = randomBytes(16).toString('base64');
  return reply
    .headers({
      ...headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(nonce),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    })
    .send(page.toString().replaceAll(nonceMark, nonce));
}

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, folder }: { name: string; folder: URL },
): Promise<FastifyReply> {
  const file = new URL(name, folder);
  const kept = { ...headers, 'Cache-Control': 'public, max-age=31536000, immutable' };
  if (/^[\w-][\w.-]*$/.test(name) && (await sendFile(request, reply, { file, headers: kept }))) return reply;
  throw new ApiError('NOT_FOUND', 'There is no such file; load the page again');
}
