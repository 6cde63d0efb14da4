import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type ServiceProcess, startServiceProcess } from '../support/service/kontor.ts';
import { BodyAttack, type HonestRequest } from './body-attack.ts';
import { IncompleteBodies, type IncompleteRequest } from './incomplete-bodies.ts';

const connections = 1000;
const timeout = 100_000;

let attack: BodyAttack;
let service: ServiceProcess;
let honest: { requests: readonly HonestRequest[]; close(): void };
before(async () => {
  attack = await BodyAttack.prepare();
  service = await startServiceProcess({ variables: { DATABASE_URL: attack.databaseUrl } });
  honest = await attack.honest(service);
});
after(async () => {
  honest.close();
  await service.end('SIGTERM');
  await attack.close();
});

/** The memory of the service, in bytes; 0 where the system does not report it (Linux does). */
function residentMemory(): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
}

/** Sends the honest requests while so many connections attack, and returns how often the attackers received each answer. */
async function attacked(request: IncompleteRequest): Promise<Readonly<Record<string, number>>> {
  const before = residentMemory();
  const attackers = await IncompleteBodies.open(connections, request);
  try {
    assert.ok(residentMemory() - before < 100 * 1024 * connections, 'a connection costs less than 100 KiB');
    for (const { name, status, send } of honest.requests) assert.equal(await send(), status, name);
    assert.equal(attackers.held, connections, 'all attackers still hold their connections');
    await attackers.allAnswered();
    return attackers.answered;
  } finally {
    attackers.close();
  }
}

describe(`while ${connections} connections have sent one byte of a body that they declare as 5 MB, uploads, batches and sign-ins succeed`, () => {
  test('to the sign-in, which takes 16 KiB and rejects them with 413', { timeout }, async () => {
    assert.deepEqual(await attacked(attack.attacks(service).signIn), {
      '413 The body is larger than 16 KiB (16,384 bytes); send less at once': connections,
    });
  });

  test('to the sign-in within its limit', { timeout }, async () => {
    assertTooSlow(await attacked({ ...attack.attacks(service).signIn, declared: 16_000 }));
  });

  test('to an upload with the key of another customer', { timeout }, async () => {
    assertTooSlow(await attacked(attack.attacks(service).upload));
  });

  test(
    'to a batch on the management port without a token, which rejects them with 401',
    { timeout },
    async () => {
      const [answer, ...more] = Object.keys(await attacked(attack.attacks(service).unknownToken));
      assert.deepEqual([answer!.slice(0, 4), more], ['401 ', []]);
    },
  );

  test('to a batch on the management port with a token', { timeout }, async () => {
    assertTooSlow(await attacked(attack.attacks(service).batch));
  });
});

/** A body that brings less than 1 kB a second is rejected, whether or not another one waits. */
function assertTooSlow(answers: Readonly<Record<string, number>>): void {
  assert.deepEqual(answers, { '400 The body arrived too slowly; send it again, faster': connections });
}
