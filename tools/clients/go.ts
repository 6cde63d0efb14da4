import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { pinned, versions } from './versions.ts';
import { document, prepareFolder, install, run, sessions } from './sandbox.ts';

/** Puts the session in front of the package `client`, and builds both. */
async function build(folder: string, session: string): Promise<void> {
  await copyFile(path.join(sessions, session), path.join(folder, 'main.go'));
  await copyFile(path.join(sessions, 'check.go'), path.join(folder, 'check.go'));
  await install(folder, ['go', 'mod', 'tidy']);
  await run(folder, ['go', 'build', '-o', 'session', '.']);
}

/** How oapi-codegen is set up: the difference between absent and null is lost otherwise. */
const configuration = `package: client
generate: { models: true, client: true }
output: client/client.go
output-options: { nullable-type: true }
`;

export const goClients: readonly Client[] = [
  {
    name: 'oapi-codegen',
    version: versions['github.com/oapi-codegen/oapi-codegen/v2'].slice(1),
    language: 'go',
    needs: ['go'],
    async make(folder) {
      const programs = await prepareFolder('go-programs', true);
      const source = pinned('github.com/oapi-codegen/oapi-codegen/v2').replace('@', '/cmd/oapi-codegen@');
      await install(folder, ['go', 'install', source], { variables: { GOBIN: programs } });
      await mkdir(path.join(folder, 'client'));
      await writeFile(path.join(folder, 'config.yaml'), configuration);
      await run(folder, [path.join(programs, 'oapi-codegen'), '-config', 'config.yaml', document]);
      await writeFile(path.join(folder, 'go.mod'), 'module kontor\n\ngo 1.24\n');
      for (const name of ['nullable', 'runtime'] as const)
        await install(folder, ['go', 'get', pinned(`github.com/oapi-codegen/${name}`)]);
      await build(folder, 'oapi-codegen.go');
    },
    session: () => ['./session'],
    advice:
      'Set `nullable-type: true` in `output-options`, or null cannot be sent; write the form of an upload with `mime/multipart`.',
  },
];
