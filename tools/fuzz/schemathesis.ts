import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type ApiName, apis, openApiDocument, type OpenApiDocument, type Operation } from '@kontor/contract';
import { sampleBody } from '../../packages/server/test/support/contract/samples.ts';
import { environment, program } from './install.ts';
import type { FuzzedApi } from './service.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Most generated requests of an operation; those that Schemathesis derives from bounds and examples come on top. The stages of a request
 * are the same for all APIs, and the public one goes through most of them.
 */
const examplesPerOperation = { public: 1000, platform: 200, portal: 200 } as const satisfies Record<
  ApiName,
  number
>;

const seed = 20_261_121;

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** What a process of Schemathesis ended with. */
export interface Run {
  readonly name: string;
  readonly status: number;
  /** Different failures, and errors of the tool. */
  readonly findings: number;
  readonly output: string;
}

/** Runs Schemathesis to its end; `arguments` come after those of the house and win over them. */
export async function runSchemathesis(
  { name: api, url, credential, known, left = [] }: FuzzedApi,
  run: { readonly name: string; readonly arguments: readonly string[] },
): Promise<Run> {
  const [document, report] = ['document', 'report'].map(kind =>
    path.join(environment, `${kind}-${process.pid}-${run.name}.json`),
  ) as [string, string];
  await writeFile(document, JSON.stringify(documentOf(api)));
  const options = {
    url,
    checks: checks.join(','),
    phases: 'examples,coverage,fuzzing',
    seed: String(seed),
    'max-examples': String(examplesPerOperation[api]),
    'generation-database': 'none',
    'suppress-health-check': 'all',
    warnings: 'off',
    report: 'json',
    'report-json-path': report,
  };
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  // Writes of an API with cookies must come from a page of its own.
  const site = ['--header', 'Sec-Fetch-Site: same-origin'];
  // A cookie goes by the hooks: Schemathesis makes one itself where the document names it, and would send both.
  const isCookie = credential[0] === 'Cookie';
  const secret = isCookie ? [] : ['--header', credential.join(': ')];
  const args = [
    '--config-file',
    path.join(repository, 'tools/fuzz/schemathesis.toml'),
    'run',
    document,
    ...given,
    ...site,
    ...secret,
    ...left.flatMap(operation => ['--exclude-operation-id', operation]),
    '--continue-on-failure',
    '--no-color',
    ...run.arguments,
  ];
  const variables = {
    KONTOR_FUZZ_KNOWN: JSON.stringify(known),
    KONTOR_FUZZ_CREDENTIAL: isCookie ? credential[1].split('=')[0]! : credential[0],
    KONTOR_FUZZ_COOKIE: isCookie ? credential[1] : '',
    SCHEMATHESIS_HOOKS: 'hooks',
    PYTHONPATH: path.join(repository, 'tools', 'fuzz'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const child = spawn(program, args, {
    // It leaves a folder of its own where it is started.
    cwd: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  });
  const interrupt = () => child.kill('SIGINT');
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, interrupt);
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const output = await text(child.stdout);
  const [status] = await ended;
  await rm(document);
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupt);
  return { name: run.name, status: status ?? 1, findings: await countFindings(report), output };
}

/** The document of an API. The private one of the portal has samples where others have recorded examples. */
function documentOf(api: ApiName): OpenApiDocument {
  const document = openApiDocument(apis[api]);
  if (api !== 'portal') return document;
  for (const [id, { path, method, body }] of Object.entries<Operation>(apis.portal.operations)) {
    if (!body) continue;
    const operation = document.paths[path]![method.toLowerCase() as 'post' | 'patch']!;
    operation.requestBody!.content['application/json']!.example = sampleBody(id, body);
  }
  return document;
}

interface Report {
  readonly test_cases: { readonly unique_failures: number };
  readonly errors: readonly unknown[];
}

/** The findings of a report; a process that did not get to write one counts as one. */
async function countFindings(file: string): Promise<number> {
  const written = await readFile(file, 'utf8').catch(() => null);
  if (written === null) return 1;
  await rm(file);
  const report = JSON.parse(written) as Report;
  return report.test_cases.unique_failures + report.errors.length;
}
