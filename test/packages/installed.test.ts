import assert from 'node:assert/strict';
import { chmod, glob, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { blocksOf } from '../../tools/guides.ts';
import { processesNaming } from '../../packages/server/test/cli/kontor.ts';
import { testDatabase } from '../../packages/server/test/support/database/database.ts';
import { Container, overTcp } from './container.ts';
import { Installation, megabytes, nodeOf, pack } from './installation.ts';

/** Whoever installs checks these, too. */
const checkers = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5'];
const repository = fileURLToPath(new URL('../../', import.meta.url));
/** The commands of the guides, for a folder with the packed files. */
const asInGuides = {
  service: 'npm install ./kontor-[0-9]*.tgz ./kontor-embedded-postgres-*.tgz\n',
  client: 'npm install ./kontor-sdk-*.tgz\n',
};
/** What a program may be that uses the packages, strict to the types of all that it is given. */
const consumer = {
  'program.ts': `
    import { openApiDocument, parseFilter } from '@kontor/contract';
    import { openEmbeddedPostgres } from '@kontor/embedded-postgres';
    import { openDatabase, startService, migrate, type Database, type ServiceConfig } from 'kontor';
    export const all = { openApiDocument, parseFilter, openEmbeddedPostgres, openDatabase, startService, migrate };
    export type Both = [Database, ServiceConfig];`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      module: 'nodenext',
      target: 'es2024',
      noEmit: true,
      skipLibCheck: false,
    },
    include: ['program.ts'],
  }),
};
/** The runtimes of the client beside Node, and what measures its bundle. */
const runtimes = ['bun@1.4.5', 'deno@2.9.6'];
const sizeLimit = ['size-limit@14.1.0', '@size-limit/esbuild@14.1.0', '@size-limit/file@14.1.0'];
/** Bytes of the packed client. The texts that editors show for each option and method are a third of them. */
const clientMaximum = 40_000;
/** Bytes of the packed kontor-sync, with the SDK and `tabular`, which it includes. */
const syncMaximum = 60_000;
/** Uses what differs between runtimes: HTTP, streams, uploads, files and timers. */
const client = `
  import { readFile } from 'node:fs/promises';
  import { ConnectionError, filter, Kontor, NotFoundError, WriteOutcomeUnknown } from '@kontor/sdk';
  const [baseUrl, apiKey] = process.argv.slice(2);
  const kontor = new Kontor({ baseUrl, apiKey, maxRetries: 0 });
  const check = (is, what) => { if (!is) throw new Error(what); };
  const failure = call => call.then(() => null, error => error);
  let count = 0;
  for await (const { city } of kontor.employees.list({ filter: filter\`city = \${'Berlin'}\`, pageSize: 7 })) {
    check(city === 'Berlin', city);
    count++;
  }
  check(count > 7, 'pages');
  const { requestId } = await kontor.health().withResponse();
  check(/^[0-9a-f-]{36}$/.test(requestId), 'request identifier');
  const changes = kontor.divisions.changes();
  for await (const division of changes) check(division.updatedAt, 'changes');
  check(changes.checkpoint, 'checkpoint');
  check((await failure(kontor.employees.get('0'.repeat(24)))) instanceof NotFoundError, 'not found');
  const { tenant } = await kontor.divisions.list().first();
  const body = { email: 'client@example.com', firstName: 'Ina', lastName: 'Neu' };
  check((await kontor.employees.create(body, { tenant, dryRun: true })).id === '0'.repeat(24), 'dry run');
  const document = await kontor.payrollExportDocuments.list({ filter: "status = 'available'" }).first();
  await kontor.payrollExportDocuments.download(document.id, { to: 'lohn.txt' });
  check((await readFile('lohn.txt')).length === document.size, 'download');
  const incident = await kontor.incidents.list({ filter: "status = 'completed'" }).first();
  const pdf = new Blob(['%PDF-1.7\\n']);
  const uploaded = await kontor.incidents.uploadAttachment(incident.id, pdf, { dryRun: true, fileName: 'a.pdf' });
  check(uploaded.fileName === 'a.pdf', 'upload');
  const dead = new Kontor({ baseUrl: 'http://127.0.0.1:4', apiKey, maxRetries: 0 });
  check((await failure(dead.health())) instanceof ConnectionError, 'connection');
  const noTls = new Kontor({ baseUrl: baseUrl.replace('http:', 'https:'), apiKey, maxRetries: 0 });
  check((await failure(noTls.employees.create(body))).neverSent, 'TLS');
  let isLost = false;
  const losing = async (...request) => {
    const answer = await fetch(...request);
    if (isLost) return answer;
    isLost = true;
    throw new TypeError('the answer is lost');
  };
  const unsure = new Kontor({ baseUrl, apiKey, tenant, fetch: losing });
  const stored = await unsure.employees.create({ ...body, email: crypto.randomUUID() + '@example.com' });
  const stale = { ifMatch: '2026-01-01T00:00:00.000Z' };
  const conflict = await failure(unsure.employees.update(stored.id, { city: 'Ulm' }, stale));
  check(conflict.current === stored.updatedAt, 'conflict');
  const silent = new Kontor({ baseUrl, apiKey, timeout: 20, maxRetries: 0, fetch: () => new Promise(() => {}) });
  const late = await failure(silent.employees.create(body));
  check(late instanceof WriteOutcomeUnknown, 'timeout');
  console.log('ok');
`;
/** Compiles only if the values that a newer service has are part of the types. */
const typedClient = `
  import { type Employee, filter, Kontor, KontorError, type Order } from '@kontor/sdk';
  const kontor = new Kontor({ apiKey: 'k', baseUrl: 'https://kontor.example.com' });
  export const orders: Promise<Order | undefined> = kontor.orders.list({ sort: '-submittedAt' }).first();
  export const isNew = ({ status }: Order) => status === 'approved' || status === 'a new status';
  export const code = (error: KontorError) => error.code === 'NOT_FOUND' || error.code === 'A_NEW_CODE';
  export const shade = (employee: Employee & { shade?: string }) => employee.shade;
  export const list = kontor.employees.list({ filter: filter\`blocked = \${false}\`, pageSize: 10 });
  // @ts-expect-error: the method has no such field
  void kontor.employees.create({ email: 'a@example.com', firstName: 'A', lastName: 'B', shade: 1 });
`;
/** Megabytes of the service with all that it needs beside a PostgreSQL server. */
const sizeMaximum = 65;

let folder: string;
let packed: Awaited<ReturnType<typeof pack>>;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kontor-package-'));
  // Other users must be able to enter it.
  await chmod(folder, 0o755);
  packed = await pack();
});
after(() => rm(folder, { recursive: true, force: true }));

describe('the packages, installed into an empty folder', () => {
  let place: Installation;
  before(async () => {
    place = new Installation(path.join(folder, 'on-24'), await nodeOf(24, path.join(folder, 'node-24')));
  });

  test('install without a warning', async () => {
    const output = await place.runPacked(asInGuides.service, Object.values(packed));
    assert.doesNotMatch(output, /EBADENGINE|deprecated/);
  });

  for (const major of [20, 22])
    test(`reject Node ${major} in one line that names the version they need`, async () => {
      const older = new Installation(place.folder, await nodeOf(major, path.join(folder, `node-${major}`)));
      await assert.rejects(
        older.run('node', 'node_modules/kontor/bin/kontor.js', '--help'),
        ({ stderr }: { stderr: string }) => {
          assert.match(
            stderr,
            new RegExp(`^kontor needs Node\\.js 24\\.7 or newer, this is v${major}\\.[0-9.]+\n$`),
          );
          return true;
        },
      );
    });

  test('run the demo, which answers and is stopped by Ctrl-C', async () => {
    const { announced, stop } = await place.start('demo');
    try {
      const { baseUrl, referenceUrl, key } = announced as {
        baseUrl: string;
        referenceUrl: string;
        key: string;
      };
      const list = await fetch(`${baseUrl}/employees?pageSize=3&sort=-updatedAt`, {
        headers: { 'X-API-Key': key },
      });
      const { items, totalElements } = (await list.json()) as { items: unknown[]; totalElements: number };
      assert.deepEqual([list.status, items.length, totalElements], [200, 3, 1000]);
      const script = await fetch(new URL('docs/scalar.js', referenceUrl));
      assert.match(await script.text(), /createApiReference/);
      for (const page of ['docs/guides', 'docs/changelog.atom', 'portal'])
        assert.equal((await fetch(new URL(page, referenceUrl))).status, 200, page);
    } finally {
      await stop();
    }
    assert.deepEqual(await processesNaming(place.folder), []);
  });
});

describe('the packages', () => {
  test('have types and exports in which publint and are-the-types-wrong find nothing', async () => {
    const tools = new Installation(path.join(folder, 'judges'));
    await tools.install(...checkers);
    const { sync: _command, ...imported } = packed;
    for (const file of Object.values(imported)) {
      await tools.run('npx', 'publint', 'run', file, '--strict');
      await tools.run('npx', 'attw', file, '--profile', 'esm-only');
    }
  });

  test('give strict types to a program, with nothing installed but themselves', async () => {
    const place = new Installation(path.join(folder, 'on-24'));
    await place.run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', packed.contract);
    for (const [name, text] of Object.entries(consumer)) await writeFile(path.join(place.folder, name), text);
    const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
    const checked = await place
      .run('node', tsc, '--project', '.')
      .catch((error: { stdout: string }) => error);
    assert.equal(checked.stdout, '');
  });

  test('are those that the guides install', async () => {
    let guides = 0;
    for await (const file of glob(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { cwd: repository }))
      for (const { packed, text } of blocksOf(await readFile(path.join(repository, file), 'utf8')))
        if (packed) {
          guides++;
          assert.ok(Object.values(asInGuides).includes(text), `${file}: ${text}`);
        }
    assert.ok(guides >= 3);
  });

  test('have a licence, and neither tests nor sources', async () => {
    const installed = path.join(folder, 'on-24/node_modules');
    for (const name of ['kontor', '@kontor/embedded-postgres']) {
      const files = await readdir(path.join(installed, name), { recursive: true });
      assert.ok(files.includes('LICENSE'), name);
      assert.deepEqual(
        files.filter(file => /(^|\/)(test|src)(\/|$)|\.test\.|(?<!\.d)\.ts$/.test(file)),
        [],
      );
    }
  });

  test('name where they come from, and bring the documents without their pictures and the files of deploy/', async () => {
    const place = path.join(folder, 'on-24/node_modules/kontor');
    const text = await readFile(path.join(place, 'package.json'), 'utf8');
    const manifest = JSON.parse(text) as Record<string, unknown>;
    for (const field of ['homepage', 'bugs', 'repository']) assert.ok(manifest[field], field);
    assert.ok(!('@kontor/contract' in (manifest['dependencies'] as object)));
    for (const shared of ['docs', 'deploy']) {
      const list = async (root: string) => {
        const names = await readdir(path.join(root, shared), { recursive: true });
        return names.filter(name => name !== 'portal' && !name.endsWith('.png')).toSorted();
      };
      assert.deepEqual(await list(place), await list(repository));
      assert.deepEqual(await Array.fromAsync(glob('**/*.png', { cwd: place })), []);
    }
  });

  test(`need less than ${sizeMaximum} MB with a PostgreSQL server, and name the command that installs the embedded one`, async () => {
    const place = new Installation(path.join(folder, 'lean'));
    await place.install(packed.kontor);
    const size = await megabytes(path.join(place.folder, 'node_modules'));
    assert.ok(size < sizeMaximum, `they have ${size.toFixed(1)} MB`);
    await assert.rejects(place.run('npx', 'kontor', 'key', 'list'), (error: { stderr: string }) => {
      assert.match(error.stderr, /set DATABASE_URL to .*, or install .* @kontor\/embedded-postgres/);
      return true;
    });
  });

  test('name the command that installs OpenTelemetry where traces are to be sent', async () => {
    const place = new Installation(path.join(folder, 'lean'));
    await assert.rejects(
      place.run('npx', 'kontor', 'serve', '--otlp-endpoint', 'http://127.0.0.1:4318'),
      (error: { stderr: string }) => {
        assert.match(
          error.stderr,
          /OTEL_EXPORTER_OTLP_ENDPOINT needs .*npm install @opentelemetry\/sdk-trace /,
        );
        return true;
      },
    );
  });

  test('name the command that installs the client of S3 where files are to go there', async () => {
    const place = new Installation(path.join(folder, 'lean'));
    const open = `import('./node_modules/kontor/dist/files/open.js')
      .then(({ openFiles }) => openFiles({ filesUrl: 's3://bucket', fileTimeout: 1 }, null))
      .catch(error => console.log(error.message))`;
    const { stdout } = await place.run('node', '-e', open);
    assert.match(stdout, /^FILES_URL needs .* "npm install @aws-sdk\/client-s3 @aws-sdk\/lib-storage"$/m);
  });
});

describe('the client, installed alone into an empty folder', () => {
  let place: Installation;
  before(async () => {
    place = new Installation(path.join(folder, 'client'));
    await place.runPacked(asInGuides.client, [packed.sdk]);
    await place.run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...runtimes);
    await writeFile(path.join(place.folder, 'client.mjs'), client);
  });

  test('has no dependencies, and is small', async () => {
    const { size } = await stat(packed.sdk);
    assert.ok(size <= clientMaximum, `${size} bytes`);
    const manifest = JSON.parse(
      await readFile(path.join(place.folder, 'node_modules/@kontor/sdk/package.json'), 'utf8'),
    ) as Record<string, unknown>;
    assert.equal(manifest['dependencies'], undefined);
  });

  test('takes at most 10 kB of a bundle', async () => {
    const limit = { path: 'node_modules/@kontor/sdk/dist/index.js', limit: '10 kB', ignore: ['node:*'] };
    const bundled = new Installation(path.join(folder, 'bundle'));
    await bundled.install(packed.sdk, ...sizeLimit);
    await writeFile(path.join(bundled.folder, '.size-limit.json'), JSON.stringify([limit]));
    await bundled.run('npx', 'size-limit');
  });

  test('gives strict types to a program, in each module system, with no types of Node but the DOM', async () => {
    const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
    const own = { strict: true, target: 'es2022', noEmit: true, types: [], skipLibCheck: false };
    await writeFile(path.join(place.folder, 'typed.ts'), typedClient);
    for (const module of [
      { module: 'node16' },
      { module: 'nodenext' },
      { module: 'esnext', moduleResolution: 'bundler' },
    ]) {
      const compilerOptions = { ...own, ...module, lib: ['es2022', 'dom'] };
      const config = { compilerOptions, include: ['typed.ts'] };
      await writeFile(path.join(place.folder, 'tsconfig.json'), JSON.stringify(config));
      const checked = await place
        .run('node', tsc, '--project', '.')
        .catch((error: { stdout: string }) => error);
      assert.equal(checked.stdout, '');
    }
  });

  test('reads, writes, follows changes and downloads on Node 20, 22 and 24, Bun and Deno', async () => {
    const installed = new Installation(path.join(folder, 'on-24'));
    const { announced, stop } = await installed.start('demo');
    try {
      const { baseUrl, key } = announced as { baseUrl: string; key: string };
      for (const major of [20, 22, 24]) {
        const node = new Installation(place.folder, await nodeOf(major, path.join(folder, `node-${major}`)));
        assert.equal((await node.run('node', 'client.mjs', baseUrl, key)).stdout, 'ok\n', `Node ${major}`);
      }
      for (const command of [['bun'], ['deno', 'run', '--allow-net', '--allow-read=.', '--allow-write=.']])
        assert.equal(
          (await place.run('npx', ...command, 'client.mjs', baseUrl, key)).stdout,
          'ok\n',
          command[0],
        );
    } finally {
      await stop();
    }
  });
});

describe('kontor-sync, installed alone into an empty folder', () => {
  test('is small, and needs no package but commander', async () => {
    const place = new Installation(path.join(folder, 'sync'));
    await place.runPacked('npm install ./kontor-sync-*.tgz', [packed.sync]);
    const { size } = await stat(packed.sync);
    assert.ok(size <= syncMaximum, `${size} bytes`);
    const installed = await readdir(path.join(place.folder, 'node_modules'));
    assert.deepEqual(
      installed.filter(name => !name.startsWith('.')),
      ['@kontor', 'commander'],
    );
  });
});

describe('the README of a package, followed by its words in an empty folder', () => {
  let demo: Awaited<ReturnType<Installation['start']>>;
  let key: string;
  before(async () => {
    const service = new Installation(path.join(folder, 'on-24'));
    demo = await service.start('demo');
    const kontor = async (...args: string[]) =>
      JSON.parse((await service.run('npx', 'kontor', ...args, '--json')).stdout) as Record<string, string>;
    const { id: organization } = await kontor('organization', 'create', '--name', 'Muster AG');
    const company = ['--organization', organization!, '--name', 'Muster GmbH'];
    const { id: tenant } = await kontor('tenant', 'create', ...company);
    const access = ['--tenant', tenant!, '--expires', '1d'];
    ({ key = '' } = await kontor('key', 'create', ...company, ...access));
  });
  after(() => demo.stop());

  /** Writes the files of the packed README, and runs its commands up to a heading. Returns what they printed. */
  async function follow(name: 'sdk' | 'sync', place: Installation): Promise<string> {
    const packedReadme = path.join(place.folder, 'node_modules/@kontor', name, 'README.md');
    const install = `npm install ./kontor-${name}-*.tgz\n`;
    await place.runPacked(install, [packed[name]]);
    const readme = await readFile(packedReadme, 'utf8');
    const [, steps] = /^## (?:The first sync|From an empty folder)\n([^]*?)(?:^## |(?![^]))/m.exec(readme)!;
    const commands: string[] = [];
    for (const { file, language, text } of blocksOf(steps!))
      if (file !== null) await writeFile(path.join(place.folder, file), text);
      else if (language === 'sh') commands.push(text);
    assert.equal(commands[0], install);
    const script = commands
      .slice(1)
      .join('')
      .replaceAll('https://kontor.example.com/v1', String(demo.announced['baseUrl']))
      .replace('kontor_…', key);
    return (await place.run('bash', '-euc', script)).stdout;
  }

  for (const version of ['22.13.0', 24])
    test(`ends with a verified sync on Node ${version}`, async () => {
      const place = new Installation(
        path.join(folder, `a folder of Node ${version}`),
        await nodeOf(version, path.join(folder, `node-${version}`)),
      );
      const printed = await follow('sync', place);
      assert.match(printed, /Abteilung → division/);
      assert.match(printed, /Nothing to do/);
    });

  test('ends with all employees read on Node 20', async () => {
    const place = new Installation(
      path.join(folder, 'a client'),
      await nodeOf(20, path.join(folder, 'node-20')),
    );
    assert.match(await follow('sdk', place), /^Read all [1-9]\d* employees$/m);
  });
});

describe('deploy/Containerfile, done step by step without a container', () => {
  test('installs the packages, serves as its user, becomes healthy and stops in order', async () => {
    const testing = await testDatabase();
    const { url, server } = await overTcp(testing.url);
    try {
      const container = await Container.make(path.join(folder, 'image'), [packed.kontor]);
      await container.install();
      assert.equal(await container.serve(url), 0);
      assert.deepEqual(await container.findUntested(), []);
    } finally {
      server.close();
      await testing.drop();
    }
  });
});
