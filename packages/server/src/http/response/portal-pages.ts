import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ApiError, apis } from '@kontor/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownRouteOf } from '../unknown-route.ts';

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

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Content codings with their file extensions, the smallest form first. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
  [null, ''],
] as const;

/** Shown in a clone before its first build. Published packages contain the pages. */
const notBuilt = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Kontor</title>
  <h1>The pages of the portal are not built yet</h1>
  <p>Run <code>npm run portal</code> in the repository, and load this page again.</p>
</html>
`;

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
    sendFile(request, reply, { name: request.params.name, folder: new URL('assets/', folder) }),
  );
}

async function sendPage(reply: FastifyReply, folder: URL): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64');
  const page = await readIfThere(new URL('index.html', folder));
  protect(reply)
    .type('text/html; charset=utf-8')
    .header('Content-Security-Policy', contentSecurityPolicy(nonce))
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .header('Cache-Control', 'no-store');
  if (page === null) return reply.code(503).send(notBuilt);
  return reply.send(page.toString().replaceAll(nonceMark, nonce));
}

/** Sends the smallest form of a file that exists and that the browser accepts. */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, folder }: { name: string; folder: URL },
): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] ?? '';
  const isAccepted = ([coding]: (typeof codings)[number]) =>
    coding === null || new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted);
  for (const [coding, end] of /^[\w-][\w.-]*$/.test(name) ? codings.filter(isAccepted) : []) {
    const bytes = await readIfThere(new URL(name + end, folder));
    if (bytes === null) continue;
    if (coding !== null) reply.header('Content-Encoding', coding);
    return protect(reply)
      .type(mediaTypes[name.split('.').at(-1)!] ?? 'application/octet-stream')
      .header('Vary', 'Accept-Encoding')
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .send(bytes);
  }
  throw new ApiError('NOT_FOUND', 'There is no such file; load the page again');
}

function protect(reply: FastifyReply): FastifyReply {
  return reply.header('Referrer-Policy', 'same-origin').header('X-Content-Type-Options', 'nosniff');
}

async function readIfThere(file: URL): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
