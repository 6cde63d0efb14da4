// npm run pack: builds the portal and the documentation, compiles the packages, with types and without tests, into build/, and packs what is
// published from there. It adds a bill of materials and SHA256SUMS, which `-- --sign FILE` signs with a key of SSH.
import { execFile } from 'node:child_process';
import { chmod, cp, glob, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { documentFiles } from './documents.ts';
import {
  buildSbom,
  bundledComponents,
  checkComponents,
  type Component,
  installedComponents,
  licenseList,
} from './pack/sbom.ts';
import { buildShrinkwrap, type LockFile } from './pack/shrinkwrap.ts';
import { writeSums } from './pack/sums.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));
const build = path.join(repository, 'build');

/** A package that is published: its folder below packages/, and what it has beside its compiled sources. */
interface Published {
  readonly folder: string;
  readonly assets: readonly string[];
  /** Files and folders from the root of the repository. */
  readonly shared?: readonly string[];
  /** Whether it is installed with the versions that the tests ran with. */
  readonly isLocked?: true;
  /** The packages whose compiled sources it includes: an installation need not find them in a registry. */
  readonly includes?: readonly string[];
  /** Whether its scripts have no comments, which are in its types. */
  readonly isLean?: true;
  /** Whether it is a command only: it has no types, and no program imports it. */
  readonly isCommand?: true;
}

/** In the order in which they need each other. */
const published: readonly Published[] = [
  { folder: 'contract', assets: [] },
  { folder: 'tabular', assets: [], isLean: true },
  { folder: 'embedded-postgres', assets: [], isLocked: true },
  { folder: 'sdk', assets: [], isLean: true },
  { folder: 'sync', assets: [], includes: ['sdk', 'tabular'], isCommand: true },
  {
    folder: 'server',
    assets: ['data', 'documentation', 'migrations', 'portal'],
    shared: [...Object.values(documentFiles), 'docs', 'deploy', 'CHANGELOG.md', 'SECURITY.md'],
    isLocked: true,
    includes: ['contract', 'tabular'],
  },
];

/** The command of a published package: it finds what is compiled, and names the Node that it needs where that is too old. */
function renderCommand(name: string, { node }: { readonly node: string }): string {
  const oldest = node.replace('>=', '');
  const [major, minor] = oldest.split('.');
  return `#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  console.error('${name} needs Node.js ${oldest} or newer, this is ' + process.version);
  process.exit(1);
}
await import('../dist/main.js');
`;
}

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

type Manifest = Readonly<Record<string, unknown>> & {
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
};

async function readJson<Json>(...place: string[]): Promise<Json> {
  return JSON.parse(await readFile(path.join(repository, ...place), 'utf8')) as Json;
}

async function writeJson(file: string, json: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(json, null, 2)}\n`);
}

/** The manifest as it is published: what is exported is compiled. */
async function buildManifest({
  folder,
  assets,
  shared = [],
  isLocked,
  includes = [],
  isCommand,
}: Published): Promise<Manifest> {
  const {
    private: _private,
    devDependencies: _development,
    dependencies: declared = {},
    ...own
  } = await readJson<Manifest>('packages', folder, 'package.json');
  const included = includes.map(name => `@kontor/${name}`);
  const dependencies = Object.fromEntries(
    Object.entries(declared).filter(([name]) => !included.includes(name)),
  );
  const { homepage, repository: source, bugs } = await readJson<Manifest>('package.json');
  const types = './dist/index.d.ts';
  return {
    ...own,
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
    homepage,
    repository: { ...(source as object), directory: `packages/${folder}` },
    bugs,
    gitHead: await findCommit(),
    ...(!isCommand && {
      exports: { '.': { types, default: './dist/index.js' }, './package.json': './package.json' },
      types,
    }),
    files: [
      'dist',
      ...assets,
      ...shared,
      ...(own['bin'] === undefined ? [] : ['bin']),
      ...(isLocked ? ['npm-shrinkwrap.json', 'THIRD-PARTY'] : []),
    ],
  };
}

/** The commit that is packed; undefined outside of a repository, and where files differ from the commit. */
async function findCommit(): Promise<string | undefined> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: repository })).stdout.trim();
  try {
    return (await git('status', '--porcelain')) === '' ? await git('rev-parse', 'HEAD') : undefined;
  } catch {
    return undefined;
  }
}

/** Puts a package into the compiled sources of another one. */
async function include(folder: string, dist: string, isCommand = false): Promise<void> {
  const filter = (file: string) => !isCommand || !file.endsWith('.d.ts');
  await cp(path.join(build, folder, 'dist'), path.join(dist, folder), { recursive: true, filter });
  for await (const name of glob('**/*.{js,d.ts}', { cwd: dist, exclude: [folder] })) {
    const file = path.join(dist, name);
    const target = `./${path.relative(path.dirname(file), path.join(dist, folder, 'index.js'))}`;
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(`'@kontor/${folder}'`, `'${target}'`));
  }
}

/**
 * Makes one script of a command: it is packed a fifth smaller, and keeps its names. `main.js` stays apart, because it prepares the process before
 * anything is imported, and the schema stays for editors.
 */
async function bundle(dist: string): Promise<void> {
  const input = path.join(dist, 'cli.js');
  const bundle = await rolldown({ input, external: [/^node:/, 'commander'], platform: 'node' });
  const { output } = await bundle.generate({
    codeSplitting: false,
    minify: { compress: false, mangle: false },
  });
  for (const name of await readdir(dist))
    if (name !== 'main.js' && !name.endsWith('.schema.json'))
      await rm(path.join(dist, name), { recursive: true });
  await writeFile(input, output[0].code);
}

/** The licences that the build of the portal collects. The name is put together, as it is not a document of the repository. */
const licenses = ['licenses', 'md'].join('.');

/** All that the packages contain or install. */
const components: Component[] = [];

async function stage(part: Published): Promise<void> {
  const target = path.join(build, part.folder);
  const source = path.join(repository, 'packages', part.folder);
  await mkdir(target, { recursive: true });
  await compile(part.folder, part.isCommand && { removeComments: true, declaration: false });
  for (const folder of part.includes ?? []) await include(folder, path.join(target, 'dist'), part.isCommand);
  if (part.isCommand) await bundle(path.join(target, 'dist'));
  if (part.isLean) await compile(part.folder, { removeComments: true, declaration: false });
  for (const name of part.assets)
    await cp(path.join(source, name), path.join(target, name), { recursive: true });
  // Pictures are for who reads the guides in the repository; the service serves the guides without them.
  const filter = (file: string) => !file.endsWith('.png');
  for (const name of [...(part.shared ?? []), 'LICENSE'])
    await cp(path.join(repository, name), path.join(target, name), { recursive: true, filter });
  await cp(path.join(source, 'README.md'), path.join(target, 'README.md'));
  const manifest = await buildManifest(part);
  if (part.isLocked) {
    const lock = await readJson<LockFile>('package-lock.json');
    await writeJson(path.join(target, 'npm-shrinkwrap.json'), buildShrinkwrap(lock, part.folder, manifest));
    const bundled = part.assets.includes('portal')
      ? bundledComponents(await readFile(path.join(target, 'portal', licenses), 'utf8'))
      : [];
    const own = checkComponents([...installedComponents(lock, part.folder, manifest), ...bundled]);
    await writeFile(path.join(target, 'THIRD-PARTY'), licenseList(own));
    components.push(...own);
  }
  const { bin, ...rest } = manifest;
  if (bin !== undefined) {
    const [name] = Object.keys(bin) as [string];
    const file = path.join(target, 'bin', `${name}.js`);
    await mkdir(path.dirname(file));
    await writeFile(file, renderCommand(name, manifest.engines));
    await chmod(file, 0o755);
    Object.assign(rest, { bin: { [name]: `bin/${name}.js` } });
  }
  await writeJson(path.join(target, 'package.json'), rest);
}

const { values: options } = parseArgs({ options: { sign: { type: 'string' } } });
await rm(build, { recursive: true, force: true });
await run(process.execPath, [path.join(repository, 'tools/build.ts')]);
const files: string[] = [];
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
  files.push(filename);
  console.log(`build/${filename}  ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`);
}
const { version } = await readJson<Manifest>('packages/server/package.json');
const sbom = `kontor-${version}.cdx.json`;
await writeJson(path.join(build, sbom), buildSbom(version, checkComponents(components)));
writeSums(build, [...files, sbom], options.sign);
console.log(`build/${sbom}, build/SHA256SUMS${options.sign === undefined ? '' : ' with its signature'}`);
