import { QueryClient, queryOptions } from '@tanstack/react-query';
import { type AnswerOf, ask, Refusal, type RequestOf } from './ask.ts';
import { wasUsedLately } from './use.ts';

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      retry: (failures, error) =>
        failures < 2 && error instanceof Refusal && (error.status === 0 || error.status >= 502),
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

/** Milliseconds after which what others change is seen. */
const live = 4_000;
const liveWhileUsed = () => (wasUsedLately() ? live : false);

/** Who is signed in; null: nobody. */
export const identityQuery = queryOptions({
  queryKey: ['identity'],
  staleTime: 60_000,
  queryFn: async () => {
    try {
      return await ask('GET /session', {});
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return null;
      throw error;
    }
  },
});

/** The ways to sign in that the service offers, beside e-mail and password. */
export const signInWaysQuery = queryOptions({
  queryKey: ['sign-in-ways'],
  staleTime: Infinity,
  queryFn: () => ask('GET /sign-in-ways', {}),
});

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => ask('GET /passkeys', { query: { sort: 'createdAt' } }),
  refetchInterval: liveWhileUsed,
});

type ListQuery = RequestOf<'GET /api-keys'>['query'];

export const keysQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ['keys', 'list', query],
    queryFn: () => ask('GET /api-keys', { query: query ?? {} }),
    placeholderData: (before: AnswerOf<'GET /api-keys'> | undefined) => before,
    refetchInterval: liveWhileUsed,
  });

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: () => ask('GET /api-keys/{id}', { id }),
    refetchInterval: liveWhileUsed,
  });

export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'usage', id],
    queryFn: () => ask('GET /api-keys/{id}/usage', { id }),
    refetchInterval: liveWhileUsed,
  });

export const healthQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'health', id],
    queryFn: () => ask('GET /api-keys/{id}/health', { id }),
    refetchInterval: liveWhileUsed,
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
  queryFn: () => ask('GET /tenants', { query: { sort: 'name', pageSize: 1000 } }),
});

/** All divisions of a company, in pieces of the largest page. */
export const divisionsQuery = (tenant: string) =>
  queryOptions({ queryKey: ['divisions', tenant], staleTime: 60_000, queryFn: () => allDivisions(tenant) });

type Division = AnswerOf<'GET /divisions'>['items'][number];

async function allDivisions(tenant: string): Promise<Division[]> {
  const read = (page: number) =>
    ask('GET /divisions', { query: { filter: `tenant = '${tenant}'`, sort: 'order', page, pageSize: 1000 } });
  const first = await read(1);
  const rest = Array.from({ length: Math.max(0, first.totalPages - 1) }, (_, index) => read(index + 2));
  return [first, ...(await Promise.all(rest))].flatMap(({ items }) => items);
}
