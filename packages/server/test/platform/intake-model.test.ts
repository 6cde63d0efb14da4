import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../src/db/ids.ts';
import { type ApiClient, apiClient } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { orderInput, productInput } from '../support/data/orders.ts';
import { startService } from '../support/service/service.ts';
import { testToken } from '../support/data/tokens.ts';
import { usePlatform } from './support.ts';
import { atScale } from '../support/service/scale.ts';

let employeeId: string;
/** Through one process, and through another one on the same database. */
const clients: ApiClient[] = [];
const resources = new AsyncDisposableStack();
const fixture = usePlatform(async ({ sql, testData, service }) => {
  employeeId = (await storeEmployees(sql, testData.organization, [{ tenant: testData.tenantA }]))[0]!.id;
  const another = await startService(sql);
  resources.defer(() => another.stop());
  const key = await testToken(sql);
  for (const { managementUrl } of [service, another])
    clients.push(apiClient(managementUrl, { api: 'platform', key }));
});

/** An intake: which order it is of, and which of two contents it has. */
interface SentLine {
  readonly order: number;
  readonly variant: number;
}

const given = fc.record({ order: fc.nat(3), variant: fc.nat(1) });
interface Request {
  readonly lines: readonly SentLine[];
  /** Whether they are the lines of a batch, or each is sent by itself. */
  readonly batch: boolean;
  /** Through which process. */
  readonly client: number;
}

/** What is sent at once. */
const round = fc.array(
  fc.record({
    lines: fc.array(given, { minLength: 1, maxLength: 5 }),
    batch: fc.boolean(),
    client: fc.nat(1),
  }),
  { minLength: 1, maxLength: 4 },
);

type Answered = SentLine & { readonly status: number; readonly id: string | null };

test('whatever is sent, again and again or at once: one order for each externalId, and all equal intakes get it', async () => {
  try {
    await fc.assert(fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), check), {
      numRuns: atScale(10, 25),
    });
  } finally {
    clients.forEach(client => client.close());
    await resources.disposeAsync();
  }
});

async function check(rounds: readonly Request[][]): Promise<void> {
  const run = newId();
  const answered: Answered[] = [];
  for (const requests of rounds) {
    const answers = await Promise.all(requests.map(request => send(run, request)));
    answered.push(...answers.flat());
  }
  for (const of of Map.groupBy(answered, ({ order }) => order).values()) {
    const created = of.filter(({ status }) => status === 201);
    assert.equal(created.length, 1);
    const [{ id, variant, order }] = created as [Answered];
    for (const answer of of)
      if (answer.variant === variant) assert.equal(answer.id, id);
      else assert.deepEqual([answer.status, answer.id], [409, null]);
    const rows = await fixture.sql`
      SELECT id, doc FROM employee_order WHERE organization_id = ${fixture.testData.organization}
        AND external_id = ${externalIdOf(run, order)}`;
    assert.deepEqual(
      rows.map(row => row['id']),
      [id],
    );
    assert.equal(JSON.parse(rows[0]!['doc'] as string).products[0].model, modelOf(variant));
  }
}

const externalIdOf = (run: string, order: number) => `${run}-${order}`;
const modelOf = (variant: number) => `Model ${variant}`;

function intakeOf(run: string, { order, variant }: SentLine) {
  const externalId = externalIdOf(run, order);
  const products = [productInput({ model: modelOf(variant) })];
  return orderInput({ externalId, orderNumber: externalId, employeeId, products });
}

async function send(run: string, { lines, batch, client }: Request): Promise<Answered[]> {
  const path = `/organizations/${fixture.testData.organization}`;
  const items = lines.map(line => intakeOf(run, line));
  if (batch) {
    const { body } = await clients[client]!.post(`${path}/order-batches`, { items });
    return lines.map((line, n) => ({ ...line, status: body.items[n].status, id: body.items[n].id }));
  }
  const answers = await Promise.all(items.map(item => clients[client]!.post(`${path}/orders`, item)));
  return answers.map(({ status, body }, n) => ({ ...lines[n]!, status, id: body.id ?? null }));
}
