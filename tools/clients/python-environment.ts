import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { prepareFolder, install, run } from './sandbox.ts';

/** A Python environment of this name with these requirements, created again when they have changed. */
export async function prepareEnvironment(
  name: string,
  requirements: readonly string[],
  python = 'python3',
): Promise<string> {
  const folder = await prepareFolder(`python-${name}`, true);
  const environment = path.join(folder, 'environment');
  const list = path.join(folder, 'requirements.txt');
  const wanted = requirements.join('\n');
  const present = existsSync(list) ? await readFile(list, 'utf8') : '';
  if (present === wanted) return environment;
  await run(folder, [python, '-m', 'venv', '--clear', environment]);
  await install(folder, [path.join(environment, 'bin/pip'), 'install', '--quiet', ...requirements]);
  await writeFile(list, wanted);
  return environment;
}
