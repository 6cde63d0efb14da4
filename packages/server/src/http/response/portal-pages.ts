import { randomBytes } from 'node:crypto';
import { ApiError } from '@kontor/contract';
import type { PageAnswer } from '../route.ts';
import type { AddPage } from '../service.ts';
import { answerFile, notBuilt, readIfThere } from './static-files.ts';

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
const headers = { 'referrer-policy': 'same-origin', 'x-content-type-options': 'nosniff' };

/** Paths below `/portal` that are not pages. */
const elsewhere = /^(api|assets)(\/|$)/;

/** Serves one page below `/portal`, with client-side routing, and its files, which have content hashes. A new build in `folder` is used at once. */
export function registerPortal(get: AddPage, folder: URL = built): void {
  get('/portal', () => answerPage(folder));
  get('/portal/*', (_request, { '*': path = '' }) => (elsewhere.test(path) ? null : answerPage(folder)));
  get('/portal/assets/:name', async ({ headers: sent }, { name = '' }) => {
    const kept = { ...headers, 'cache-control': 'public, max-age=31536000, immutable' };
    const isName = /^[\w-][\w.-]*$/.test(name);
    const answer = isName && (await answerFile(sent, new URL(`assets/${name}`, folder), kept));
    if (answer) return answer;
    throw new ApiError('NOT_FOUND', 'There is no such file; load the page again');
  });
}

async function answerPage(folder: URL): Promise<PageAnswer> {
  const page = await readIfThere(new URL('index.html', folder));
  if (page === null) return notBuilt;
  const nonce = randomBytes(16).toString('base64');
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(nonce),
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    page: page.toString().replaceAll(nonceMark, nonce),
  };
}
