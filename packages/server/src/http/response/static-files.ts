import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';

const mediaTypes: Readonly<Record<string, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
};

/** Content codings with their file extensions, the smallest form first. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
  [null, ''],
] as const;

/** Sends the smallest form of a built file that the client accepts, unless it has that form. False: there is no such file. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, headers }: { readonly file: URL; readonly headers: Readonly<Record<string, string>> },
): Promise<boolean> {
  const { 'accept-encoding': accepted = '', 'if-none-match': present = '' } = request.headers;
  const isAccepted = ([coding]: (typeof codings)[number]) =>
    coding === null || new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted);
  for (const [coding, end] of codings.filter(isAccepted)) {
    const bytes = await readIfThere(new URL(file.href + end));
    if (bytes === null) continue;
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    reply.type(mediaTypes[file.pathname.split('.').at(-1)!] ?? 'application/octet-stream');
    reply.headers({ ...headers, Vary: 'Accept-Encoding', ETag: etag });
    if (coding !== null) reply.header('Content-Encoding', coding);
    // A proxy that compresses makes the tag a weak one.
    if (present.includes(etag)) reply.code(304).send();
    else reply.send(bytes);
    return true;
  }
  return false;
}

/** The content of a file; null: there is none. */
export async function readIfThere(file: URL): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Names the command that builds the files, in a clone before its first build. Published packages contain them. */
export function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .code(503)
    .headers({
      'Content-Type': mediaTypes['html']!,
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
    .send(notBuilt);
}

const notBuilt = `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <title>Kontor</title>
  <h1>The pages are not built yet</h1>
  <p>Run <code>npm run build</code> in the repository, and load this page again.</p>
</html>
`;
