// npm run fuzz: sends generated requests, good and bad ones, to both APIs of a service of its own, and fails on an answer that their
// documents do not declare, on any 5xx and on fewer than 20,000 requests. Needs Python 3.10 or newer; Schemathesis is installed into
// .venv. Arguments go to Schemathesis, after those given here: `--max-examples 50` makes a short run.
import { availableParallelism } from 'node:os';
import { allOperations, type ApiName, apis } from '@kontor/contract';
import { answerTable, type GivenAnswer, successShare } from './fuzz/answer-table.ts';
import { install } from './fuzz/install.ts';
import { type Run, runSchemathesis } from './fuzz/schemathesis.ts';
import { type FuzzedService, startFuzzedService } from './fuzz/service.ts';

const names = Object.keys(apis) as ApiName[];

/** Fewer requests than this are no success. */
const requestsMinimum = 20_000;

/** Each operation must have answered 2xx to this share of its requests, or else they do not test much. */
const successMinimum = 0.05;

/** Operations that generated requests hardly ever succeed with, and why. */
const unlikely: Readonly<Record<string, string>> = {
  createPasskey: 'takes the signature of an authenticator',
  signInWithPasskey: 'takes the signature of an authenticator',
  confirmWithPasskey: 'takes the signature of an authenticator',
  beginOpenIdSignIn: 'no provider of OpenID is configured',
  signInWithOpenId: 'no provider of OpenID is configured',
  beginOpenIdConfirmation: 'no provider of OpenID is configured',
  confirmWithOpenId: 'no provider of OpenID is configured',
  beginOpenIdLink: 'no provider of OpenID is configured',
  linkOpenId: 'no provider of OpenID is configured',
  unlinkOpenId: 'no provider of OpenID is configured',
  requestPasswordReset: 'no mail server is configured',
  createPayrollRun: 'a tenant has one draft at a time',
  releasePayrollRun: 'a tenant has one draft at a time',
  discardPayrollRun: 'a tenant has one draft at a time',
  createPayrollSettlement: 'takes a part of an amount that is open',
};

/** Between two lines of progress, in milliseconds. */
const progressInterval = 20_000;

/** Generating requests takes a core for each process; the service takes a part of one. */
const processes = Math.min(availableParallelism(), 4);

/** Shares the operations of an API out, so that each process has some of every kind. Filters among the arguments stand alone. */
function shares(name: ApiName, more: readonly string[]): string[][] {
  if (more.some(argument => /^--(include|exclude)/.test(argument))) return [[]];
  const shared = Array.from({ length: processes }, (): string[] => []);
  Object.keys(apis[name].operations).forEach((operationId, index) =>
    shared[index % processes]!.push('--include-operation-id', operationId),
  );
  return shared;
}

async function fuzz(service: FuzzedService, more: readonly string[]): Promise<void> {
  const progress = setInterval(
    () => console.log(`${service.answers().length} requests so far`),
    progressInterval,
  );
  const outcomes: Run[] = [];
  for (const name of names) {
    const runs = shares(name, more).map((share, index) =>
      runSchemathesis(service.apis[name], { name: `${name}-${index + 1}`, arguments: [...share, ...more] }),
    );
    outcomes.push(...(await Promise.all(runs)));
  }
  clearInterval(progress);
  for (const { name, status, output } of outcomes)
    if (status !== 0) console.log(`--- process ${name}, exit status ${status}\n${output}`);
  const failed = outcomes.some(({ status }) => status !== 0);
  const enough = reportOn(
    service.answers(),
    outcomes.reduce((sum, run) => sum + run.findings, 0),
  );
  process.exitCode = failed || !enough ? 1 : 0;
}

/** Prints what was asked and found; answers whether that is a success. */
function reportOn(answers: readonly GivenAnswer[], findings: number): boolean {
  console.log(answerTable(answers));
  const unreached = allOperations
    .map(({ id }) => id)
    .filter(id => !(id in unlikely) && successShare(answers, id) < successMinimum);
  for (const name of unreached)
    console.error(`error: under ${successMinimum * 100} % of the requests to ${name} were successful`);
  if (answers.length < requestsMinimum)
    console.error(`error: fewer than ${requestsMinimum} requests were sent`);
  console.log(`requests: ${answers.length}, findings: ${findings}`);
  return findings === 0 && unreached.length === 0 && answers.length >= requestsMinimum;
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
    await fuzz(service, more);
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
