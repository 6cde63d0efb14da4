import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { memoryCounting } from '../../src/http/counting.ts';
import { FailingAddresses } from '../../src/http/failing-addresses.ts';

async function fail(addresses: FailingAddresses, address: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await addresses.gateOf(address).refused();
}

/** Whether the gate lets in at once. */
async function isOpen(addresses: FailingAddresses, address: string): Promise<boolean> {
  const admitted = addresses
    .gateOf(address)
    .admit()
    .then(() => true);
  return Promise.race([admitted, new Promise<boolean>(resolve => setImmediate(resolve, false))]);
}

test('an address from which more than 30 invalid keys come in a minute waits, others do not', async () => {
  const addresses = new FailingAddresses(memoryCounting());
  await fail(addresses, '192.0.2.1', 30);
  assert.equal(await isOpen(addresses, '192.0.2.1'), true);
  await fail(addresses, '192.0.2.1', 1);
  assert.equal(await isOpen(addresses, '192.0.2.1'), false);
  assert.equal(await isOpen(addresses, '192.0.2.2'), true);
});

test('addresses of one IPv6 network count together', async () => {
  const addresses = new FailingAddresses(memoryCounting());
  for (let n = 0; n < 31; n++) await fail(addresses, `2001:db8:1:2:${n}::1`, 1);
  assert.equal(await isOpen(addresses, '2001:db8:1:2:ffff::1'), false);
  assert.equal(await isOpen(addresses, '2001:db8:1:3::1'), true);
});

test('ten of a failing address wait, a second each, and more are refused at once', async () => {
  const addresses = new FailingAddresses(memoryCounting());
  await fail(addresses, '192.0.2.1', 31);
  const gate = addresses.gateOf('192.0.2.1');
  const began = performance.now();
  const waiting = Array.from({ length: 10 }, () => gate.admit());
  await assert.rejects(gate.admit(), { code: 'SERVICE_UNAVAILABLE' });
  await Promise.all(waiting);
  assert.ok(performance.now() - began > 990);
});

test('a minute later all is forgotten', async () => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const { now } = performance;
  try {
    const addresses = new FailingAddresses(memoryCounting());
    await fail(addresses, '192.0.2.1', 31);
    performance.now = () => now.call(performance) + 60_001;
    assert.equal(await isOpen(addresses, '192.0.2.1'), true);
  } finally {
    performance.now = now;
    mock.timers.reset();
  }
});
