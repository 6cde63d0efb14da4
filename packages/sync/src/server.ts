import { type Employee, type Fetch, Kontor, type RequestOptions } from '@kontor/sdk';
import type { Connection } from './config.ts';
import type { State } from './state.ts';

/** The quota of the key: requests in so many seconds. */
export interface Quota {
  readonly requests: number;
  readonly seconds: number;
}

/** A client of the company, which counts its requests and reads the quota of its key. */
export interface Server {
  readonly kontor: Kontor;
  readonly requests: number;
  /** Null before the first answer, and for a key without a quota. */
  readonly quota: Quota | null;
}

export function readQuota(headers: Headers): Quota | null {
  const [, limit, seconds] = /;\s*q=(\d+)\s*;\s*w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '') ?? [];
  return limit === undefined ? null : { requests: Number(limit), seconds: Number(seconds) };
}

export function openServer(
  { baseUrl, tenant }: Pick<Connection, 'baseUrl' | 'tenant'>,
  apiKey: string,
): Server {
  let requests = 0;
  let quota: Quota | null = null;
  const counting: Fetch = async (url, init) => {
    requests++;
    const response = await fetch(url, init);
    quota = readQuota(response.headers) ?? quota;
    return response;
  };
  return {
    kontor: new Kontor({ baseUrl, tenant, apiKey, fetch: counting }),
    get requests() {
      return requests;
    },
    get quota() {
      return quota;
    },
  };
}

/** The dry run of a new person: its answer or its error tells what the key covers. */
export const tryCreate = (kontor: Kontor, options: RequestOptions = {}): Promise<Employee> =>
  kontor.employees.create(
    { email: 'kontor-sync@example.invalid', firstName: 'Dry', lastName: 'Run' },
    { ...options, dryRun: true },
  );

/** The company that a state and a plan belong to. */
export const originOf = ({ baseUrl, tenant }: Pick<Connection, 'baseUrl' | 'tenant'>) =>
  `${baseUrl.replace(/\/+$/, '')}${tenant === null ? '' : ` ${tenant}`}`;

/**
 * Reads what has changed in Kontor into the mirror, each page with its checkpoint. Rows that enter the scope of a key of divisions are not
 * reported, so for such a key everything is read.
 */
export async function refreshMirror(
  state: State,
  { kontor }: Server,
  access: Connection['access'],
): Promise<void> {
  if (access === 'divisions') state.transaction(() => state.forgetMirror());
  for (const [kind, resources] of [
    ['division', kontor.divisions],
    ['employee', kontor.employees],
  ] as const) {
    const since = state.setting(`checkpoint ${kind}`);
    for await (const { items, checkpoint } of resources.changes({ since }).pages())
      state.transaction(() => {
        for (const item of items) state.put(kind, item);
        state.setSetting(`checkpoint ${kind}`, checkpoint);
      });
  }
}
