import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batchMaximum, filterBounds, pageSizeMaximum } from '@kontor/contract';
import { exampleRequest } from '../../support/contract/examples.ts';
import { testKey } from '../../support/data/test-data.ts';
import { allOperations, outcomeOf, storedState, useApis, withBody } from './support.ts';

const fixture = useApis();
const lists = allOperations.filter(({ operation }) => operation.fields);
type Json = Readonly<Record<string, any>>;

/** Where a schema of what a client sends has no bound: a text without a length, an array without a number of items. */
function unbounded(schema: unknown, where = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const {
    type,
    properties,
    items,
    anyOf,
    maxLength,
    maxItems,
    enum: values,
    format,
    pattern,
  } = schema as Json;
  const types = [type].flat() as string[];
  const found: string[] = [];
  // Formats and patterns with an end have a length of their own; the whole body has one in any case.
  const isFixed =
    values !== undefined || 'const' in schema || format !== undefined || /^\^.*\$$/s.test(pattern ?? '');
  if (types.includes('string') && maxLength === undefined && !isFixed) found.push(`${where}: maxLength`);
  if (types.includes('array') && maxItems === undefined) found.push(`${where}: maxItems`);
  for (const [name, inner] of Object.entries(properties ?? {}))
    found.push(...unbounded(inner, `${where}.${name}`));
  for (const inner of [items, ...(anyOf ?? [])]) found.push(...unbounded(inner, `${where}[]`));
  return found;
}

describe('what a client sends is bounded by the contract', () => {
  for (const { id, operation } of withBody)
    test(id, () => assert.deepEqual(unbounded(operation.body, id), []));
});

describe('a body that is nested deeper, or has more members, than any operation takes is rejected before it is checked', () => {
  for (const declared of withBody)
    test(declared.id, async () => {
      const before = await storedState(fixture);
      const { raw } = await exampleRequest(declared.operation, declared.apiName);
      const start = String(raw).slice(0, -1);
      const bodies = {
        deep: `${start},"surprise":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
        wide: `${start},"surprise":[${'0,'.repeat(20_000)}0]}`,
        many: `${start},${Array.from({ length: 20_000 }, (_, n) => `"s${n}":0`).join()}}`,
      };
      for (const [kind, body] of Object.entries(bodies)) {
        const answer = await fixture.send(declared, fixture.own.rows, { raw: body });
        assert.ok([400, 413].includes(answer.status), `${kind}: ${outcomeOf(answer)}`);
        assert.ok(answer.bytes.length < 2000, `${kind}: an answer of ${answer.bytes.length} bytes`);
      }
      assert.deepEqual(await storedState(fixture), before);
    });
});

describe('a list has pages of bounded size and filters of bounded length', () => {
  for (const declared of lists)
    test(declared.id, async () => {
      const { operation } = declared;
      const { raw = '{}' } = operation.body ? await exampleRequest(operation, declared.apiName) : {};
      const required = JSON.parse(String(raw));
      const ask = (query: Record<string, string | number>) =>
        fixture.send(
          declared,
          fixture.own.rows,
          operation.body ? { raw: JSON.stringify({ ...required, ...query }) } : { query },
        );
      const [field] = operation.fields!.keys();
      const { characters, comparisons, values, nesting } = filterBounds;
      const test = `${field} IS NULL`;
      const filters = {
        long: `${test}${' '.repeat(characters)}`,
        deep: `${'('.repeat(nesting + 1)}${test}${')'.repeat(nesting + 1)}`,
        wide: Array.from({ length: comparisons + 1 }, () => test).join(' OR '),
        many: `${field} IN (${Array.from({ length: values + 1 }, () => "'1'").join(',')})`,
      };
      for (const [kind, filter] of Object.entries(filters)) {
        const answer = await ask({ filter });
        const expected =
          kind === 'long'
            ? ['400 INVALID_FILTER_SYNTAX', operation.body ? '400 VALIDATION_ERROR' : '431 ']
            : ['400 INVALID_FILTER_SYNTAX'];
        assert.ok(expected.includes(outcomeOf(answer)), `${kind}: ${outcomeOf(answer)}`);
      }
      if (!('pageSize' in (operation.body ?? operation.query).properties)) return;
      for (const pageSize of [pageSizeMaximum + 1, Number.MAX_SAFE_INTEGER, 0, -1])
        assert.equal(outcomeOf(await ask({ pageSize })), '400 VALIDATION_ERROR');
      const { body } = await ask({ pageSize: pageSizeMaximum });
      assert.ok(body.items.length <= pageSizeMaximum);
      assert.equal((await ask({ page: Number.MAX_SAFE_INTEGER })).body.items.length, 0);
    });
});

describe('a batch has a bounded number of lines', () => {
  for (const declared of allOperations.filter(({ operation }) => operation.batch))
    test(declared.id, async () => {
      const raw = JSON.stringify({ items: Array.from({ length: batchMaximum + 1 }, () => ({})) });
      assert.equal(
        outcomeOf(await fixture.send(declared, fixture.own.rows, { raw })),
        '400 VALIDATION_ERROR',
      );
    });
});

describe('every operation of an API with quotas spends the quota of its key', () => {
  for (const declared of allOperations.filter(
    ({ api, operation }) => api.hasQuota && operation.authenticated,
  ))
    test(declared.id, async () => {
      const quota = { requests: 1, seconds: 3600 };
      const key = await testKey(fixture.sql, fixture.testData.organization, 'all', quota);
      const query = 'dryRun' in declared.operation.query.properties ? { dryRun: true } : {};
      const first = await fixture.send(declared, fixture.own.rows, { key, query });
      assert.notEqual(first.status, 429);
      const second = await fixture.send(declared, fixture.own.rows, { key, query });
      assert.equal(outcomeOf(second), '429 RATE_LIMIT_EXCEEDED');
      assert.ok(Number(second.headers['retry-after']) > 0);
    });
});
