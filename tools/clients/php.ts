import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { makeWithOpenApiGenerator } from './openapi-generator.ts';
import { versions } from './versions.ts';
import { run, sessions } from './workshop.ts';

export const phpClients: readonly Client[] = [
  {
    name: 'OpenAPI Generator, php',
    version: versions['openapi-generator-cli'],
    language: 'php',
    // Guzzle as Debian has it (php-guzzlehttp-guzzle).
    needs: ['php', '/usr/share/php/GuzzleHttp/autoload.php', 'python3'],
    async make(folder) {
      await makeWithOpenApiGenerator(folder, 'php', ['--invoker-package', 'Kontor']);
      await copyFile(path.join(sessions, 'session.php'), path.join(folder, 'session.php'));
      await run(folder, ['php', '-l', 'session.php']);
    },
    session: () => ['php', 'session.php'],
    advice:
      'Set `BOOLEAN_FORMAT_STRING` in the default configuration, or it sends `1` for `dryRun=true`, which is 400; an error has its envelope in `getResponseObject()`; a file is a `SplFileObject`.',
  },
];
