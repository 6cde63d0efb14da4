import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { prepareEnvironment } from './python-environment.ts';
import { pinned, versions } from './versions.ts';
import { document, run, sessions } from './sandbox.ts';

const options = [
  '--invoker-package',
  'kontor',
  '--api-package',
  'kontor.api',
  '--model-package',
  'kontor.model',
  '--additional-properties',
  'enumUnknownDefaultCase=true',
];

/** Makes the client in the folder `client`. PyPI has OpenAPI Generator with its Java program. */
export async function generateWithOpenApiGenerator(
  folder: string,
  generator: string,
  options: readonly string[],
): Promise<void> {
  const environment = await prepareEnvironment('openapi-generator', [pinned('openapi-generator-cli', '==')]);
  const program = path.join(environment, 'bin/openapi-generator-cli');
  await run(folder, [program, 'generate', '-i', document, '-g', generator, '-o', 'client', ...options]);
  if (!existsSync(path.join(folder, 'client'))) throw new Error('OpenAPI Generator made nothing');
}

export const javaClients: readonly Client[] = [
  {
    name: 'OpenAPI Generator, java (native)',
    version: versions['openapi-generator-cli'],
    language: 'java',
    needs: ['java', 'mvn', 'python3'],
    async make(folder) {
      await generateWithOpenApiGenerator(folder, 'java', ['--library', 'native', ...options]);
      await copyFile(
        path.join(sessions, 'Session.java'),
        path.join(folder, 'client/src/main/java/Session.java'),
      );
      const goals = ['compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/library'];
      await run(folder, ['mvn', '-q', '-B', '-f', 'client/pom.xml', '-Dmaven.test.skip=true', ...goals]);
    },
    session: () => ['java', '-cp', 'client/target/classes:client/target/library/*', 'Session'],
    advice:
      'Generate with `enumUnknownDefaultCase=true`, or an unknown code is an exception. Set the key with `setRequestInterceptor`; an error has its envelope as text in `getResponseBody()`.',
  },
];
