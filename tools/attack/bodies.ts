import { readFileSync } from 'node:fs';
import { type Attacked, BodyAttack } from '../../packages/server/test/security/body-attack.ts';
import {
  IncompleteBodies,
  type IncompleteRequest,
} from '../../packages/server/test/security/incomplete-bodies.ts';
import { startServiceProcess } from '../../packages/server/test/support/service/kontor.ts';
import type { AttackResult } from './attack.ts';

type Log = (line: string) => void;

/** Milliseconds that an honest request may take during an attack. */
const bound = 1000;

/** How often each honest request is sent during an attack, and how many connections attack. */
const rounds = 2;
const connections = 1000;

/** Connections of one key that send all of their body but a byte: twenty times its share. */
const filling = 60;

/**
 * Attacks the memory for request bodies of a service that it starts itself, on the loopback interface, in under a minute. An
 * honest request that fails, or takes more than a second, is a finding; on a slow machine, more than three times what it
 * takes without an attack.
 */
export async function attackBodies(log: Log): Promise<AttackResult> {
  const findings: string[] = [];
  const figures: Record<string, number | string> = {};
  const attack = await BodyAttack.prepare();
  const service = await startServiceProcess({ variables: { DATABASE_URL: attack.databaseUrl } });
  try {
    const quiet = await measureSlowest(attack, service, findings);
    for (const [name, milliseconds] of quiet) figures[`${name}, without an attack (ms)`] = milliseconds;
    for (const [name, count, request] of attacksOn(attack, service)) {
      log(`${count} connections: ${name}`);
      const attackers = await IncompleteBodies.open(count, request);
      const found: string[] = [];
      for (const [what, milliseconds] of await measureSlowest(attack, service, found)) {
        figures[`${what}, attack on ${name} (ms)`] = milliseconds;
        if (milliseconds > Math.max(bound, 3 * quiet.get(what)!))
          found.push(`${what} took ${milliseconds} ms`);
      }
      findings.push(...found.map(finding => `${name}: ${finding}`));
      log(`  attackers were answered ${JSON.stringify(attackers.answered)}`);
      attackers.close();
    }
    figures['memory of the service at its peak (MB)'] = readPeak(service.pid);
  } finally {
    await service.end('SIGTERM');
    await attack.close();
  }
  return { findings, figures };
}

/** The attacks by name, with how many connections each has. */
function attacksOn(attack: BodyAttack, service: Attacked): [string, number, IncompleteRequest][] {
  const { signIn, upload, unknownToken, batch } = attack.attacks(service);
  const all = Buffer.alloc(upload.declared! - 1, '-');
  return [
    ['the sign-in', connections, signIn],
    ['the sign-in within its limit', connections, { ...signIn, declared: 16_000 }],
    ['an upload with a key', connections, upload],
    [
      'an upload with a key, in chunks',
      connections,
      { ...upload, declared: null, sent: Buffer.from('1\r\n-\r\n') },
    ],
    ['an upload with a key, all but a byte', filling, { ...upload, sent: all }],
    ['the management port without a token', connections, unknownToken],
    ['the management port with a token', connections, batch],
    ['the management port with a token, all but a byte', filling, { ...batch, sent: all }],
  ];
}

/** Sends each honest request some times, one after the other, and answers the longest milliseconds of each. */
async function measureSlowest(
  attack: BodyAttack,
  service: Attacked,
  findings: string[],
): Promise<Map<string, number>> {
  const honest = await attack.honest(service);
  const longest = new Map<string, number>();
  for (let round = 0; round < rounds; round++)
    for (const { name, status, send } of honest.requests) {
      const began = performance.now();
      const answered = await send();
      if (answered !== status) findings.push(`${name} was answered ${answered}`);
      longest.set(name, Math.max(longest.get(name) ?? 0, Math.round(performance.now() - began)));
    }
  honest.close();
  return longest;
}

/** The most memory that a process has ever used, in MB; 0 where the system does not report it (Linux does). */
function readPeak(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round((Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) * 1024) / 1e6);
}
