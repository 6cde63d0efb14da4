import { QueryClient, type QueryKey } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
} from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { addressOf, type AnswerOf } from './api/ask.ts';
import { firstTenants, identityQuery, keysQuery, tenantsQuery } from './api/queries.ts';
import { activate, isLanguage } from './i18n.ts';
import { KeysPage } from './keys/list-page.tsx';
import { parseKeysSearch, questionOf } from './keys/search.ts';
import type { Known } from './known.ts';
import { isReadable } from './parts/list/use-filtering.tsx';
import { Portal } from './portal.tsx';
import { Shell } from './shell/shell.tsx';

/** Who opens a page, and what of the page the drawing needs. */
interface Opened {
  /** Path and query of the page, such as `/portal/settings/api-keys?page=2`. */
  readonly target: string;
  readonly nonce: string;
  /** The language that was chosen in the browser, if any. */
  readonly language: string | undefined;
  /** Asks the portal API in the name of who opens the page, by path and query below it. @throws Error where that is refused. */
  readonly ask: (address: string) => Promise<unknown>;
}

// As in router.tsx, but for what a browser asks and decides before it draws.
const root = createRootRoute({ component: Outlet });
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });
const keys = createRoute({
  getParentRoute: () => shell,
  path: '/settings/api-keys',
  validateSearch: parseKeysSearch,
  component: KeysPage,
});
const routeTree = root.addChildren([shell.addChildren([keys])]);

/**
 * Draws the list of keys, with what it was drawn from beside it, as HTML for the body of the page: it is seen before the script of the
 * page is there, which then takes its place. Null for any other page, and for what only the page itself can tell.
 */
export async function draw({ target, nonce, language: chosen, ask }: Opened): Promise<string | null> {
  if (!/^\/portal\/settings\/api-keys\/?(\?|$)/.test(target)) return null;
  // Before any work that takes long: nobody else has that done.
  const identity = (await ask(addressOf('GET /session', {}))) as AnswerOf<'GET /session'>;
  const tenants = (await ask(addressOf('GET /tenants', { query: firstTenants }))) as AnswerOf<'GET /tenants'>;
  if (tenants.totalPages > 1) return null;
  const history = createMemoryHistory({ initialEntries: [target] });
  const router = createRouter({ routeTree, basepath: '/portal', history });
  const search = parseKeysSearch(router.latestLocation.search);
  if (!isReadable(search)) return null;
  // On a server the router leads from an address that it would write in another way to its own.
  history.replace(router.buildLocation({ to: '/settings/api-keys', search }).publicHref);
  await router.load();
  const question = questionOf(search, Date.now());
  const list = await ask(addressOf('GET /api-keys', { query: question }));
  const answers: [QueryKey, unknown][] = [
    [identityQuery.queryKey, identity],
    [keysQuery(question).queryKey, list],
    [tenantsQuery.queryKey, tenants],
  ];
  const queryClient = new QueryClient();
  for (const [key, answer] of answers) queryClient.setQueryData(key, answer);
  const language = isLanguage(chosen) ? chosen : identity.user.language;
  // Nothing is awaited from here on: another drawing may be in another language.
  activate(language);
  const html = renderToString(<Portal router={router} queryClient={queryClient} nonce={nonce} />);
  // What React puts where a part has failed, instead of the failure.
  if (html.includes('<!--$!-->')) throw new Error('a part of the page could not be drawn');
  // For assistive programs the page is there when it can be used.
  return `<div id="drawn" lang="${language}" inert aria-hidden="true">${html}</div>${embedded({ answers })}`;
}

/** Data in a page; nothing in it can end the element. */
function embedded(known: Known): string {
  return `<script type="application/json" id="known">${JSON.stringify(known).replaceAll('<', String.raw`\u003c`)}</script>`;
}
