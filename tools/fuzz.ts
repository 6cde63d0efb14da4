// npm run fuzz: sends generated requests, good and bad ones, to a service of its own, and fails on an answer that openapi.json
// does not declare and on any 5xx. Needs Python 3.10 or newer; Schemathesis is installed into .venv. Arguments go to
// Schemathesis, after those given here.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startFuzzedService, type FuzzedService } from './fuzz/service.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));
const environment = path.join(repository, '.venv');
const program = path.join(environment, 'bin', 'schemathesis');
const requirements = path.join(repository, 'tools', 'fuzz', 'requirements.txt');

/** Fewer requests than this are no success. */
const requestsMinimum = 20_000;

/** Most generated requests of an operation; those that Schemathesis derives from bounds and examples come on top. */
const examplesPerOperation = 1000;

const seed = 20_261_121;

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** Makes sure that the wanted version is installed. Answers what is in the way, or null. */
function install(): string | null {
  const wanted = readFileSync(requirements, 'utf8').trim().split('==')[1]!;
  const installed = existsSync(program) ? spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout : '';
  if (installed.includes(wanted)) return null;
  const usable = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  if (spawnSync('python3', ['-c', usable], { stdio: 'ignore' }).status !== 0)
    return 'python3, 3.10 or newer with venv, is not there';
  const pip = path.join(environment, 'bin', 'pip');
  const made = spawnSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' });
  if (made.status !== 0) return `python3 could not make ${environment}`;
  const done = spawnSync(pip, ['install', '--quiet', '--requirement', requirements], { stdio: 'inherit' });
  return done.status === 0 ? null : 'pip could not install Schemathesis';
}

/** Runs Schemathesis to its end, and answers its exit status. */
async function fuzz({ url, key, known }: FuzzedService, more: readonly string[]): Promise<number> {
  const options = {
    url,
    header: `X-API-Key: ${key}`,
    checks: checks.join(','),
    phases: 'examples,coverage,fuzzing',
    seed: String(seed),
    'max-examples': String(examplesPerOperation),
    'generation-database': 'none',
    'suppress-health-check': 'all',
    warnings: 'off',
  };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const args = [
    'run',
    path.join(repository, 'openapi.json'),
    ...given,
    '--continue-on-failure',
    '--no-color',
    ...more,
  ];
  const variables = {
    KONTOR_FUZZ_KNOWN: JSON.stringify(known),
    SCHEMATHESIS_HOOKS: 'known_ids',
    PYTHONPATH: path.join(repository, 'tools', 'fuzz'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const child = spawn(program, args, {
    // It leaves a folder of its own where it is started.
    cwd: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...variables },
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => child.kill('SIGINT'));
  const [status] = (await once(child, 'exit')) as [number | null];
  return status ?? 1;
}

async function main(more: readonly string[]): Promise<void> {
  const obstacle = install();
  if (obstacle !== null) {
    console.error(`error: cannot fuzz: ${obstacle}`);
    process.exitCode = 1;
    return;
  }
  const service = await startFuzzedService();
  try {
    const status = await fuzz(service, more);
    const requests = service.requests();
    console.log(`${requests} requests`);
    if (requests < requestsMinimum) console.error(`error: that is less than ${requestsMinimum} requests`);
    process.exitCode = status !== 0 || requests < requestsMinimum ? 1 : 0;
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
