import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { removeFolder, serverPid, temporaryFolder, until, visit } from './visitors.ts';

const timeout = 60_000;
let folder: string;

before(async () => {
  folder = await temporaryFolder();
});

after(() => removeFolder(folder));

test('processes that start at once on a new folder share one PostgreSQL', { timeout }, async () => {
  const visitors = [visit(folder), visit(folder), visit(folder)];
  const greetings = await Promise.all(visitors.map(visitor => visitor.greeting));
  assert.deepEqual(greetings, ['ready', 'ready', 'ready']);
  const pid = await serverPid(folder);
  for (const visitor of visitors) assert.equal(await visitor.ask(), 'present');
  await Promise.all(visitors.map(visitor => visitor.leave()));
  assert.notEqual(pid, null);
  assert.equal(await serverPid(folder), null);
});

test(
  'processes that start at once on a folder that was used before share one PostgreSQL',
  { timeout },
  async () => {
    const visitors = [visit(folder), visit(folder), visit(folder)];
    const greetings = await Promise.all(visitors.map(visitor => visitor.greeting));
    assert.deepEqual(greetings, ['ready', 'ready', 'ready']);
    await Promise.all(visitors.map(visitor => visitor.leave()));
    assert.equal(await serverPid(folder), null);
  },
);

test('a second process connects, and the last one that leaves stops PostgreSQL', { timeout }, async () => {
  const first = visit(folder);
  assert.equal(await first.greeting, 'ready');
  const pid = await serverPid(folder);
  const second = visit(folder);
  assert.equal(await second.greeting, 'ready');
  await first.leave();
  assert.equal(await second.ask(), 'present');
  assert.equal(await serverPid(folder), pid);
  await second.leave();
  assert.equal(await serverPid(folder), null);
});

test('Ctrl-C reaches the process, not its PostgreSQL', { timeout }, async () => {
  const visitor = visit(folder);
  assert.equal(await visitor.greeting, 'ready');
  const pid = await serverPid(folder);
  visitor.signal('SIGINT');
  assert.equal(await visitor.ask(), 'present');
  assert.equal(await serverPid(folder), pid);
  await visitor.leave();
});

test('kill -9 of the only process stops PostgreSQL', { timeout }, async () => {
  const visitor = visit(folder);
  assert.equal(await visitor.greeting, 'ready');
  visitor.signal('SIGKILL');
  await until(async () => (await serverPid(folder)) === null);
});

test('kill -9 of the process that started PostgreSQL leaves it to the others', { timeout }, async () => {
  const first = visit(folder);
  assert.equal(await first.greeting, 'ready');
  const pid = await serverPid(folder);
  const second = visit(folder);
  assert.equal(await second.greeting, 'ready');
  first.signal('SIGKILL');
  await first.ended;
  assert.equal(await second.ask(), 'present');
  // A third one comes and goes: PostgreSQL accepts connections and is still the same.
  const third = visit(folder);
  assert.equal(await third.greeting, 'ready');
  await third.leave();
  assert.equal(await second.ask(), 'present');
  assert.equal(await serverPid(folder), pid);
  await second.leave();
  // The guard of the first process stops PostgreSQL if it still looks whether others use it.
  await until(async () => (await serverPid(folder)) === null);
});

test('a start right after kill -9 works', { timeout }, async () => {
  for (const victim of [visit(folder), visit(folder)]) {
    assert.equal(await victim.greeting, 'ready');
    victim.signal('SIGKILL');
    const next = visit(folder);
    assert.equal(await next.greeting, 'ready');
    assert.equal(await next.ask(), 'present');
    await next.leave();
  }
  await until(async () => (await serverPid(folder)) === null);
});

test('PostgreSQL that was killed is started again for the processes that use it', { timeout }, async () => {
  const visitors = [visit(folder), visit(folder)];
  for (const visitor of visitors) assert.equal(await visitor.greeting, 'ready');
  const killed = (await serverPid(folder))!;
  process.kill(killed, 'SIGKILL');
  await until(async () => ![killed, null].includes(await serverPid(folder)));
  for (const visitor of visitors) await until(async () => (await visitor.ask()) === 'present');
  for (const visitor of visitors) await visitor.leave();
  assert.equal(await serverPid(folder), null);
});

test('PostgreSQL that was stopped from outside is started again', { timeout }, async () => {
  const visitor = visit(folder);
  assert.equal(await visitor.greeting, 'ready');
  const stopped = (await serverPid(folder))!;
  process.kill(stopped, 'SIGINT');
  await until(async () => ![stopped, null].includes(await serverPid(folder)));
  await until(async () => (await visitor.ask()) === 'present');
  await visitor.leave();
  assert.equal(await serverPid(folder), null);
});
