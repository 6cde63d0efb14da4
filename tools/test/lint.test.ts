import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const server = 'packages/server/src';

interface Planted {
  readonly file: string;
  readonly text: string;
  /** The rule that must report the file; null: none may. */
  readonly rule: string | null;
}

const imports = (file: string, from: string, rule: string | null = 'kontor(module-boundaries)'): Planted => ({
  file,
  text: `import { a } from '${from}';\nexport const b = a;\n`,
  rule,
});

/** One violation each, by the dependency rule that it breaks. */
const planted: Record<string, Planted> = {
  'the contract imports no other package': imports('packages/contract/src/a1.ts', 'pg'),
  'the contract does not import the server': imports(
    'packages/contract/src/a2.ts',
    '../../server/src/auth/scope.ts',
  ),
  'the contract re-exports no other package': {
    file: 'packages/contract/src/a3.ts',
    text: "export * from 'pg';\n",
    rule: 'kontor(module-boundaries)',
  },
  'the contract reads no clock': {
    file: 'packages/contract/src/a4.ts',
    text: 'export const now = Date.now();\n',
    rule: 'kontor(no-clock)',
  },
  'the server does not reach into the files of the contract': imports(
    `${server}/http/b1.ts`,
    '../../../contract/src/errors/errors.ts',
  ),
  'tabular imports no other package': imports('packages/tabular/src/a8.ts', '@kontor/contract'),
  'tabular reads no files': imports('packages/tabular/src/a9.ts', 'node:fs'),
  'the server does not reach into the files of tabular': imports(
    `${server}/imports/b8.ts`,
    '../../../tabular/src/parser.ts',
  ),
  'the launcher of the embedded PostgreSQL does not import the server': imports(
    'packages/embedded-postgres/src/a5.ts',
    '../../server/src/db/sql.ts',
  ),
  'the SDK does not import the contract': imports('packages/sdk/src/a6.ts', '@kontor/contract'),
  'the server does not import the SDK': imports(`${server}/http/a7.ts`, '@kontor/sdk'),
  'kontor-sync does not import the contract': imports('packages/sync/src/a8.ts', '@kontor/contract'),
  'a command does not open the embedded PostgreSQL': imports(
    `${server}/cli/b9.ts`,
    '@kontor/embedded-postgres',
  ),
  'http/ does not see the driver': imports(`${server}/http/b2.ts`, 'pg'),
  'the routes of a feature do not see the driver': imports(`${server}/features/x/routes.ts`, 'pg'),
  'a store.ts does not see the driver': imports(`${server}/features/x/store.ts`, 'pg'),
  'a command does not see the driver': imports(`${server}/cli/b3.ts`, 'pg'),
  'a feature does not import another one': imports(`${server}/features/x/b4.ts`, '../employees/rules.ts'),
  'a feature does not import another one dynamically': {
    file: `${server}/features/x/b5.ts`,
    text: "export const load = () => import('../features/employees/rules.ts');\n",
    rule: 'kontor(module-boundaries)',
  },
  'a rules.ts knows no store': imports(`${server}/features/y/rules.ts`, './store.ts'),
  'the computation of payroll knows no database': imports(
    `${server}/features/payroll/computation/assess.ts`,
    '../../../db/session.ts',
  ),
  'the computation of payroll reads no clock': {
    file: `${server}/features/payroll/computation/owed.ts`,
    text: 'export const now = () => new Date();\n',
    rule: 'kontor(no-clock)',
  },
  'payroll does not import the store of orders': imports(
    `${server}/features/payroll/read.ts`,
    '../orders/store.ts',
  ),
  'a rules.ts reads no clock': {
    file: `${server}/features/z/rules.ts`,
    text: 'export const now = () => new Date();\n',
    rule: 'kontor(no-clock)',
  },
  'query/ knows no database': imports(`${server}/query/c1.ts`, '../db/connect.ts'),
  'query/ knows no HTTP': imports(`${server}/query/c2.ts`, 'node:http'),
  'query/ knows no types of HTTP either': {
    file: `${server}/query/c3.ts`,
    text: "import type { A } from '../http/a.ts';\nexport type B = A;\n",
    rule: 'kontor(module-boundaries)',
  },
  'query/ sets no timers': {
    file: `${server}/query/c4.ts`,
    text: 'export const wait = (f: () => void) => setTimeout(f, 1);\n',
    rule: 'eslint(no-restricted-globals)',
  },
  'consistency/ knows no HTTP': imports(`${server}/consistency/v1.ts`, '../http/route.ts'),
  'write/ is entered through writes.ts only': imports(`${server}/features/x/b6.ts`, '../../write/turn.ts'),
  'a handler does not write at the clock by itself': imports(
    `${server}/features/x/b8.ts`,
    '../../write/run-at-clock.ts',
  ),
  'a command enters write/ through writes.ts too': imports(`${server}/cli/b4.ts`, '../write/transaction.ts'),
  'a command writes no file by itself': {
    file: `${server}/cli/f1.ts`,
    text: "import { writeFile } from 'node:fs/promises';\nexport const save = (text: string) => writeFile('a', text);\n",
    rule: 'kontor(no-file-writes)',
  },
  'a feature opens no stream to a file': {
    file: `${server}/features/x/f2.ts`,
    text: "import * as fs from 'node:fs';\nexport const open = () => fs.createWriteStream('a');\n",
    rule: 'kontor(no-file-writes)',
  },
  'only main.ts reads the environment': {
    file: `${server}/http/e2.ts`,
    text: "export const port = process.env['PORT'];\n",
    rule: 'node(no-process-env)',
  },
  'the environment is not read by an import either': imports(`${server}/http/e1.ts`, 'node:process'),
  'the pages do not know Node': imports('packages/portal/src/features/keys/p1.ts', 'node:fs'),
  'the pages do not know the service': imports(
    'packages/portal/src/features/keys/p2.ts',
    '../../../../server/src/auth/scope.ts',
  ),
  'the pages have of the contract no more than types': imports(
    'packages/portal/src/features/keys/p3.ts',
    '@kontor/contract',
  ),
  'parts of pages do not know the pages': imports(
    'packages/portal/src/kit/list/p4.ts',
    '../../features/users/user-parts.tsx',
  ),
  'pages of one area do not know those of another': imports(
    'packages/portal/src/features/home/p7.ts',
    '../users/user-parts.tsx',
  ),
  'what asks the service does not know the pages': imports(
    'packages/portal/src/api/p5.ts',
    '../features/companies/list-page.tsx',
  ),
  'nobody but the pages knows the pages': imports(`${server}/http/p6.ts`, '../../../portal/src/api/use.ts'),
  'the product does not import its tests': imports(`${server}/e2.ts`, '../test/support/client.ts'),
  'a docstring does not name errors but with @throws': {
    file: `${server}/http/t1.ts`,
    text: '/**\n * Reads it.\n * Errors: NOT_FOUND.\n */\nexport const read = () => 1;\n',
    rule: 'kontor(throws-tag)',
  },
  'a docstring has no sentence that begins with Throws': {
    file: `${server}/http/t2.ts`,
    text: '/** Reads it. Throws\n * NOT_FOUND. */\nexport const read = () => 1;\n',
    rule: 'kontor(throws-tag)',
  },
  'imports close no cycle': {
    file: `${server}/http/cycle-a.ts`,
    text: "import { b } from './cycle-b.ts';\nexport const a = () => b;\n",
    rule: 'import(no-cycle)',
  },
  'imports of types close no cycle either': {
    file: `${server}/http/type-cycle-a.ts`,
    text: "import type { B } from './type-cycle-b.ts';\nexport type A = B | 'a';\n",
    rule: 'import(no-cycle)',
  },
  'a promise is not left floating': {
    file: `${server}/floating.ts`,
    text: 'async function f() {}\nexport function g() {\n  f();\n}\n',
    rule: 'typescript(no-floating-promises)',
  },
};

/** The modules of the server, from the bottom, with an import of the next one. */
const layers = [
  ['lib/l1.ts', '../db/sql.ts'],
  ['processes/l1.ts', '../db/sql.ts'],
  ['db/l1.ts', '../write/writes.ts'],
  ['write/l1.ts', '../auth/caller.ts'],
  ['telemetry/l1.ts', '../http/request-context.ts'],
  ['auth/l1.ts', '../http/admission.ts'],
  ['files/l1.ts', '../query/page.ts'],
  ['mail/l1.ts', '../files/open.ts'],
  ['imports/l1.ts', '../http/route.ts'],
  ['query/l1.ts', '../jobs/job.ts'],
  ['jobs/l1.ts', '../http/route.ts'],
  ['http/l1.ts', '../features/employees/store.ts'],
  ['features/x/l1.ts', '../../privacy/erase.ts'],
  ['consistency/l1.ts', '../privacy/erase.ts'],
  ['privacy/l1.ts', '../config.ts'],
  ['config.ts', './app/service.ts'],
  ['app/l1.ts', '../cli/commands.ts'],
  ['cli/l1.ts', '../main.ts'],
] as const;
for (const [file, upper] of layers)
  planted[`${file.split('/', 1)[0]} does not import an upper module`] = imports(`${server}/${file}`, upper);
planted['files does not import config.ts for its types'] = {
  file: `${server}/files/l2.ts`,
  text: "import type { Config } from '../config.ts';\nexport type A = Config;\n",
  rule: 'kontor(module-boundaries)',
};
planted['a new module has a layer'] = imports(`${server}/new/l1.ts`, '../lib/names.ts');
planted['auth does not import http dynamically'] = {
  file: `${server}/auth/l2.ts`,
  text: "export const load = () => import('../http/route.ts');\n",
  rule: 'kontor(module-boundaries)',
};

/** What must stay allowed, so that the rules are not simply red. */
const allowed: Planted[] = [
  imports('packages/contract/src/ok.ts', 'typebox', null),
  imports('packages/tabular/src/ok.ts', 'node:buffer', null),
  imports(`${server}/imports/ok.ts`, '@kontor/tabular', null),
  imports(`${server}/db/ok.ts`, 'pg', null),
  imports(`${server}/features/x/ok.ts`, '../../db/ids.ts', null),
  imports(`${server}/features/x/ok2.ts`, '../../write/writes.ts', null),
  imports(`${server}/write/ok.ts`, '../db/transaction.ts', null),
  imports(`${server}/cli/ok.ts`, '../write/run-at-clock.ts', null),
  imports(`${server}/query/ok.ts`, '../auth/scope-predicate.ts', null),
  imports(`${server}/query/ok2.ts`, '../db/sql.ts', null),
  imports(`${server}/features/w/rules.ts`, '@kontor/contract', null),
  imports('packages/portal/src/kit/filter/ok.ts', '@kontor/contract/filter', null),
  imports('packages/portal/src/features/users/ok.ts', '../../kit/icon.tsx', null),
  {
    file: 'packages/portal/src/api/ok.ts',
    text: "import type { A } from '@kontor/contract';\nexport type B = A;\n",
    rule: null,
  },
  {
    file: `${server}/http/ok.ts`,
    text: '/** Reads what is thrown away. @throws ApiError NOT_FOUND. */\nexport const read = () => 1; // Throws nothing\n',
    rule: null,
  },
  {
    file: `${server}/main.ts`,
    text: "export const port = process.env['PORT'];\n",
    rule: null,
  },
  {
    file: `${server}/http/cycle-b.ts`,
    text: "import { a } from './cycle-a.ts';\nexport const b = () => a;\n",
    rule: 'import(no-cycle)',
  },
  {
    file: `${server}/http/type-cycle-b.ts`,
    text: "import { type A } from './type-cycle-a.ts';\nexport const b: readonly A[] = [];\nexport type B = 'b';\n",
    rule: 'import(no-cycle)',
  },
];

let copy: string;
/** The rules that reported each file. */
const reported = new Map<string, string[]>();

async function plant(file: string, text: string): Promise<void> {
  const path = join(copy, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function runLint(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  execFile(
    process.execPath,
    [oxlint, '--type-aware', '--deny-warnings', '-f', 'json', 'packages'],
    { cwd: copy, maxBuffer: 2 ** 26, timeout: 60_000 },
    (_error, stdout) => resolve(stdout),
  );
  return promise;
}

describe('the linter', () => {
  before(async () => {
    copy = await realpath(await mkdtemp(join(tmpdir(), 'kontor-lint-')));
    for (const name of ['.oxlintrc.json', 'tsconfig.json', 'package.json', 'tools/lint'])
      await cp(join(root, name), join(copy, name), { recursive: true });
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    await Promise.all([...Object.values(planted), ...allowed].map(({ file, text }) => plant(file, text)));
    const { diagnostics } = JSON.parse(await runLint()) as {
      diagnostics: { filename: string; code: string }[];
    };
    for (const { filename, code } of diagnostics) {
      const file = filename.replace(`${copy}/`, '');
      reported.set(file, [...(reported.get(file) ?? []), code]);
    }
  });
  after(() => rm(copy, { recursive: true, force: true }));

  for (const [name, { file, rule }] of Object.entries(planted))
    test(`rejects a violation: ${name}`, () => {
      assert.ok(
        reported.get(file)?.includes(rule!),
        `${file} was reported by ${reported.get(file)?.join(', ')}`,
      );
    });

  test('accepts what the rules allow', () => {
    for (const { file, rule } of allowed)
      assert.deepEqual(reported.get(file) ?? [], rule === null ? [] : [rule]);
  });
});

/** The files that each file imports, also dynamically and for types only. */
function importsOf(folder: string): Map<string, string[]> {
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: folder });
  return new Map(
    files.map(file => {
      const text = readFileSync(join(folder, file), 'utf8');
      const names = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g);
      return [file, [...names].map(([, name]) => join(dirname(file), name!))];
    }),
  );
}

/** The files of a circle of imports; null: none. */
function findCircle(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] | null => {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file)) return null;
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...path, file]);
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle) return circle;
  }
  return null;
}

// The rule import/no-cycle of oxlint does not follow dynamic imports.
test('imports close no circle, also with dynamic ones', async t => {
  assert.equal(findCircle(importsOf(root)), null);
  const folder = await mkdtemp(join(tmpdir(), 'kontor-circle-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'packages/a/src'), { recursive: true });
  await writeFile(join(folder, 'packages/a/src/b.ts'), "import type { C } from './c.ts';\n");
  await writeFile(join(folder, 'packages/a/src/c.ts'), "export const load = () => import('./b.ts');\n");
  assert.equal(findCircle(importsOf(folder))?.length, 2);
});
