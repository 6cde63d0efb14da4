// npm run attack: the long forms of the attacks that Kontor was tried with, each on a service and a database of its own on this
// machine. `--only NAME` runs one (or several: `--only filters,scope`). Fails when an attack found anything.
import { parseArgs } from 'node:util';
import type { Attack } from './attack/attack.ts';
import { attackAuditSearches } from './attack/audit-searches.ts';
import { attackBodies } from './attack/bodies.ts';
import { attackByTests } from './attack/by-tests.ts';
import { attackEventLoop } from './attack/event-loop.ts';
import { attackFilters } from './attack/filters.ts';
import { attackImports } from './attack/imports.ts';
import { attackJobs } from './attack/jobs.ts';
import { attackKeyLimit } from './attack/key-limit.ts';
import { attackPermissions } from './attack/permissions.ts';
import { attackSignIn } from './attack/sign-in.ts';

/** Every attack with what it tries. */
const attacks: Readonly<Record<string, { readonly tries: string; readonly attack: Attack }>> = {
  'kill-writes': {
    tries: 'kill -9 of the service during acknowledged writes',
    attack: attackByTests('service/kill'),
  },
  permissions: {
    tries: 'API keys made, and employees imported, while the permission is taken',
    attack: attackPermissions,
  },
  'key-limit': { tries: 'one user against the limit of new keys of all', attack: attackKeyLimit },
  jobs: { tries: 'large imports of two organizations beside the payroll of a third', attack: attackJobs },
  scope: {
    tries: 'random keys against a model of what they see',
    attack: attackByTests('scope/scope-model', 'scope/hidden-rows', 'scope/many-grants'),
  },
  filters: { tries: '10,000 odd filters', attack: attackFilters },
  'heavy-lists': {
    tries: '48 heavy lists of one key at once',
    attack: attackByTests('security/heavy-lists'),
  },
  'audit-searches': {
    tries: '60 searches of an audit log of 600,000 entries by one portal user',
    attack: attackAuditSearches,
  },
  'event-loop': {
    tries: 'the largest batches, and the longest turn of the event loop',
    attack: attackEventLoop,
  },
  imports: { tries: 'hostile CSV files, read and planned while others read', attack: attackImports },
  bodies: { tries: '1,000 connections that declare a large body and send one byte', attack: attackBodies },
  'sign-in': { tries: 'guesses from 200 networks, and floods from one address', attack: attackSignIn },
  issuer: {
    tries: 'an issuer that lies about keys, claims and addresses, redirects, stalls and sends without an end',
    attack: attackByTests('security/hostile-issuer', 'security/id-token', 'security/issuer-metadata'),
  },
  s3: {
    tries: 'a file store that sends other files, errors that expand, redirects, and answers without an end',
    attack: attackByTests('security/hostile-s3', 'files/s3-store'),
  },
  smtp: {
    tries:
      'a mail server without TLS or with the certificate of another, that stalls and replies without an end',
    attack: attackByTests('security/hostile-smtp', 'mail/send'),
  },
};

/** Longest that one attack may take, in milliseconds. */
const timeLimit = 10 * 60_000;

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, help: { type: 'boolean', default: false } },
});

/** Those of `--only`, in our order. @throws Error when there is no such attack. */
function chooseAttacks(): string[] {
  const known = Object.keys(attacks);
  const names = options.only?.split(',') ?? known;
  const unknown = names.filter(name => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no attack ${unknown.join(', ')}; there are ${known.join(', ')}`);
  return known.filter(name => names.includes(name));
}

/** Runs an attack, prints what came of it, and returns how many findings it has. */
async function run(name: string): Promise<number> {
  const { tries, attack } = attacks[name]!;
  console.log(`${name}: ${tries}`);
  const began = performance.now();
  const timer = setTimeout(() => {
    console.error(`error: ${name} took longer than ${timeLimit / 60_000} minutes`);
    process.exit(1);
  }, timeLimit);
  const { findings, figures } = await attack(line => console.log(`  ${line}`)).finally(() =>
    clearTimeout(timer),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const texts = Object.entries({ ...figures, seconds }).map(([figure, value]) => `${figure} ${value}`);
  console.log(`  ${findings.length === 0 ? 'held' : `${findings.length} findings`}: ${texts.join(', ')}`);
  for (const finding of findings.slice(0, 20)) console.log(`  - ${finding}`);
  return findings.length;
}

async function main(): Promise<void> {
  if (options.help) {
    console.log('npm run attack -- [--only NAME,NAME]\n');
    for (const [name, { tries }] of Object.entries(attacks)) console.log(`  ${name.padEnd(14)}${tries}`);
    return;
  }
  let findings = 0;
  for (const name of chooseAttacks()) findings += await run(name);
  process.exitCode = findings === 0 ? 0 : 1;
}

await main().catch((error: Error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
