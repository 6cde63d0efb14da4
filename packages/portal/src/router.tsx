import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  retainSearchParams,
  type RouteComponent,
} from '@tanstack/react-router';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import {
  identityQuery,
  keysQuery,
  queryClient,
  reasonOfEnd,
  signInMethodsQuery,
  tenantsQuery,
  whoIsSignedIn,
} from './api/queries.ts';
import { preferredLanguage, speak } from './i18n.ts';
import { KeysPage } from './features/keys/list-page.tsx';
import { type KeysSearch, parseKeysSearch, questionOf } from './features/keys/search.ts';
import { parseEmployeesSearch } from './features/employees/search.ts';
import { parseImportSearch } from './features/imports/search.ts';
import { parseTab } from './kit/detail/tabs.tsx';
import { parsePayrollSearch } from './features/payroll/search.ts';
import {
  type ListView,
  parseListSearch,
  parseQueueSearch,
  type TypedState,
  viewOf,
} from './kit/list/search.ts';
import { parseCompany } from './kit/navigation/company.tsx';
import { SignInPage } from './features/sign-in/sign-in.tsx';
import { lazyPage } from './kit/navigation/lazy-page.ts';
import { NavigationProgress } from './kit/navigation/progress.tsx';
import { Toasts } from './kit/overlay/toasts.tsx';
import { type SignInReason, signInRedirect } from './kit/navigation/sign-in-redirect.ts';
import { MissingPage, PageFailure, Shell, ShellFailure } from './kit/navigation/shell.tsx';

/** The page with its progress bar and toast. */
function Root() {
  return (
    <>
      <NavigationProgress />
      <Outlet />
      <Toasts />
    </>
  );
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
});

/** The pages in the frame, or the passkey that the user must register or confirm before. */
function Framed() {
  const { data: identity } = useQuery(identityQuery);
  return identity?.passkeyRequired ? (
    <Suspense>
      <RequiredPasskey identity={identity} />
    </Suspense>
  ) : (
    <Shell />
  );
}

const RequiredPasskey = lazy(async () => ({
  default: (await import('./features/sign-in/required-passkey.tsx')).RequiredPasskey,
}));

const signInReasons: readonly SignInReason[] = ['expired', 'ended', 'signed-out'];

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  // Only a path of the portal: a forged link must not lead to another site after the sign-in.
  validateSearch: ({
    from,
    reason,
  }: Record<string, unknown>): { from?: string | undefined; reason?: SignInReason | undefined } => ({
    from: typeof from === 'string' && /^\/(?![/\\])/.test(from) ? from : undefined,
    reason: signInReasons.find(one => one === reason),
  }),
  async beforeLoad() {
    if (await whoIsSignedIn()) redirect({ to: '/', throw: true });
  },
  // Until the answer is there, the page offers the password only.
  loader: ({ context }) => context.queryClient.prefetchQuery(signInMethodsQuery),
  component: SignInPage,
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./features/sign-in/invitation.tsx'), 'InvitationPage'),
});

const openId = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/openid',
  component: lazyPage(() => import('./features/sign-in/openid.tsx'), 'OpenIdPage'),
});

const forgotten = createRoute({
  getParentRoute: () => root,
  path: '/forgotten-password',
  component: lazyPage(() => import('./features/sign-in/forgotten.tsx'), 'ForgottenPage'),
});

/** Parent of the pages for signed-in users. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  validateSearch: parseCompany,
  // The chosen company is kept from page to page.
  search: { middlewares: [retainSearchParams(['company'])] },
  async beforeLoad({ context, location }) {
    const identity = await whoIsSignedIn();
    if (identity === null) redirect({ ...signInRedirect(location, reasonOfEnd()), throw: true });
    else await speak(preferredLanguage(identity.user.language));
    void context.queryClient.prefetchQuery(signInMethodsQuery);
  },
  component: Framed,
});

/** Options shared by the pages in the frame. The frame stays when a page fails. */
const inShell = { getParentRoute: () => shell, errorComponent: PageFailure };

/** A page in the frame, without anything else in its address. */
const inFrame = <Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ ...inShell, path, component });

const home = inFrame(
  '/',
  lazyPage(() => import('./features/home/home.tsx'), 'HomePage'),
);

const sessions = inFrame(
  '/sessions',
  lazyPage(() => import('./features/account/sessions.tsx'), 'SessionsPage'),
);

const account = inFrame(
  '/account',
  lazyPage(() => import('./features/account/account.tsx'), 'AccountPage'),
);

const password = inFrame(
  '/account/password',
  lazyPage(() => import('./features/account/password.tsx'), 'PasswordPage'),
);

const notifications = inFrame(
  '/account/notifications',
  lazyPage(() => import('./features/account/notifications.tsx'), 'NotificationsPage'),
);

const keys = createRoute({
  ...inShell,
  path: '/settings/api-keys',
  validateSearch: parseKeysSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, location }) => void prefetchKeys(viewOf(deps, location.state.typed)),
  // Not lazy: most users open this page first, and other pages need nearly all of its code.
  component: KeysPage,
});

/** Requests the list and the names of companies while the page loads. The page must read a filter before it can request the list. */
async function prefetchKeys(search: ListView<KeysSearch>): Promise<void> {
  const list = search.filter === undefined && queryClient.prefetchQuery(keysQuery(questionOf(search)));
  await Promise.all([list, queryClient.prefetchQuery(tenantsQuery)]);
}

const newKey = inFrame(
  '/settings/api-keys/new',
  lazyPage(() => import('./features/keys/new-page.tsx'), 'NewKeyPage'),
);

const oneKey = createRoute({
  ...inShell,
  path: '/settings/api-keys/$id',
  validateSearch: parseTab(['overview', 'connect', 'errors', 'access', 'history']),
  component: lazyPage(() => import('./features/keys/key-page.tsx'), 'KeyPage'),
});

const orders = createRoute({
  ...inShell,
  path: '/orders',
  validateSearch: (search: Record<string, unknown>) => parseQueueSearch(search, 'order'),
  component: lazyPage(() => import('./features/orders/list-page.tsx'), 'OrdersPage'),
});

const incidents = createRoute({
  ...inShell,
  path: '/incidents',
  validateSearch: (search: Record<string, unknown>) => parseQueueSearch(search, 'incident'),
  component: lazyPage(() => import('./features/incidents/list-page.tsx'), 'IncidentsPage'),
});

const newIncident = createRoute({
  ...inShell,
  path: '/incidents/new',
  /** `employee` is chosen in the form. */
  validateSearch: ({ employee }: Record<string, unknown>): { employee?: string | undefined } => ({
    employee: typeof employee === 'string' ? employee : undefined,
  }),
  component: lazyPage(() => import('./features/incidents/report-page.tsx'), 'ReportPage'),
});

const employees = createRoute({
  ...inShell,
  path: '/employees',
  validateSearch: parseEmployeesSearch,
  component: lazyPage(() => import('./features/employees/list-page.tsx'), 'EmployeesPage'),
});

const newEmployee = inFrame(
  '/employees/new',
  lazyPage(() => import('./features/employees/new-page.tsx'), 'NewEmployeePage'),
);

const oneEmployee = createRoute({
  ...inShell,
  path: '/employees/$id',
  validateSearch: parseTab(['overview', 'history', 'orders', 'incidents', 'payroll', 'personal-data']),
  component: lazyPage(() => import('./features/employees/employee-page.tsx'), 'EmployeePage'),
});

const departure = createRoute({
  ...inShell,
  path: '/employees/$id/departure',
  /** `incident` is the one that it is recorded for. */
  validateSearch: ({ incident }: Record<string, unknown>): { incident?: string | undefined } => ({
    incident: typeof incident === 'string' ? incident : undefined,
  }),
  component: lazyPage(() => import('./features/employees/departure-page.tsx'), 'DeparturePage'),
});

const payroll = createRoute({
  ...inShell,
  path: '/payroll',
  validateSearch: parsePayrollSearch,
  component: lazyPage(() => import('./features/payroll/payroll-page.tsx'), 'PayrollPage'),
});

const imports = createRoute({
  ...inShell,
  path: '/imports',
  validateSearch: parseImportSearch,
  component: lazyPage(() => import('./features/imports/import-page.tsx'), 'ImportPage'),
});

const companies = createRoute({
  ...inShell,
  path: '/companies',
  validateSearch: parseListSearch,
  component: lazyPage(() => import('./features/companies/list-page.tsx'), 'CompaniesPage'),
});

const company = createRoute({
  ...inShell,
  path: '/companies/$id',
  validateSearch: ({
    division,
    tab,
  }: Record<string, unknown>): { division?: string | undefined; tab?: string | undefined } => ({
    division: typeof division === 'string' ? division : undefined,
    ...parseTab(['divisions', 'payroll', 'approval', 'retention'])({ tab }),
  }),
  component: lazyPage(() => import('./features/companies/company-page.tsx'), 'CompanyPage'),
});

const users = createRoute({
  ...inShell,
  path: '/settings/users',
  validateSearch: parseListSearch,
  component: lazyPage(() => import('./features/users/list-page.tsx'), 'UsersPage'),
});

const newUser = inFrame(
  '/settings/users/new',
  lazyPage(() => import('./features/users/invite-page.tsx'), 'InvitePage'),
);

const oneUser = inFrame(
  '/settings/users/$id',
  lazyPage(() => import('./features/users/user-page.tsx'), 'UserPage'),
);

const organizationSettings = createRoute({
  ...inShell,
  path: '/settings/organization',
  validateSearch: parseTab(['rules', 'retention', 'mail']),
  component: lazyPage(() => import('./features/organization/settings-page.tsx'), 'OrganizationSettingsPage'),
});

const worksCouncil = inFrame(
  '/settings/organization/works-council',
  lazyPage(() => import('./features/organization/works-council-page.tsx'), 'WorksCouncilPage'),
);

const audit = createRoute({
  ...inShell,
  path: '/settings/audit',
  validateSearch: parseListSearch,
  component: lazyPage(() => import('./features/audit/list-page.tsx'), 'AuditPage'),
});

/** Any other address. A route of its own, so that it is in the frame. */
const missing = createRoute({ ...inShell, path: '$', component: MissingPage });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    openId,
    invitation,
    forgotten,
    shell.addChildren([
      home,
      account,
      password,
      notifications,
      sessions,
      keys,
      newKey,
      orders,
      incidents,
      newIncident,
      employees,
      newEmployee,
      oneEmployee,
      departure,
      payroll,
      imports,
      oneKey,
      companies,
      company,
      users,
      newUser,
      oneUser,
      organizationSettings,
      worksCouncil,
      audit,
      missing,
    ]),
  ]),
  basepath: '/portal',
  context: { queryClient },
  defaultPreload: 'intent',
  // Another key or user is another page: its state begins anew, and its heading gets the focus.
  defaultRemountDeps: ({ params }) => params,
  defaultNotFoundComponent: MissingPage,
  defaultErrorComponent: ShellFailure,
  scrollRestoration: true,
});

/**
 * Requests code and data of the present address without waiting for the session, and resolves when they are loaded. The page repeats a
 * request that failed here, and reports the error.
 */
export async function loadEarly(): Promise<void> {
  const matches: readonly { routeId: keyof typeof router.routesById; search: KeysSearch }[] =
    router.matchRoutes(router.latestLocation);
  await Promise.allSettled(
    matches.map(async ({ routeId, search }) => {
      const part = router.routesById[routeId].options.component?.preload?.();
      if (routeId === keys.id) await prefetchKeys(viewOf(search, router.latestLocation.state.typed));
      await part;
    }),
  );
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    typed?: TypedState;
    /** Whether the panel of this entry was opened from the entry before. */
    isPanel?: true;
  }
}
