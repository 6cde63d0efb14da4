import { existsSync } from 'node:fs';
import { type Api, apis } from '@kontor/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownRouteOf } from '../unknown-route.ts';
import { sendFile, sendNotBuilt } from './static-files.ts';

/** The build of `tools/documentation`. The path of a file is its address, and pages end in `.html`. */
const built = new URL('../../../documentation/', import.meta.url);

/** Forbids other origins and inline scripts. */
const policyOf = (...sources: readonly string[]) =>
  [
    "default-src 'none'",
    ...sources,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The reference needs inline styles. */
const referencePolicy = policyOf(
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
);

/** The styles and the empty icon of a page of text, and no scripts. */
const textPolicy = policyOf("style-src 'unsafe-inline'", 'img-src data:');

/** The address of the reference: `docs` replaces the last segment of the prefix, for example `/docs`. */
export function referenceAddress({ prefix }: Pick<Api, 'prefix'>): string {
  return prefix.replace(/[^/]+$/, 'docs');
}

/** Registers the reference of an API and its two scripts. */
export function registerReference(app: FastifyInstance, api: Pick<Api, 'prefix'>, folder: URL = built): void {
  const address = referenceAddress(api);
  const files = {
    [address]: `.${address}.html`,
    [`${address}/start.js`]: `.${address}/start.js`,
    [`${address}/scalar.js`]: 'scalar.js',
  };
  for (const [path, name] of Object.entries(files))
    app.get(path, (request, reply) =>
      sendDocument(request, reply, { name, folder, policy: referencePolicy }),
    );
}

/** Registers the guides, such as `/docs/portal`, their list as `/docs/guides`, and the change log with its feed. */
export function registerGuides(app: FastifyInstance, folder: URL = built): void {
  const send = (request: FastifyRequest, reply: FastifyReply, name: string) =>
    sendDocument(request, reply, { name, folder, policy: textPolicy });
  app.get('/docs/changelog.atom', (request, reply) => send(request, reply, 'docs/changelog.atom'));
  app.get<{ Params: { name: string } }>('/docs/:name', (request, reply) => {
    const { name } = request.params;
    if (!/^[\w-]+$/.test(name)) throw unknown(request.method, request.originalUrl);
    return send(request, reply, `docs/${name}.html`);
  });
}

const unknown = unknownRouteOf([apis.public]);

async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, folder, policy }: { readonly name: string; readonly folder: URL; readonly policy: string },
): Promise<FastifyReply> {
  // The documentation changes with the version only, so a client may keep it for an hour.
  const headers = {
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'public, max-age=3600',
  };
  if (await sendFile(request, reply, { file: new URL(name, folder), headers })) return reply;
  if (existsSync(folder)) throw unknown(request.method, request.originalUrl);
  return sendNotBuilt(reply);
}
