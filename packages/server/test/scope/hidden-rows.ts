import assert from 'node:assert/strict';
import { apis, type Operation } from '@kontor/contract';
import type { Answer, ApiClient, RequestOptions } from '../support/contract/client.ts';
import { exampleRequest, pathOf } from '../support/contract/examples.ts';

/** A key, with the tenant that it selects, if any. */
export type Asking = Pick<RequestOptions, 'key' | 'tenant'>;

/** Somebody who asks, and by whom the rows that they must not notice are seen: one entry a reason why. */
export interface Asker {
  readonly name: string;
  readonly asking: Asking;
  readonly hidden: Readonly<Record<string, Asking>>;
}

/** What an operation is asked about: the value of each of its parameters. */
type Target = Readonly<Record<string, string>>;

/** A row as a list shows it. */
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** What a service answers, and the statements that it sent for that. */
export interface Watched {
  readonly client: ApiClient;
  /** The texts of the statements of operations so far; emptied before each request. */
  readonly statements: string[];
}

const unknownId = 'f'.repeat(24);

/** Every operation with a parameter in its path. */
export const operationsOnRows = Object.entries<Operation>(apis.public.operations).filter(([, { path }]) =>
  path.includes('{'),
);

/** Every list. */
export const lists = Object.entries<Operation>(apis.public.operations).filter(([, { fields }]) => fields);

/**
 * What the operation gives away of rows that an asker must not notice: each must be answered exactly as one that does not
 * exist, in status, body, headers, and the statements that are sent. None: it gives nothing away.
 */
export async function leaksOf(watched: Watched, operation: Operation, asker: Asker): Promise<string[]> {
  const leaks: string[] = [];
  const own = await rowOf(watched.client, operation, asker.asking);
  for (const [place, owner] of Object.entries(asker.hidden)) {
    const row = await rowOf(watched.client, operation, owner);
    await assertSeen(watched.client, operation, targetOf(operation, row), owner);
    for (const query of queriesOf(operation)) {
      const ask = (target: Target) => observe(watched, operation, target, { ...asker.asking, query });
      for (const [hidden, unknown] of comparisons(operation, row, own)) {
        const [seen, expected] = [await ask(hidden), await ask(unknown)];
        assert.equal(
          expected.status,
          404,
          'An unknown identifier must be 404: does the handler read the row?',
        );
        if (!isSame(seen, expected)) leaks.push(`${place}: ${JSON.stringify([seen, expected])}`);
      }
    }
  }
  return leaks;
}

/** The rows that a list shows to an asker who must not notice them. */
export async function listedHidden(client: ApiClient, list: Operation, asker: Asker): Promise<string[]> {
  const shown = new Set((await rowsOf(client, list.path, asker.asking)).map(({ id }) => id));
  const leaks: string[] = [];
  for (const [place, owner] of Object.entries(asker.hidden))
    for (const { id } of await rowsOf(client, list.path, owner)) if (shown.has(id)) leaks.push(place);
  return leaks;
}

/** Pairs of what is hidden and what does not exist, which must be answered alike. */
function comparisons(operation: Operation, row: Row, own: Row): [hidden: Target, unknown: Target][] {
  const hidden = targetOf(operation, row);
  const anonymous = mapValues(hidden, () => unknownId);
  const pairs: [Target, Target][] = [[hidden, anonymous]];
  // A part of a hidden row is no part of a row of the asker's own either.
  if (Object.keys(hidden).length > 1)
    pairs.push([
      { ...hidden, id: own.id },
      { ...anonymous, id: own.id },
    ]);
  return pairs;
}

/** The parameters that name a row: its own identifier, and of `attachmentId` that of the first of its `attachments`. */
function targetOf({ parameters }: Operation, row: Row): Target {
  return mapValues(parameters.properties, (_schema, name) => {
    if (name === 'id') return row.id;
    const parts = row[`${name.replace(/Id$/, '')}s`] as { id: string }[] | undefined;
    assert.ok(parts?.[0], `say in hidden-rows.ts what the parameter ${name} names, and store such a thing`);
    return parts[0].id;
  });
}

/** The first row of the operation's collection that an asker sees. */
async function rowOf(client: ApiClient, operation: Operation, asking: Asking): Promise<Row> {
  const path = operation.path.slice(0, operation.path.indexOf('/{'));
  const [row] = await rowsOf(client, path, asking);
  assert.ok(row, `${path} has no row for each place: store one in organization.ts`);
  return row;
}

async function rowsOf(client: ApiClient, path: string, asking: Asking): Promise<Row[]> {
  const { status, body } = await client.get(path, { ...asking, query: { pageSize: 1000 } });
  assert.equal(status, 200, path);
  return body.items;
}

/** A row without readers has nothing to hide. What only can be tried for good is not tried. */
async function assertSeen(
  client: ApiClient,
  operation: Operation,
  target: Target,
  owner: Asking,
): Promise<void> {
  const query = queriesOf(operation).at(-1)!;
  if (operation.method !== 'GET' && !('dryRun' in query)) return;
  const { body } = await send(client, operation, target, { ...owner, query });
  assert.notEqual(body?.error?.code, 'NOT_FOUND', `${operation.path} is not found by who owns it`);
}

/** As it is, and as a dry run where there is one. */
function queriesOf({ query }: Operation): NonNullable<RequestOptions['query']>[] {
  return 'dryRun' in query.properties ? [{}, { dryRun: true }] : [{}];
}

async function observe(
  { client, statements }: Watched,
  operation: Operation,
  target: Target,
  options: RequestOptions,
): Promise<{ status: number }> {
  statements.length = 0;
  const { status, headers, body, bytes } = await send(client, operation, target, options);
  const { 'x-request-id': requestId, date: _date, ratelimit: _left, ...same } = headers;
  const text = bytes.toString('latin1').replaceAll(String(requestId), 'request id');
  const observed = { headers: same, names: Object.keys(headers), statements: [...statements] };
  return { status, ...observed, ...(body?.error ? { text } : { size: bytes.length }) };
}

async function send(
  client: ApiClient,
  operation: Operation,
  target: Target,
  options: RequestOptions,
): Promise<Answer<any>> {
  const path = pathOf(operation, parameter => target[parameter]!);
  return client.request(operation.method, path, { ...options, ...(await exampleRequest(operation)) });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function mapValues<T, Result>(
  object: Readonly<Record<string, T>>,
  map: (value: T, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]));
}
