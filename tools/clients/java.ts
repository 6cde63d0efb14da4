import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { makeWithOpenApiGenerator } from './openapi-generator.ts';
import { versions } from './versions.ts';
import { run, sessions } from './sandbox.ts';

const packages = [
  '--invoker-package',
  'kontor',
  '--api-package',
  'kontor.api',
  '--model-package',
  'kontor.model',
];

export const javaClients: readonly Client[] = [
  {
    name: 'OpenAPI Generator, java (native)',
    version: versions['openapi-generator-cli'],
    language: 'java',
    needs: ['java', 'mvn', 'python3'],
    async make(folder) {
      await makeWithOpenApiGenerator(folder, 'java', ['--library', 'native', ...packages]);
      await copyFile(
        path.join(sessions, 'Session.java'),
        path.join(folder, 'client/src/main/java/Session.java'),
      );
      const goals = ['compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/library'];
      await run(folder, ['mvn', '-q', '-B', '-f', 'client/pom.xml', '-Dmaven.test.skip=true', ...goals]);
    },
    session: () => ['java', '-cp', 'client/target/classes:client/target/library/*', 'Session'],
    advice:
      'Set the key with `setRequestInterceptor`; an error has its envelope as text in `getResponseBody()`.',
  },
];
