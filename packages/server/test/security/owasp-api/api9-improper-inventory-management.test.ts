import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Api, type ApiName, apis, isPublished, openApiDocument } from '@kontor/contract';
import findMyWay from 'find-my-way';
import { documentFiles, publishedApis } from '../../../../../tools/documents.ts';
import { testDatabase, type TestDatabase } from '../../support/database/database.ts';
import { exampleRequest, unknownPathOf } from '../../support/contract/examples.ts';
import { startService, type TestService } from '../../support/service/service.ts';
import { allOperations } from './support.ts';

let database: TestDatabase;
let service: TestService;
/** The routes of each port, as its router has them. */
const routes: Set<string>[] = [];

/** Observes the routers that this process makes. */
const Router = findMyWay as unknown as { prototype: { on(...parts: unknown[]): unknown } };
const { on } = Router.prototype;
const byRouter = new Map<unknown, Set<string>>();
Router.prototype.on = function observe(this: unknown, methods: unknown, path: unknown, ...more: unknown[]) {
  const own = byRouter.get(this) ?? new Set();
  if (!byRouter.has(this)) routes.push(own);
  byRouter.set(this, own);
  for (const method of [methods].flat()) own.add(`${String(method)} ${String(path)}`);
  return on.call(this, methods, path, ...more);
};

before(async () => {
  database = await testDatabase();
  service = await startService(database.database.sql);
  Router.prototype.on = on;
});
after(async () => {
  await service?.stop();
  await database?.drop();
});

/** What is served beside the operations, and belongs to no document: pages for people with what these load, and probes. */
const pages: Readonly<Record<'public' | 'management', readonly string[]>> = {
  public: [
    'GET /',
    'GET /v1',
    'GET /docs',
    'GET /docs/start.js',
    'GET /docs/changelog.atom',
    'GET /docs/scalar.js',
    'GET /docs/portal/:name',
    'GET /docs/:name',
    'GET /portal',
    'GET /portal/*',
    'GET /portal/assets/:name',
  ],
  management: [
    'GET /platform/docs',
    'GET /platform/docs/start.js',
    'GET /platform/docs/scalar.js',
    ...['/livez', '/readyz', '/metrics'].flatMap(probe => [`GET ${probe}`, `HEAD ${probe}`]),
  ],
};

/** The routes of these APIs: their operations, and their documents if they are published. */
function declaredRoutes(names: readonly ApiName[]): string[] {
  return names.flatMap(name => {
    const { prefix } = apis[name];
    const operations = Object.entries(openApiDocument(apis[name]).paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter(method => ['get', 'post', 'patch', 'put', 'delete'].includes(method))
        .map(method => `${method.toUpperCase()} ${prefix}${path}`),
    );
    return isPublished(apis[name]) ? [`GET ${prefix}/openapi.json`, ...operations] : operations;
  });
}

/** A route with its parameters as a document writes them. */
const asDeclared = (route: string) => route.replaceAll(/:(\w+)(\([^)]*\))?/g, '{$1}');

describe('every route is an operation or document of the contract or a known page, and every operation has a route', () => {
  const ports = { public: ['public', 'portal'], management: ['platform'] } as const;
  for (const [port, names] of Object.entries(ports))
    test(`the ${port} port`, () => {
      const expected = [
        ...declaredRoutes(names),
        ...pages[port as keyof typeof pages].map(asDeclared),
      ].sort();
      const candidates = routes.map(own => [...own].map(asDeclared).sort());
      const served = candidates.find(own => own.includes(`GET ${apis[names[0]].prefix}/openapi.json`));
      assert.deepEqual(served, expected);
    });

  test('there is no third port', () => assert.equal(routes.length, 2));
});

describe('the document that is served is the committed one, and names every operation that the contract has', () => {
  test('of each published API', () => {
    const published = Object.entries<Api>(apis).filter(([, api]) => isPublished(api));
    assert.deepEqual(
      publishedApis,
      published.map(([name]) => name),
    );
  });
  for (const name of publishedApis)
    test(name, async () => {
      const base = name === 'platform' ? service.managementUrl : service.url;
      const served = (await (await fetch(`${base}${apis[name].prefix}/openapi.json`)).json()) as ReturnType<
        typeof openApiDocument
      >;
      const file = new URL(`../../../../../${documentFiles[name]}`, import.meta.url);
      assert.deepEqual(served, JSON.parse(readFileSync(file, 'utf8')));
      const named = Object.values(served.paths).flatMap(item =>
        Object.values(item).map(({ operationId }) => operationId),
      );
      assert.deepEqual(named.sort(), Object.keys(apis[name].operations).sort());
    });
});

describe('an operation answers under its address of this version, and under no older, newer or unversioned one', () => {
  for (const { id, operation, api, apiName } of allOperations)
    test(id, async () => {
      const base = apiName === 'platform' ? service.managementUrl : service.url;
      const { raw, headers } = await exampleRequest(operation, apiName);
      const ask = async (prefix: string) => {
        const answer = await fetch(base + prefix + unknownPathOf(operation), {
          method: operation.method,
          headers: { ...(headers as Record<string, string>), 'sec-fetch-site': 'same-origin' },
          ...(raw !== undefined && { body: raw as string }),
        });
        const { error } = (await answer.json().catch(() => ({}))) as { error?: { message: string } };
        return { status: answer.status, isUnknown: /There is no such operation/.test(error?.message ?? '') };
      };
      assert.equal((await ask(api.prefix)).isUnknown, false);
      const last = api.prefix.split('/').at(-1)!;
      const above = api.prefix.slice(0, -last.length - 1);
      for (const prefix of [
        `${above}/v0`,
        `${above}/v2`,
        `${above}/beta`,
        `/internal${api.prefix}`,
        `${api.prefix}/v1`,
      ]) {
        const { status, isUnknown } = await ask(prefix);
        // Below /portal a GET that is no API is a page, which knows nothing.
        const isPage = status === 200 && prefix.startsWith('/portal') && operation.method === 'GET';
        assert.ok(isPage || (status === 404 && isUnknown), `${prefix}: ${status}`);
      }
    });
});
