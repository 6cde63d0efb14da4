import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { prepareEnvironment } from './python-environment.ts';
import { pinned, versions } from './versions.ts';
import { cache, document, install, run, sessions } from './sandbox.ts';

/** Runs the session with the packages that were installed for it. */
function sessionIn(name: string): Client['session'] {
  return () => [path.join(cache, `python-${name}`, 'environment/bin/python'), 'session.py'];
}

async function putSession(folder: string, session: string): Promise<void> {
  await copyFile(path.join(sessions, session), path.join(folder, 'session.py'));
  await copyFile(path.join(sessions, 'check.py'), path.join(folder, 'check.py'));
}

/** What openapi-python-client takes files for: it reads texts as characters, and knows no file that may be of several kinds. */
const configuration = `package_name_override: kontor
content_type_overrides:
${['text/csv', 'text/plain', 'application/pdf', 'image/png', 'image/jpeg', 'image/webp']
  .map(type => `  ${type}: application/octet-stream\n`)
  .join('')}`;

export const pythonClients: readonly Client[] = [
  {
    name: 'openapi-python-client',
    version: versions['openapi-python-client'],
    language: 'python',
    needs: ['python3'],
    async make(folder) {
      const requirements = [pinned('openapi-python-client', '=='), 'ruff==0.14.5'];
      const environment = await prepareEnvironment('openapi-python-client', requirements);
      await writeFile(path.join(folder, 'config.yaml'), configuration);
      const program = path.join(environment, 'bin/openapi-python-client');
      const options = ['--path', document, '--config', 'config.yaml', '--output-path', 'client'];
      const variables = { PATH: `${path.join(environment, 'bin')}:${process.env['PATH']}` };
      await run(folder, [program, 'generate', ...options, '--fail-on-warning'], { variables });
      const pip = path.join(environment, 'bin/pip');
      await install(folder, [pip, 'install', '--quiet', '--no-deps', '--force-reinstall', './client']);
      await putSession(folder, 'openapi-python-client.py');
    },
    session: sessionIn('openapi-python-client'),
    advice:
      'It decodes files of `text/*` and skips downloads with several media types: map each to `application/octet-stream` in `content_type_overrides`, for the platform API also `application/zip`.',
  },
];
