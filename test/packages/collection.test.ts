import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Running, start } from '../../packages/server/test/cli/kontor.ts';
import { Installation } from './installation.ts';

const collection = fileURLToPath(new URL('../../openapi/public.postman_collection.json', import.meta.url));
/** Postman's own runner. It is not a dependency: nothing else needs it. */
const runner = 'newman@6.2.2';

let folder: string;
let demo: Running;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-collection-'));
  demo = start(['demo', '--json'], {
    KONTOR_DATA_DIR: path.join(folder, 'data'),
    PORT: '0',
    MANAGEMENT_PORT: '0',
  });
});
after(async () => {
  demo.process.kill('SIGINT');
  await demo.ended;
  await rm(folder, { recursive: true, force: true });
});

interface Report {
  readonly run: {
    readonly failures: readonly { readonly error: { readonly message: string } }[];
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly response?: { readonly code: number };
    }[];
  };
}

test(
  'the request collection runs in its runner: each request is answered as documented',
  { timeout: 300_000 },
  async () => {
    const { baseUrl, key } = JSON.parse(await demo.line(/^\{/)) as { baseUrl: string; key: string };
    const place = new Installation(path.join(folder, 'runner'));
    await place.install(runner);
    await copyFile(collection, path.join(place.folder, 'collection.json'));
    const variables = [`baseUrl=${baseUrl}`, `apiKey=${key}`].flatMap(pair => ['--env-var', pair]);
    const reporter = ['--reporters', 'json', '--reporter-json-export', 'report.json'];
    await place.run('npx', 'newman', 'run', 'collection.json', ...variables, ...reporter).catch(() => {});
    const { run } = JSON.parse(await readFile(path.join(place.folder, 'report.json'), 'utf8')) as Report;
    assert.deepEqual(
      run.failures.map(({ error }) => error.message),
      [],
    );
    const { paths } = JSON.parse(
      await readFile(new URL('../../openapi/public.json', import.meta.url), 'utf8'),
    ) as {
      paths: Record<string, object>;
    };
    assert.equal(run.executions.length, Object.values(paths).flatMap(Object.keys).length);
    const codes = new Map(run.executions.map(({ item, response }) => [item.name, response!.code]));
    // The lists before them have set the identifiers.
    for (const name of [
      'Get an employee',
      'Update an employee',
      'Get a division',
      'Get an order',
      'Get an incident',
    ])
      assert.equal(codes.get(name), 200, name);
  },
);
