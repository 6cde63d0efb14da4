import type { Division, PortalPermission } from '@kontor/contract';
import {
  hashKey,
  keepPreviousData,
  QueryCache,
  QueryClient,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import { type AnswerOf, ask, expectUser, Rejection, type RequestOf } from './ask.ts';
import { nameOfPerson } from '../kit/person.ts';
import { onReturn, reloadPage, wasUsedLately } from './use.ts';

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    // Asked again: it may be a session before the present one that has ended.
    onError: error => checkSession(error),
    onSuccess: () => {
      lastAnswer = Date.now();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof Rejection && (error.status === 0 || error.status >= 502),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/** When the service has last answered. */
let lastAnswer = Date.now();

/** The instant of the last answer, which what is shown is as old as. */
export function lastAnswerAt(): string {
  return new Date(lastAnswer).toISOString();
}

onReturn(() => void queryClient.invalidateQueries());

/** Milliseconds after which what others change is seen. */
const live = 4_000;

/** Rejections that may pass: no session, a timeout, or too many requests. */
const passing: ReadonlySet<number> = new Set([401, 408, 429]);

/** Goes on asking, but not for what was rejected: it is forbidden, gone, or cannot be asked for in this way. */
function liveWhileUsed({ state: { error } }: { state: { error: Error | null } }): number | false {
  const isOver =
    error instanceof Rejection && error.status >= 400 && error.status < 500 && !passing.has(error.status);
  return wasUsedLately() && !isOver ? live : false;
}

/** The signed-in user. Null without a session; then it is fetched again soon, because a user may sign in in another tab. */
export const identityQuery = queryOptions({
  queryKey: ['identity'],
  staleTime: ({ state }) => (state.data === null ? 2_000 : 60_000),
  refetchInterval: ({ state }) => state.data === null && liveWhileUsed({ state }),
  queryFn: async () => {
    const identity = await ask('GET /session', {}).catch(nullWithoutSession);
    // Another tab has signed in another user. Nothing on this page is theirs, so it never shows them, and is loaded again.
    if (identity && lastUser !== undefined && identity.user.id !== lastUser) return loadAgain();
    return identity;
  },
});

/** Milliseconds after which the service ends an unused session. */
const idleLimit = 3_600_000;

/** Why the session of this page has ended, as far as the page can see; undefined: it had none. */
export function reasonOfEnd(): 'expired' | 'ended' | undefined {
  if (lastSession === undefined) return undefined;
  const isExpired = Date.now() >= Date.parse(lastSession.expiresAt) || Date.now() - lastAnswer >= idleLimit;
  return isExpired ? 'expired' : 'ended';
}

/** @throws Rejection, but for a missing session. */
function nullWithoutSession(error: unknown): null {
  if (error instanceof Rejection && error.status === 401) return null;
  throw error;
}

/** Never resolves: the page ends. */
function loadAgain(): Promise<never> {
  reloadPage();
  return new Promise(() => {});
}

/** The last signed-in user. Cached data of one user must not reach the next one, who may have less access. */
let lastUser: string | undefined;
let lastSession: AnswerOf<'GET /session'>['session'] | undefined;
queryClient.getQueryCache().subscribe(({ query }) => {
  if (query.queryHash !== hashKey(identityQuery.queryKey)) return;
  const identity = queryClient.getQueryData(identityQuery.queryKey);
  const user = identity?.user.id;
  lastSession = identity?.session ?? lastSession;
  const isAnother = user !== undefined && lastUser !== undefined && user !== lastUser;
  lastUser = user ?? lastUser;
  if (isAnother) void queryClient.resetQueries({ predicate: other => other !== query });
});

expectUser(() => queryClient.getQueryData(identityQuery.queryKey)?.user.id ?? lastUser);

/** Asks again who is signed in, and what they must do first, after a request was rejected for its session. */
export function checkSession(error: unknown): void {
  if (error instanceof Rejection && ['INVALID_SESSION', 'PASSKEY_REQUIRED'].includes(error.code))
    void queryClient.invalidateQueries(identityQuery, { cancelRefetch: false });
}

/** The signed-in user from the cache; a missing session is always fetched again. @throws Rejection. */
export async function whoIsSignedIn(): Promise<AnswerOf<'GET /session'> | null> {
  return queryClient.getQueryData(identityQuery.queryKey) ?? queryClient.fetchQuery(identityQuery);
}

/** Whether the user has a permission. Without it the service rejects what a page would offer. */
export function usePermission(permission: PortalPermission): boolean {
  return useQuery(identityQuery).data?.user.permissions.includes(permission) ?? false;
}

/** The rules of the organization, which forms keep to. */
export const organizationSettingsQuery = queryOptions({
  queryKey: ['organization'],
  staleTime: 15_000,
  queryFn: () => ask('GET /organization', {}),
});

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: () => ask('GET /retention', {}),
});

export const personalLogsQuery = queryOptions({
  queryKey: ['personal-logs'],
  queryFn: () => ask('GET /personal-logs', {}),
});

export const mailQuery = queryOptions({ queryKey: ['mail'], queryFn: () => ask('GET /mail', {}) });

/** The notifications that the user gets. */
export const notificationSettingsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: () => ask('GET /notification-settings', {}),
});

/** For how long data of the employees of a company are kept. */
export const companyRetentionQuery = (id: string) =>
  queryOptions({
    queryKey: ['companies', 'retention', id],
    queryFn: () => ask('GET /tenants/{id}/retention', { id }),
  });

/** The ways to sign in that the service offers, beside email and password. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  staleTime: Infinity,
  queryFn: () => ask('GET /sign-in-methods', {}),
});

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => ask('GET /passkeys', { query: { sort: 'createdAt' } }),
  refetchInterval: liveWhileUsed,
});

type ListQuery = RequestOf<'POST /api-keys/search'>['body'] & { readonly tenant?: string };

/** A page of a list; the one before stands until it is there. */
function listQuery<Answer>(name: string, query: ListQuery, queryFn: () => Promise<Answer>) {
  return queryOptions({
    queryKey: [name, 'list', query],
    queryFn,
    placeholderData: keepPreviousData,
    refetchInterval: liveWhileUsed,
  });
}

/** A search in a list, of one company where the query names it. */
function searchOf({ tenant, ...body }: ListQuery) {
  return { body, ...(tenant !== undefined && { query: { tenant } }) };
}

export const keysQuery = (query: ListQuery) =>
  listQuery('keys', query, () => ask('POST /api-keys/search', searchOf(query)));
export const usersQuery = (query: ListQuery) =>
  listQuery('users', query, () => ask('POST /users/search', searchOf(query)));
export const auditQuery = (query: ListQuery) =>
  listQuery('audit', query, () => ask('POST /audit-entries/search', { body: query }));
export const companiesQuery = (query: ListQuery) =>
  listQuery('companies', query, () => ask('POST /tenants/search', { body: query }));

export const ordersQuery = (query: ListQuery) =>
  listQuery('orders', query, () => ask('POST /orders/search', ofTenant(query)));

export const employeesQuery = (query: ListQuery) =>
  listQuery('employees', query, async () => {
    const { items, ...page } = await ask('POST /employees/search', ofTenant(query));
    return { ...page, items: items.map(employee => ({ ...employee, name: nameOfPerson(employee) })) };
  });
export const incidentsQuery = (query: ListQuery) =>
  listQuery('incidents', query, () => ask('POST /incidents/search', ofTenant(query)));

/** The work of HR is narrowed to a company by a header, as in the public API. */
function ofTenant({ tenant, ...body }: ListQuery) {
  return { body, ...(tenant !== undefined && { tenant }) };
}

/** The employees with these identifiers, of which there are at most as many as rows on a page. */
export function employeesByIdQuery(ids: readonly string[]) {
  const body = { filter: `id IN (${ids.join(', ')})` };
  return listQuery('employees', body, () => ask('POST /employees/search', { body }));
}

/** Milliseconds between two summaries: each page shows their counts. */
const summaryInterval = 15_000;

/** The counts of the home page and the menu, of one company or of all. */
export const summaryQuery = (company: string | undefined) =>
  queryOptions({
    queryKey: ['summary', company],
    queryFn: () => ask('GET /summary', company === undefined ? {} : { query: { tenant: company } }),
    placeholderData: keepPreviousData,
    refetchInterval: query => liveWhileUsed(query) && summaryInterval,
  });

/** The work of a day, of one company or of all. A change makes it old as it does the counts. */
export const tasksQuery = (company: string | undefined) =>
  queryOptions({
    queryKey: ['summary', 'tasks', company],
    queryFn: () => ask('GET /tasks', company === undefined ? {} : { query: { tenant: company } }),
    placeholderData: keepPreviousData,
    refetchInterval: query => liveWhileUsed(query) && summaryInterval,
  });

/** The results of a search over everything, or over one company. */
export const searchQuery = (body: RequestOf<'POST /search'>['body'], company?: string) =>
  queryOptions({
    queryKey: ['search', body, company],
    queryFn: () =>
      ask('POST /search', { body, ...(company !== undefined && { query: { tenant: company } }) }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });

/** The one of an identifier with its name and path. */
export const resultQuery = (id: string, kinds: RequestOf<'POST /search'>['body']['kinds']) =>
  queryOptions({
    queryKey: ['found', kinds, id],
    queryFn: () => ask('POST /search', { body: { text: id, kinds } }),
    staleTime: 60_000,
  });

/** One of a list, or what belongs to it. */
function oneQuery<Answer>(list: string, part: string, id: string, queryFn: () => Promise<Answer>) {
  return queryOptions({ queryKey: [list, part, id], queryFn, refetchInterval: liveWhileUsed });
}

export const userQuery = (id: string) => oneQuery('users', 'one', id, () => ask('GET /users/{id}', { id }));
export const userSessionsQuery = (id: string) =>
  oneQuery('users', 'sessions', id, () =>
    ask('GET /users/{id}/sessions', { id, query: { sort: '-lastSeenAt' } }),
  );
export const orderQuery = (id: string) =>
  oneQuery('orders', 'one', id, () => ask('GET /orders/{id}', { id }));
export const incidentQuery = (id: string) =>
  oneQuery('incidents', 'one', id, () => ask('GET /incidents/{id}', { id }));
export const employeeQuery = (id: string) =>
  oneQuery('employees', 'one', id, () => ask('GET /employees/{id}', { id }));
export const employeeErasureQuery = (id: string) =>
  oneQuery('employees', 'erasure', id, () => ask('GET /employees/{id}/erasure', { id }));
export const employeeReleasesQuery = (id: string) =>
  oneQuery('employees', 'releases', id, () => ask('GET /employees/{id}/payroll-releases', { id }));
/** A page of the changes of an employee, the latest first. */
export const employeeChangesQuery = (id: string, page: number) =>
  queryOptions({
    queryKey: ['employees', 'changes', id, page],
    queryFn: () =>
      ask('GET /employees/{id}/changes', { id, query: { page, pageSize: 25, sort: '-createdAt' } }),
    placeholderData: keepPreviousData,
    refetchInterval: liveWhileUsed,
  });
/** Divisions by their identifiers. */
export const divisionsByIdQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['divisions', 'by-id', ids],
    queryFn: () => ask('GET /divisions', { query: { filter: `id IN (${ids.join(', ')})` } }),
    staleTime: 60_000,
  });
/** The incidents of a person, the newest first. */
export const incidentsOfQuery = (employeeId: string) =>
  oneQuery('incidents', 'of', employeeId, () =>
    ask('POST /incidents/search', {
      body: { filter: `employeeId = '${employeeId}'`, sort: '-createdAt', pageSize: 100 },
    }),
  );
/** The orders of a person, the newest first. */
export const ordersOfQuery = (employeeId: string) =>
  oneQuery('orders', 'of', employeeId, () =>
    ask('POST /orders/search', {
      body: { filter: `employeeId = '${employeeId}'`, sort: '-submittedAt', pageSize: 100 },
    }),
  );

/** The payroll settings of a company; NOT_FOUND before they were set. */
export const payrollSettingsQuery = (company: string) =>
  queryOptions({
    queryKey: ['payroll', 'settings', company],
    queryFn: () => ask('GET /tenants/{id}/payroll-settings', { id: company }),
  });

/** The rule for orders of a company; NOT_FOUND without one. */
export const decisionRuleQuery = (company: string) =>
  queryOptions({
    queryKey: ['decision-rule', company],
    queryFn: () => ask('GET /tenants/{id}/decision-rule', { id: company }),
  });

/** It takes seconds for many employees. */
export const dueDataQuery = (company: string) =>
  queryOptions({
    queryKey: ['due-data', company],
    staleTime: 60_000,
    queryFn: () => ask('GET /tenants/{id}/due-data', { id: company }),
  });

export const payrollRunsQuery = (company: string) =>
  oneQuery('payroll', 'runs', company, () => ask('GET /tenants/{id}/payroll-runs', { id: company }));

export const payrollReceivablesQuery = (company: string) =>
  oneQuery('payroll', 'receivables', company, () =>
    ask('GET /tenants/{id}/payroll-receivables', { id: company }),
  );

/** Settlements and settings that wait for a second user. */
export const payrollProposalsQuery = (company: string) =>
  oneQuery('payroll', 'proposals', company, () =>
    ask('GET /tenants/{id}/payroll-proposals', { id: company, query: { status: 'open' } }),
  );

/** The twelve months up to one. */
export const payrollMonthsQuery = (company: string, last: string) =>
  queryOptions({
    queryKey: ['payroll', 'months', company, last],
    queryFn: () => ask('GET /tenants/{id}/payroll-months', { id: company, query: { last } }),
    placeholderData: keepPreviousData,
    refetchInterval: liveWhileUsed,
  });

/** A run that is being worked on is read each second. */
export const payrollRunQuery = (id: string) =>
  queryOptions({
    queryKey: ['payroll', 'run', id],
    queryFn: () => ask('GET /payroll-runs/{id}', { id }),
    refetchInterval: query =>
      whileBusy(query, ['computing', 'releasing'].includes(query.state.data?.run.status ?? '')),
  });

/** The interval of a query whose answer a background job may be changing: a second while it does. */
function whileBusy(query: { state: { error: Error | null } }, isBusy: boolean): number | false {
  return liveWhileUsed(query) && (isBusy ? 1_000 : live);
}

/** The last imports of a company. */
export const importsQuery = (company: string) =>
  oneQuery('imports', 'of', company, () => ask('GET /tenants/{id}/employee-imports', { id: company }));

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'one', id],
    queryFn: () => ask('GET /employee-imports/{id}', { id }),
    refetchInterval: query =>
      whileBusy(query, ['planning', 'applying'].includes(query.state.data?.import.status ?? '')),
  });

/** An import with a proposal for another header; null: no row has names. */
export const importProposalQuery = (id: string, headerRow: number | null) =>
  queryOptions({
    queryKey: ['imports', 'proposal', id, headerRow],
    queryFn: () => ask('GET /employee-imports/{id}', { id, query: { headerRow: headerRow ?? 0 } }),
    staleTime: Infinity,
  });

type ImportView = NonNullable<RequestOf<'GET /employee-imports/{id}/rows'>['query']>['view'];

/** A page of the rows of an import. They change with its state and with answers. */
export const importRowsQuery = (id: string, status: string, question: { view: ImportView; page: number }) =>
  queryOptions({
    queryKey: ['imports', 'rows', id, status, question],
    queryFn: () => ask('GET /employee-imports/{id}/rows', { id, query: question }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });

/** The amounts that payroll would export of an order after changes. Nothing is stored. */
export const payrollPreviewQuery = (
  id: string,
  change: RequestOf<'POST /orders/{id}/payroll-preview'>['body'],
) =>
  queryOptions({
    queryKey: ['payroll', 'preview', id, change],
    queryFn: () => ask('POST /orders/{id}/payroll-preview', { id, body: change }),
  });

/** The report of a run never changes once it is there. */
export const payrollFindingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['payroll', 'findings', id],
    staleTime: Infinity,
    queryFn: () => allFindings(id),
  });

type Findings = AnswerOf<'GET /payroll-runs/{id}/findings'>['items'];

/** Findings of each severity that are shown; a page says when there are more. */
const maxFindings = 1000;

async function allFindings(id: string): Promise<Findings> {
  const severities = ['error', 'skipped', 'question', 'info'] as const;
  const pages = await Promise.all(
    severities.map(severity => ask('GET /payroll-runs/{id}/findings', { id, query: { severity } })),
  );
  return pages.flatMap(({ items }) => items.slice(0, maxFindings));
}

/** A page of the amounts of a run. They never change: another check is another run. */
export const payrollEntriesQuery = (
  id: string,
  body: RequestOf<'POST /payroll-runs/{id}/entries/search'>['body'],
) =>
  queryOptions({
    queryKey: ['payroll', 'entries', id, body],
    staleTime: Infinity,
    placeholderData: keepPreviousData,
    queryFn: () => ask('POST /payroll-runs/{id}/entries/search', { id, body }),
  });

export const payrollExplanationQuery = (id: string, period: string) =>
  queryOptions({
    queryKey: ['payroll', 'explanation', id, period],
    queryFn: () => ask('GET /employees/{id}/payroll-explanation', { id, query: { period } }),
  });

export const companyQuery = (id: string) =>
  oneQuery('companies', 'one', id, () => ask('GET /tenants/{id}', { id }));
export const keyQuery = (id: string) => oneQuery('keys', 'one', id, () => ask('GET /api-keys/{id}', { id }));
export const usageQuery = (id: string) =>
  oneQuery('keys', 'usage', id, () => ask('GET /api-keys/{id}/usage', { id }));
export const healthQuery = (id: string) =>
  oneQuery('keys', 'health', id, () => ask('GET /api-keys/{id}/health', { id }));

export const historyQuery = (id: string) =>
  oneQuery('keys', 'history', id, () => ask('GET /api-keys/{id}/history', { id }));

/** A scope is never changed, and its counts hold for a minute. */
export const scopeQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'scope', id],
    queryFn: () => ask('GET /api-keys/{id}/scope', { id }),
    staleTime: 60_000,
  });

/** Counts of what a key with this scope can access. The previous counts stay until the new ones are loaded. */
export const scopePreviewQuery = (scope: RequestOf<'POST /api-key-scope-previews'>['body']) =>
  queryOptions({
    queryKey: ['sight', scope],
    queryFn: () => ask('POST /api-key-scope-previews', { body: scope }),
    placeholderData: keepPreviousData,
  });

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => ask('GET /sessions', { query: { sort: '-lastSeenAt' } }),
  refetchInterval: liveWhileUsed,
});

/** All companies that the user sees, by name. */
export const tenantsQuery = queryOptions({
  queryKey: ['tenants'],
  staleTime: 60_000,
  queryFn: () => allTenants(),
});

/** The same where they are chosen from: a new one is to appear. */
export const liveTenantsQuery = queryOptions({ ...tenantsQuery, refetchInterval: liveWhileUsed });

/** The names of companies by their identifiers, as far as they are known. */
export function useTenantNames(): (id: string) => string | undefined {
  const { data } = useQuery(tenantsQuery);
  return id => data?.items.find(tenant => tenant.id === id)?.name;
}

/** The same, for words of values. */
export function useTenantWords(): Readonly<Record<string, string>> {
  const { data } = useQuery(tenantsQuery);
  return Object.fromEntries((data?.items ?? []).map(({ id, name }) => [id, name]));
}

type Tenants = AnswerOf<'POST /tenants/search'>;

const largestPage = 1000;

/** The first page of the companies. Most organizations have no second one. */
const firstTenants = { sort: 'name', pageSize: largestPage, page: 1 } as const;

async function allTenants(page = 1): Promise<Pick<Tenants, 'items'>> {
  const { items, totalPages } = await ask('POST /tenants/search', { body: { ...firstTenants, page } });
  return page < totalPages ? { items: [...items, ...(await allTenants(page + 1)).items] } : { items };
}

/** All divisions of a company. Later reads fetch only those that have changed since. */
export const divisionsQuery = (tenant: string) => {
  const queryKey = ['divisions', tenant] as const;
  return queryOptions({
    queryKey,
    queryFn: () =>
      fetchChangedDivisions(tenant, queryClient.getQueryData<readonly Division[]>(queryKey) ?? []),
    refetchInterval: liveWhileUsed,
  });
};

/**
 * Merges the changed divisions into the known ones, which are in the order of their last change. No division is ever deleted. Reading behind
 * the last one misses no change (specification.md 3.7); reading pages by number would.
 */
async function fetchChangedDivisions(
  tenant: string,
  known: readonly Division[],
): Promise<readonly Division[]> {
  const last = known.at(-1);
  const behind =
    last && `updatedAt >= ${last.updatedAt} AND (updatedAt > ${last.updatedAt} OR id > '${last.id}')`;
  const filter = [`tenant = '${tenant}'`, ...(behind ? [behind] : [])].join(' AND ');
  const { items } = await ask('GET /divisions', {
    query: { filter, sort: 'updatedAt', pageSize: largestPage },
  });
  if (items.length === 0) return known;
  const fresh = new Set(items.map(({ id }) => id));
  const merged = [...known.filter(({ id }) => !fresh.has(id)), ...items];
  return items.length < largestPage ? merged : fetchChangedDivisions(tenant, merged);
}
