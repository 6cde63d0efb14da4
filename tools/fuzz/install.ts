import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

/** The folder of the Python environment. */
export const environment = path.join(repository, '.venv');

/** The program of Schemathesis in its environment. */
export const program = path.join(environment, 'bin', 'schemathesis');

/** Makes sure that the wanted version of Schemathesis is installed. Answers what is in the way, or null. */
export function install(): string | null {
  const wanted = readFileSync(requirements, 'utf8').trim().split('==')[1]!;
  const installed = existsSync(program) ? spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout : '';
  if (installed.includes(wanted)) return null;
  const usable = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  if (spawnSync('python3', ['-c', usable], { stdio: 'ignore' }).status !== 0)
    return 'python3, 3.10 or newer with venv, is not there';
  const made = spawnSync('python3', ['-m', 'venv', '--clear', environment], { stdio: 'inherit' });
  if (made.status !== 0) return `python3 could not make ${environment}`;
  const pip = path.join(environment, 'bin', 'pip');
  const done = spawnSync(pip, ['install', '--quiet', '--requirement', requirements], { stdio: 'inherit' });
  return done.status === 0 ? null : `pip could not install Schemathesis ${wanted}`;
}
