import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test, type TestContext } from 'node:test';
import { bodies } from './extremes/bodies.ts';
import type { Extreme, Outcome } from './extremes/extreme.ts';
import { heads } from './extremes/heads.ts';

/** The longest that one request may keep the others waiting, in milliseconds; twice what it should be, for machines half as fast. */
const limit = 200;

/** The garbage of others and the compiler may come in between: the best of so many tries counts. */
const tries = 3;

let service: ChildProcess;
let port: number;
before(async () => {
  service = fork(new URL('./extremes/service.ts', import.meta.url));
  port = await reported();
});
after(() => service.kill());

/** The next message of the service. */
async function reported(): Promise<number> {
  const [message] = (await once(service, 'message')) as [number];
  return message;
}

function ask(message: 'begin' | 'end'): Promise<number> {
  const answer = reported();
  service.send(message);
  return answer;
}

/** Sends a request and answers what came back, and how long the event loop of the service was blocked by it. */
async function run(bytes: Buffer): Promise<{ answer: string; blocked: number }> {
  await ask('begin');
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(bytes);
  // A connection that is cut while it sends ends in an error.
  const answer = await text(socket).catch(() => '');
  return { answer, blocked: await ask('end') };
}

function outcomeOf(answer: string): Outcome {
  const code = /"code":"(\w+)"/.exec(answer)?.[1];
  return [Number(answer.split(' ')[1]), code ?? null];
}

async function check({ bytes, outcome }: Extreme, context: TestContext): Promise<void> {
  const times: number[] = [];
  while (times.length < tries && !times.some(time => time < limit)) {
    const { answer, blocked } = await run(bytes());
    if (outcome) assert.deepEqual(outcomeOf(answer), outcome, answer.slice(0, 1000));
    times.push(Math.round(blocked));
  }
  context.diagnostic(`blocked for ${times.join(', ')} ms`);
  assert.ok(Math.min(...times) < limit);
}

for (const [name, extremes] of Object.entries({ bodies, heads }))
  describe(`the event loop is never blocked for ${limit} ms by extreme ${name}`, () => {
    for (const [title, extreme] of extremes)
      test(title, { timeout: 120_000 }, context => check(extreme, context));
  });
