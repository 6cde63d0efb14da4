import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Api } from '@kontor/contract';
import type { PageAnswer } from '../route.ts';
import type { AddPage } from '../service.ts';
import { answerFile, notBuilt } from './static-files.ts';

/** The build of `tools/documentation`. The path of a file is its address, and pages end in `.html`. */
const built = new URL('../../../documentation/', import.meta.url);

/** Other origins and inline scripts are forbidden. */
const ownOrigin = "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The reference needs inline styles. */
const referencePolicy = `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; ${ownOrigin}`;

/** The styles, pictures and the empty icon of a page of text, and no scripts. */
const textPolicy = `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; ${ownOrigin}`;

/** The address of the reference: `docs` replaces the last segment of the prefix, for example `/docs`. */
export function referenceAddress({ prefix }: Pick<Api, 'prefix'>): string {
  return prefix.replace(/[^/]+$/, 'docs');
}

/** Redirects browsers to the reference and other clients to the contract. Relative targets work behind a path prefix. */
export function registerEntrance(get: AddPage): void {
  const lead = ({ headers: { accept = '' } }: IncomingMessage): PageAnswer => ({
    status: 302,
    headers: {
      location: /\btext\/html\b/i.test(accept) ? 'docs' : 'v1/openapi.json',
      vary: 'Accept',
      'content-type': 'application/json; charset=utf-8',
    },
    page: JSON.stringify({ contract: 'v1/openapi.json', reference: 'docs' }),
  });
  get('/', lead);
  get('/v1', lead);
}

/** Registers the reference of an API and its two scripts. */
export function registerReference(get: AddPage, api: Pick<Api, 'prefix'>, folder: URL = built): void {
  const address = referenceAddress(api);
  const files = {
    [address]: `.${address}.html`,
    [`${address}/start.js`]: `.${address}/start.js`,
    [`${address}/scalar.js`]: 'scalar.js',
  };
  for (const [path, name] of Object.entries(files))
    get(path, request => answerDocument(request, { name, folder, policy: referencePolicy }));
}

/** Registers the guides, such as `/docs/portal`, their pictures and list (`/docs/guides`), and the change log with its feed. */
export function registerGuides(get: AddPage, folder: URL = built): void {
  const answer = (request: IncomingMessage, name: string) =>
    answerDocument(request, { name, folder, policy: textPolicy });
  get('/docs/changelog.atom', request => answer(request, 'docs/changelog.atom'));
  get('/docs/portal/:name', (request, { name = '' }) =>
    /^[\w-]+\.webp$/.test(name) ? answer(request, `docs/portal/${name}`) : null,
  );
  get('/docs/:name', (request, { name = '' }) =>
    /^[\w-]+$/.test(name) ? answer(request, `docs/${name}.html`) : null,
  );
}

async function answerDocument(
  { headers }: IncomingMessage,
  { name, folder, policy }: { readonly name: string; readonly folder: URL; readonly policy: string },
): Promise<PageAnswer | null> {
  const answer = await answerFile(headers, new URL(name, folder), {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // The documentation changes with the version only, so a client may keep it for an hour.
    'cache-control': 'public, max-age=3600',
  });
  return answer ?? (existsSync(folder) ? null : notBuilt);
}
