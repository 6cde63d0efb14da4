import { storeEmployees } from '../../packages/server/test/support/data/employees.ts';
import type { ServiceProcess } from '../../packages/server/test/support/service/kontor.ts';
import { contractInput, orderInput, productInput } from '../../packages/server/test/support/data/orders.ts';
import { testToken } from '../../packages/server/test/support/data/tokens.ts';
import type { AttackResult } from './attack.ts';
import { openTarget } from './target.ts';

const probe = import.meta.resolve('./loop-probe.ts');
const rounds = 5;
/** Milliseconds of CPU time that a turn of the event loop may take: the middle one of the rounds, since garbage is collected in some. */
const allowed = 25;

/** Sends the largest requests of the platform API: none may keep the event loop of the service for long. */
export async function attackEventLoop(log: (line: string) => void): Promise<AttackResult> {
  await using target = await openTarget();
  const { sql, testData } = target;
  const token = await testToken(sql);
  const employees = await storeEmployees(
    sql,
    testData.organization,
    Array.from({ length: 1000 }, () => ({ tenant: testData.tenantA })),
  );
  const service = await target.start(probe);
  const products = Array.from({ length: 16 }, () =>
    productInput({ service: 'Inspektion', netService: '100.00' }),
  );
  const orders = (round: number) =>
    employees.map(({ id }, n) =>
      orderInput({ externalId: `${round}.${n}`, employeeId: id, products, contract: contractInput() }),
    );
  const requests: Record<string, (round: number) => [path: string, items: unknown[]]> = {
    'orders of 16 products': round => ['order-batches', orders(round)],
    'the same orders again': round => ['order-batches', orders(round)],
    'orders of nobody': round => [
      'order-batches',
      orders(1000 + round).map(order => ({ ...order, employeeId: 'f'.repeat(24) })),
    ],
    'lines that are none': () => [
      'order-batches',
      Array.from({ length: 1000 }, () => ({ surprise: 'x'.repeat(5000) })),
    ],
    activations: () => ['activation-batches', employees.map(({ id }) => ({ employeeId: id }))],
    'one line of 5 MB': () => ['order-batches', [{ externalId: 'x'.repeat(5_000_000) }]],
  };
  const findings: string[] = [];
  const figures: AttackResult['figures'] = { rounds };
  for (const [name, make] of Object.entries(requests)) {
    const blocks: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const block = await measureLongestBlock(
        service,
        { token, organization: testData.organization },
        make(round),
      );
      // The first one compiles the code.
      if (round > 0) blocks.push(block);
    }
    const middle = blocks.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
    figures[`${name}, ms`] = `${middle.toFixed(1)} (at most ${Math.max(...blocks).toFixed(1)})`;
    if (middle > allowed) findings.push(`${name}: the event loop is blocked for ${middle.toFixed()} ms`);
    log(`${name}: ${middle.toFixed(1)} ms`);
  }
  return { findings, figures };
}

async function measureLongestBlock(
  service: ServiceProcess,
  { token, organization }: { token: string; organization: string },
  [path, items]: [path: string, items: unknown[]],
): Promise<number> {
  const body = JSON.stringify({ items });
  await service.ask('longest turn');
  const answer = await fetch(`${service.managementUrl}/platform/v1/organizations/${organization}/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  });
  await answer.arrayBuffer();
  if (answer.status >= 500) throw new Error(`${path} was answered ${answer.status}`);
  return (await service.ask('longest turn')) as number;
}
