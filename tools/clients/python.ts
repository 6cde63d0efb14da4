import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client.ts';
import { prepareEnvironment } from './python-environment.ts';
import { blocksBelow, page } from './quick-starts.ts';
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

/** The configuration of the quick start: it reads texts as characters, and skips files that may be of several kinds. */
async function configuration(): Promise<string> {
  const blocks = blocksBelow(await readFile(page, 'utf8'), 'Python');
  return blocks.find(({ file }) => file === 'config.yaml')!.text;
}

export const pythonClients: readonly Client[] = [
  {
    name: 'openapi-python-client',
    version: versions['openapi-python-client'],
    language: 'python',
    needs: ['python3'],
    async make(folder) {
      const requirements = [pinned('openapi-python-client', '==')];
      const environment = await prepareEnvironment('openapi-python-client', requirements);
      await writeFile(path.join(folder, 'config.yaml'), await configuration());
      const program = path.join(environment, 'bin/openapi-python-client');
      const options = ['--path', document, '--config', 'config.yaml', '--output-path', 'client'];
      await run(folder, [program, 'generate', ...options, '--fail-on-warning']);
      const pip = path.join(environment, 'bin/pip');
      await install(folder, [pip, 'install', '--quiet', '--no-deps', '--force-reinstall', './client']);
      await putSession(folder, 'openapi-python-client.py');
    },
    session: sessionIn('openapi-python-client'),
    advice:
      'It decodes files of `text/*` and skips downloads with several media types: map each to `application/octet-stream` in `content_type_overrides`, for the platform API also `application/zip`. An unknown enum value raises `ValueError`.',
  },
];
