import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { ApiError, apis } from '@kontor/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownRouteOf } from '../unknown-route.ts';

/** Where the build of `packages/portal` puts the page and its files, each beside itself in two compressed forms. */
const built = new URL('../../../portal/', import.meta.url);

/** What stands in the page where the nonce of the request goes. */
const nonceMark = '__NONCE__';

/**
 * Scripts are files of the service, or have the nonce of the answer; so do style elements. Attributes of style are allowed, which the
 * component library places things with. Nothing goes to or comes from elsewhere, and nobody may show the portal in a frame.
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const mediaTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** How the compressed forms are called, the smallest first: as coding of HTTP, and at the end of the file. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** The page and the names of its files, read once. */
interface Build {
  readonly page: string;
  readonly files: ReadonlySet<string>;
}

async function readBuild(folder: URL): Promise<Build | null> {
  try {
    const page = await readFile(new URL('index.html', folder), 'utf8');
    return { page, files: new Set(await readdir(new URL('assets/', folder))) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** What a clone shows before its first build; published packages have the pages in them. */
const notBuilt = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Kontor</title>
  <h1>The pages of the portal are not built yet</h1>
  <p>Run <code>npm run portal</code> in the repository, and load this page again.</p>
</html>
`;

/** Paths below `/portal` that are not the portal's pages. */
const elsewhere = /^(api|docs|assets)(\/|$)/;

/**
 * Registers the portal: one page at every address below `/portal`, which finds out itself what to show, and its files, whose names change
 * with what is in them. `folder` holds the build.
 */
export function registerPortal(app: FastifyInstance, folder: URL = built): void {
  const unknown = unknownRouteOf([apis.portal]);
  let known: Build | null = null;
  // Kept once it is there: a page that is missing may be built at any time, and one that cannot be read may be read the next time.
  const build = async () => (known ??= await readBuild(folder));
  const showPage = async (reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64');
    const template = (await build())?.page;
    if (template === undefined) return sendPage(reply.code(503), notBuilt, nonce);
    return sendPage(reply, template.replaceAll(nonceMark, nonce), nonce);
  };
  app.get('/portal', (_request, reply) => showPage(reply));
  app.get<{ Params: { '*': string } }>('/portal/*', async (request, reply) => {
    if (elsewhere.test(request.params['*'])) throw unknown(request.method, request.originalUrl);
    return showPage(reply);
  });
  app.get<{ Params: { name: string } }>('/portal/assets/:name', async (request, reply) => {
    const { name } = request.params;
    const files = (await build())?.files;
    if (!files?.has(name)) throw new ApiError('NOT_FOUND', 'There is no such file; load the page again');
    return sendFile(request, reply, { name, files, folder });
  });
}

function sendPage(reply: FastifyReply, page: string, nonce: string): FastifyReply {
  return protect(reply)
    .type('text/html; charset=utf-8')
    .header('Content-Security-Policy', contentSecurityPolicy(nonce))
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .header('Cache-Control', 'no-store')
    .send(page);
}

function protect(reply: FastifyReply): FastifyReply {
  return reply.header('Referrer-Policy', 'same-origin').header('X-Content-Type-Options', 'nosniff');
}

interface Asset {
  readonly name: string;
  readonly files: ReadonlySet<string>;
  readonly folder: URL;
}

/** Sends a file in the smallest form that is there and that the browser takes. */
async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, files, folder }: Asset,
): Promise<FastifyReply> {
  const accepted = request.headers['accept-encoding'] ?? '';
  const coding = codings.find(
    ([coding, end]) =>
      files.has(name + end) && new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
  );
  protect(reply)
    .type(mediaTypes[name.split('.').at(-1)!] ?? 'application/octet-stream')
    .header('Vary', 'Accept-Encoding')
    .header('Cache-Control', 'public, max-age=31536000, immutable');
  if (coding) reply.header('Content-Encoding', coding[0]);
  return reply.send(await readFile(new URL(`assets/${name}${coding?.[1] ?? ''}`, folder)));
}
