import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { generateWithOpenApiGenerator } from './java.ts';
import { has, install, sessions } from './sandbox.ts';
import { versions } from './versions.ts';

/** The HTTP client as Debian packages it (php-guzzlehttp-guzzle). */
const debianGuzzle = '/usr/share/php/GuzzleHttp/autoload.php';

/** Programs and files that a client in PHP needs: Packagist, or the packages of Debian where Composer is missing. */
export const phpNeeds: readonly string[] = ['php', has('composer') ? 'composer' : debianGuzzle];

/** Loads the client and the packages of Debian, as the autoloader of Composer does. */
const autoloader = `<?php
require '${debianGuzzle}';
spl_autoload_register(function (string $class): void {
    if (str_starts_with($class, 'Kontor\\\\'))
        require __DIR__ . '/../lib/' . strtr(substr($class, 7), '\\\\', '/') . '.php';
});
`;

/** Puts a command into the folder that stands in for Composer where it is missing; answers its place for PATH. */
export async function standInForComposer(folder: string): Promise<string> {
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'autoload.php'), autoloader);
  const script = `#!/bin/sh\nmkdir client/vendor && cp '${bin}/autoload.php' client/vendor/\n`;
  if (!has('composer')) await writeFile(path.join(bin, 'composer'), script, { mode: 0o755 });
  return bin;
}

export const phpClients: readonly Client[] = [
  {
    name: 'OpenAPI Generator, php',
    version: versions['openapi-generator-cli'],
    language: 'php',
    needs: ['java', 'python3', ...phpNeeds],
    async make(folder) {
      await generateWithOpenApiGenerator(folder, 'php', ['--invoker-package', 'Kontor']);
      const PATH = `${await standInForComposer(folder)}:${process.env['PATH']}`;
      const command = ['composer', '--working-dir=client', 'install', '--no-dev', '--quiet'] as const;
      await install(folder, command, { variables: { PATH } });
      await copyFile(path.join(sessions, 'session.php'), path.join(folder, 'session.php'));
    },
    session: () => ['php', 'session.php'],
    advice:
      'Set `setBooleanFormatForQueryString` in the default configuration, or dry runs are rejected. A null that was set is sent. A constructor ignores unknown names such as `firstName`. A `DateTimeImmutable` becomes `{}`: use `DateTime`. An unknown enum value raises `InvalidArgumentException`.',
  },
];
