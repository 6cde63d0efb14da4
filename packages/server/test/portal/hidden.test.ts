import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { apis, getPortalTenant, type Operation } from '@kontor/contract';
import { type Fragment, sql } from '../../src/db/sql.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { exampleRequest, pathOf, unknownPathOf } from '../support/contract/examples.ts';
import { ofTest } from '../support/database/sent-statements.ts';
import { startService } from '../support/service/service.ts';
import { recordingPool, rewritingPool } from '../support/database/sql.ts';
import { asAsker, type Asker, makeAskers } from './askers.ts';
import { resourceTypeOf } from './permission-cases.ts';
import { usePortal } from './support.ts';

/** Asks each operation with an identifier in its path that the contract has, by its declaration alone, so that a new one is asked too. */
const operations = Object.entries<Operation>(apis.portal.operations).filter(([, { path }]) =>
  path.includes('{'),
);

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());

let askers: Asker[];
const statements: string[] = [];
let client: ApiClient;
const fixture = usePortal(async fixture => {
  askers = await makeAskers(fixture);
  client = await watch(statement => statement);
});

/** A client of a service of which each read is rewritten, and recorded. */
async function watch(rewrite: (statement: Fragment) => Fragment): Promise<ApiClient> {
  const recorded = recordingPool(
    fixture.sql.database.reads,
    text => !/setting|LISTEN|pg_notify/.test(text) && statements.push(text),
  );
  const reads = rewritingPool(recorded, rewrite);
  const service = await startService(fixture.sql, { reads });
  resources.defer(() => service.stop());
  const watched = apiClient(service.url, { api: 'portal' });
  resources.defer(() => watched.close());
  return watched;
}

async function observe(
  watched: ApiClient,
  operation: Operation,
  path: string,
  options: { key: string; query: object },
): Promise<object> {
  statements.length = 0;
  const sent = { ...(await exampleRequest(operation, 'portal')), ...options, query: { ...options.query } };
  const { status, headers, bytes } = await watched.request(operation.method, path, sent);
  const { 'x-request-id': requestId, date: _date, ...same } = headers;
  const text = bytes.toString().replaceAll(String(requestId), 'request id');
  return { status, headers: same, text, statements: [...statements] };
}

/** What an operation gives away of rows that an asker must not notice, by where they are; none: nothing. */
async function leaksOf(watched: ApiClient, operation: Operation, asker: Asker): Promise<string[]> {
  return asAsker(fixture, asker, own => leaksTo(watched, operation, own));
}

async function leaksTo(watched: ApiClient, operation: Operation, asker: Asker): Promise<string[]> {
  const rows = await resourceTypeOf(operation)(fixture, asker);
  const queries = 'dryRun' in operation.query.properties ? [{}, { dryRun: true }] : [{}];
  const leaks: string[] = [];
  for (const { where, id, parts } of rows.filter(({ isSeen }) => !isSeen))
    for (const query of queries) {
      const options = { key: asker.key, query };
      const seen = await observe(
        watched,
        operation,
        pathOf(operation, name => parts?.[name] ?? id),
        options,
      );
      const expected = await observe(watched, operation, unknownPathOf(operation), options);
      if (JSON.stringify(seen) !== JSON.stringify(expected))
        leaks.push(`${where}: ${JSON.stringify([seen, expected])}`);
    }
  return leaks;
}

describe('what a user must not notice answers exactly as what does not exist, after the same statements', () => {
  for (const [id, operation] of operations)
    test(id, async () => {
      for (const asker of askers)
        assert.deepEqual(await leaksOf(client, operation, asker), [], `asked by ${asker.name}`);
    });
});

describe('a planted statement is found out', () => {
  const reading = /FROM tenant\s+WHERE organization_id = .* WHERE id = \$\d$/s;
  const tenants = sql`SELECT t.*, lower(t.name) AS folded_name FROM tenant t`;
  const faults: [name: string, planted: (statement: Fragment) => Fragment, found: string[]][] = [
    [
      'that does not look at the organization',
      ({ values }) => ofTest(sql`${tenants} WHERE t.id = ${values.at(-1)}`),
      ['of company B', 'of another organization'],
    ],
    [
      'that does not look at the companies',
      ({ values }) => sql`
        ${tenants} WHERE t.organization_id = ${fixture.testData.organization} AND t.id = ${values.at(-1)}`,
      ['of company B'],
    ],
    [
      'which is another one for what is there',
      statement => (statement.values.at(-1) === 'f'.repeat(24) ? statement : sql`${statement} LIMIT 1`),
      ['of company B', 'of another organization'],
    ],
  ];
  for (const [name, planted, found] of faults)
    test(name, async () => {
      const faulty = await watch(statement =>
        reading.test(statement.text.trim()) ? planted(statement) : statement,
      );
      const hr = askers.find(({ name }) => name === 'HR for company A')!;
      const leaks = await leaksOf(faulty, getPortalTenant, hr);
      assert.deepEqual(
        leaks.map(leak => leak.slice(0, leak.indexOf(':'))),
        found,
      );
    });
});
