// npm run pack: builds the pages of the portal, compiles the packages, with types and without tests, into build/, and packs what is
// published from there.
import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));
const build = path.join(repository, 'build');

/** A package that is published: its folder below packages/, and what it has beside its compiled sources. */
interface Published {
  readonly folder: string;
  readonly assets: readonly string[];
  /** Whether its scripts have no comments, which are in its types. */
  readonly isLean?: true;
}

/** In the order in which they need each other. */
const published: readonly Published[] = [
  { folder: 'contract', assets: [] },
  { folder: 'embedded-postgres', assets: [] },
  { folder: 'sdk', assets: [], isLean: true },
  { folder: 'server', assets: ['data', 'migrations', 'portal', 'reference'] },
];

/** The command of a published package: it finds what is compiled, and names the Node that it needs where that is too old. */
const command = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 7)) {
  console.error('kontor needs Node.js 24.7 or newer, this is ' + process.version);
  process.exit(1);
}
await import('../dist/main.js');
`;

async function compile(folder: string, more: Record<string, unknown> = {}): Promise<void> {
  const source = path.join(repository, 'packages', folder, 'src');
  const config = {
    extends: '../../tools/pack/tsconfig.json',
    compilerOptions: { rootDir: source, outDir: 'dist', ...more },
    include: [source],
  };
  const file = path.join(build, folder, 'tsconfig.json');
  await writeFile(file, JSON.stringify(config));
  const tsc = path.join(repository, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '--project', file]).catch((error: { stdout: string }) => {
    throw new Error(`packages/${folder} cannot be compiled:\n${error.stdout}`);
  });
  await rm(file);
}

/** The manifest as it is published: what is exported is compiled. */
async function buildManifest({ folder, assets }: Published): Promise<Record<string, unknown>> {
  const text = await readFile(path.join(repository, 'packages', folder, 'package.json'), 'utf8');
  const {
    private: _private,
    devDependencies: _development,
    ...own
  } = JSON.parse(text) as Record<string, unknown>;
  const types = './dist/index.d.ts';
  return {
    ...own,
    exports: { '.': { types, default: './dist/index.js' }, './package.json': './package.json' },
    types,
    files: ['dist', ...assets, ...(own['bin'] === undefined ? [] : ['bin'])],
  };
}

async function stage(part: Published): Promise<void> {
  const target = path.join(build, part.folder);
  const source = path.join(repository, 'packages', part.folder);
  await mkdir(target, { recursive: true });
  await compile(part.folder);
  if (part.isLean) await compile(part.folder, { removeComments: true, declaration: false });
  for (const name of part.assets)
    await cp(path.join(source, name), path.join(target, name), { recursive: true });
  await cp(path.join(repository, 'LICENSE'), path.join(target, 'LICENSE'));
  await cp(path.join(source, 'README.md'), path.join(target, 'README.md'));
  const { bin, ...rest } = await buildManifest(part);
  if (bin !== undefined) {
    await mkdir(path.join(target, 'bin'));
    await writeFile(path.join(target, 'bin/kontor.js'), command);
    await chmod(path.join(target, 'bin/kontor.js'), 0o755);
  }
  const whole = bin === undefined ? rest : { ...rest, bin: { kontor: 'bin/kontor.js' } };
  await writeFile(path.join(target, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
}

await rm(build, { recursive: true, force: true });
await run(process.execPath, [path.join(repository, 'packages/portal/tools/build.ts')]);
for (const part of published) {
  await stage(part);
  const packed = await run('npm', [
    'pack',
    path.join(build, part.folder),
    '--json',
    '--pack-destination',
    build,
  ]);
  const [{ filename, unpackedSize }] = JSON.parse(packed.stdout) as [
    { filename: string; unpackedSize: number },
  ];
  console.log(`build/${filename}  ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`);
}
