import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import type { PageAnswer } from '../route.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  atom: 'application/atom+xml; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  woff2: 'font/woff2',
};

/** Content codings with their file extensions, the smallest form first. */
const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
  [null, ''],
] as const;

/** Answers with the smallest form of a built file that the client accepts, unless it has that form. Null: there is no such file. */
export async function answerFile(
  sent: IncomingHttpHeaders,
  file: URL,
  headers: PageAnswer['headers'],
): Promise<PageAnswer | null> {
  const { 'accept-encoding': accepted = '', 'if-none-match': present = '' } = sent;
  const isAccepted = ([coding]: (typeof codings)[number]) =>
    coding === null || new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted);
  for (const [coding, end] of codings.filter(isAccepted)) {
    const bytes = await readIfThere(new URL(file.href + end));
    if (bytes === null) continue;
    const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    const all = {
      'content-type': mediaTypes[file.pathname.split('.').at(-1)!] ?? 'application/octet-stream',
      ...headers,
      vary: 'Accept-Encoding',
      etag,
      ...(coding !== null && { 'content-encoding': coding }),
    };
    // A proxy that compresses makes the tag a weak one.
    return present.includes(etag)
      ? { status: 304, headers: all, page: '' }
      : { status: 200, headers: all, page: bytes };
  }
  return null;
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
export const notBuilt: PageAnswer = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  page: 'The pages are not built yet. Run npm run build in the repository, and load this page again.\n',
};
