import { copyFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { versions } from './versions.ts';
import { document, prepareFolder, install, run, sessions } from './sandbox.ts';

const manifest = {
  private: true,
  type: 'module',
  dependencies: Object.fromEntries(
    (['@hey-api/openapi-ts', 'openapi-fetch', 'openapi-typescript', 'typescript'] as const).map(name => [
      name,
      versions[name],
    ]),
  ),
};

const compilerOptions = {
  strict: true,
  module: 'preserve',
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  types: ['node'],
  typeRoots: [path.join(import.meta.dirname, '../../node_modules/@types')],
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  outDir: 'out',
  rootDir: '.',
};

let installed: Promise<string> | undefined;

/** The folder with what npm installs, for all of these clients. */
function packages(): Promise<string> {
  installed ??= (async () => {
    const folder = await prepareFolder('npm', true);
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await install(folder, ['npm', 'install', '--legacy-peer-deps', '--ignore-scripts']);
    return path.join(folder, 'node_modules');
  })();
  return installed;
}

/** Puts the session into the folder and compiles it with the client. */
async function typed(folder: string, session: string): Promise<void> {
  await copyFile(path.join(sessions, session), path.join(folder, 'session.ts'));
  await copyFile(path.join(sessions, 'check.ts'), path.join(folder, 'check.ts'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['session.ts'] }),
  );
  await run(folder, [process.execPath, path.join(await packages(), 'typescript/bin/tsc')]);
}

/** Generated files import each other without an extension, which Node alone does not find. */
const session = (): [string, ...string[]] => [process.execPath, '--import', './resolve.js', 'out/session.js'];

/** Teaches Node to find files without an extension. */
const resolve = `import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    for (const ending of ['', '.js', '/index.js']) {
      try {
        return next(name + ending, context);
      } catch (error) {
        if (!name.startsWith('.')) throw error;
      }
    }
    return next(name, context);
  },
});
`;

export const typescriptClients: readonly Client[] = [
  {
    name: 'openapi-typescript with openapi-fetch',
    version: `${versions['openapi-typescript']}, ${versions['openapi-fetch']}`,
    language: 'typescript',
    needs: ['npm'],
    async make(folder) {
      const modules = await packages();
      const program = path.join(modules, 'openapi-typescript/bin/cli.js');
      await run(folder, [process.execPath, program, document, '-o', 'schema.d.ts']);
      await symlink(modules, path.join(folder, 'node_modules'));
      await typed(folder, 'openapi-fetch.ts');
    },
    session: () => [process.execPath, 'out/session.js'],
    advice:
      'Upload with a `bodySerializer` that answers a `FormData`; download with `parseAs`. The type of a file is `string`.',
  },
  {
    name: 'hey-api',
    version: versions['@hey-api/openapi-ts'],
    language: 'typescript',
    needs: ['npm'],
    async make(folder) {
      const modules = await packages();
      const program = path.join(modules, '@hey-api/openapi-ts/bin/run.js');
      const options = ['-i', document, '-o', 'client', '-c', '@hey-api/client-fetch', '--no-log-file'];
      await run(folder, [process.execPath, program, ...options]);
      await writeFile(path.join(folder, 'resolve.js'), resolve);
      await typed(folder, 'hey-api.ts');
    },
    session,
    advice: 'Give `createClient` the `baseUrl` and the key as `auth`; download with `parseAs`.',
  },
];
