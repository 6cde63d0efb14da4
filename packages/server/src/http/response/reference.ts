import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PublishedApi } from '@kontor/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setDocumentHeaders } from './document-headers.ts';

/** The script of the reference in one compressed file. The text file next to it names its source. */
const bundle = new URL('../../../reference/scalar.js.gz', import.meta.url);

/** Forbids other origins and inline scripts. The reference needs inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// The addresses are relative, so they work behind a path prefix.
const pageOf = (title: string, api: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The contract itself is at <a href="${api}/openapi.json">${api}/openapi.json</a>.</noscript>
    <script src="docs/scalar.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;

/** Turns off the request client, stored keys and telemetry: API keys do not belong in browsers (specification.md 5.8). */
const configuration = {
  hideTestRequestButton: true,
  hideClientButton: true,
  persistAuth: false,
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'direct',
  operationTitleSource: 'summary',
  orderSchemaPropertiesBy: 'preserve',
};

// The examples of the reference use the address under which it was opened.
const startOf = (api: string) => `Scalar.createApiReference('#reference', {
  ...${JSON.stringify({ url: `${api}/openapi.json`, ...configuration })},
  servers: [{ url: new URL('${api}', location.href).href }],
});
`;

let compressed: Promise<Buffer> | undefined;

/** Kept in memory compressed: a little over 1 MB instead of 4 MB. Hardly any client needs it uncompressed. */
async function sendBundle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  compressed ??= readFile(bundle);
  const accepted = request.headers['accept-encoding'] ?? '';
  reply.header('Vary', 'Accept-Encoding');
  if (!/\bgzip\b/.test(accepted)) return reply.send(await promisify(gunzip)(await compressed));
  return reply.header('Content-Encoding', 'gzip').send(await compressed);
}

/** Registers the reference of an API and its two scripts. `docs` replaces the last segment of the prefix, for example `/docs`. */
export function registerReference(
  app: FastifyInstance,
  { prefix, texts }: Pick<PublishedApi, 'prefix' | 'texts'>,
): void {
  const api = prefix.split('/').at(-1)!;
  const address = `${prefix.slice(0, -api.length)}docs`;
  const page = pageOf(texts.referenceTitle, api);
  const start = startOf(api);
  const headers = (reply: FastifyReply, type: string) =>
    setDocumentHeaders(reply, { type, contentSecurityPolicy });
  app.get(address, (_request, reply) => headers(reply, 'text/html').send(page));
  app.get(`${address}/start.js`, (_request, reply) => headers(reply, 'text/javascript').send(start));
  app.get(`${address}/scalar.js`, (request, reply) => sendBundle(request, headers(reply, 'text/javascript')));
}
