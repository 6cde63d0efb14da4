// Writers and pollers for the tests of loss-free polling (specification.md 3.7).
import assert from 'node:assert/strict';
import type { Employee } from '@kontor/contract';
import type { Answer, ApiClient } from '../../support/contract/client.ts';

/** A write that was acknowledged with a new `updatedAt`. Times are those of this process, in milliseconds. */
export interface Acknowledged {
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly updatedAt: string;
}

/** What the writers have done. */
export interface Workload {
  /** Creates and updates that changed something. */
  changes: number;
  /** Updates that changed nothing. */
  idle: number;
  /** Answers 503, after which the writer read again and then repeated the write. */
  rejected: number;
  readonly acknowledged: Acknowledged[];
  /** The last value that a writer has written to a field of an employee that others write to as well. */
  readonly shared: Map<string, { id: string; field: string; value: string }>;
}

export function newWorkload(): Workload {
  return { changes: 0, idle: 0, rejected: 0, acknowledged: [], shared: new Map() };
}

const fields = [
  'city',
  'street',
  'phoneNumber',
  'postalCode',
  'additionalInfo',
  'firstName',
  'lastName',
  'employeeNumber',
];

/** One of several clients that write at the same time, each with a field of its own in the employees that they share. */
export class Writer {
  readonly #client: ApiClient;
  readonly #number: number;
  readonly #workload: Workload;
  readonly #tenant: string;
  readonly #own: Employee[] = [];
  #step = 0;

  constructor(client: ApiClient, options: { number: number; workload: Workload; tenant: string }) {
    this.#client = client;
    this.#number = options.number;
    this.#workload = options.workload;
    this.#tenant = options.tenant;
  }

  /** Writes until stopped: of ten writes four create, three update, two update a shared employee, one is idle. */
  async run(shared: readonly Employee[], enough: () => boolean): Promise<void> {
    while (!enough()) {
      const step = this.#step++;
      const kind = step % 10;
      const employee = this.#own[(step * 7) % Math.max(this.#own.length, 1)];
      if (kind < 4 || !employee) await this.#create();
      else if (kind < 7) await this.#update(employee, { city: `City ${step}` });
      else if (kind < 9) await this.#updateShared(shared[step % shared.length]!);
      else await this.#idle(employee);
    }
  }

  async #create(): Promise<void> {
    const email = `w${this.#number}.${this.#step}@example.com`;
    const body = { email, firstName: 'A', lastName: 'B' };
    const created = await this.#write(
      () => this.#client.post('/employees', body, { tenant: this.#tenant }),
      async () => {
        const found = await this.#client.get('/employees', { query: { filter: `email = ${email}` } });
        return found.body.items[0];
      },
    );
    this.#own.push(created);
  }

  async #update(employee: Employee, change: Partial<Employee>): Promise<void> {
    Object.assign(employee, await this.#patch(employee.id, change));
  }

  async #updateShared({ id }: Employee): Promise<void> {
    const field = fields[this.#number % fields.length]!;
    const value = `${this.#number}.${this.#step}`;
    await this.#patch(id, { [field]: value });
    this.#workload.shared.set(`${id} ${field}`, { id, field, value });
  }

  /** Only this writer writes to the employee, so the update finds what it sets, and nothing moves. */
  async #idle(employee: Employee): Promise<void> {
    const { city, updatedAt, id } = employee;
    const answer = await this.#client.patch(`/employees/${id}`, { city });
    assert.deepEqual([answer.status, answer.body.updatedAt], [200, updatedAt]);
    this.#workload.idle += 1;
  }

  #patch(id: string, change: Partial<Employee>): Promise<Employee> {
    return this.#write(
      () => this.#client.patch(`/employees/${id}`, change),
      async () => {
        const { body } = await this.#client.get(`/employees/${id}`);
        const happened = Object.entries(change).every(([field, value]) => body[field] === value);
        return happened ? body : undefined;
      },
    );
  }

  /** Writes; after 503 reads whether it happened all the same, and if not writes again, as the documentation demands. */
  async #write(
    send: () => Promise<Answer<Employee>>,
    reread: () => Promise<Employee | undefined>,
  ): Promise<Employee> {
    for (;;) {
      const sentAt = performance.now();
      const { status, body } = await send();
      if (status === 200 || status === 201) {
        this.#workload.changes += 1;
        this.#workload.acknowledged.push({
          sentAt,
          answeredAt: performance.now(),
          updatedAt: body.updatedAt,
        });
        return body;
      }
      assert.equal(status, 503, JSON.stringify(body));
      this.#workload.rejected += 1;
      const happened = await reread();
      if (happened) return happened;
    }
  }
}

export interface Polled {
  /** The latest version of every employee that the poller was given, as JSON. */
  readonly versions: Map<string, string>;
  /** Answers with something in them. */
  answers: number;
}

/**
 * Polls by the documentation: always page 1, behind the last row that it got. Ends with an empty answer to
 * a question that was asked after `finished` held. The clients take writes.
 */
export async function poll(
  clients: readonly ApiClient[],
  options: { pageSize: number; finished: () => boolean },
): Promise<Polled> {
  const polled: Polled = { versions: new Map(), answers: 0 };
  let [at, id] = ['1970-01-01T00:00:00.000Z', ''];
  for (let write = 0; ; write++) {
    const last = options.finished();
    const behind = id === '' ? '' : ` OR id > ${id}`;
    const query = {
      filter: `updatedAt >= ${at} AND (updatedAt > ${at}${behind})`,
      sort: 'updatedAt',
      pageSize: options.pageSize,
    };
    const { status, body } = await clients[write % clients.length]!.get('/employees', { query });
    assert.equal(status, 200);
    if (body.items.length === 0 && last) return polled;
    if (body.items.length > 0) polled.answers += 1;
    for (const item of body.items as Employee[]) {
      assert.ok(item.updatedAt > at || (item.updatedAt === at && item.id > id), 'a row came again');
      [at, id] = [item.updatedAt, item.id];
      polled.versions.set(item.id, JSON.stringify(item));
    }
  }
}

/** Asserts that a write which was sent after another one had been answered has the later `updatedAt`. */
export function assertOrdered(acknowledged: readonly Acknowledged[]): void {
  const byAnswer = acknowledged.toSorted((a, b) => a.answeredAt - b.answeredAt);
  const bySending = acknowledged.toSorted((a, b) => a.sentAt - b.sentAt);
  let latest = '';
  let answered = 0;
  for (const write of bySending) {
    for (; byAnswer[answered]!.answeredAt < write.sentAt; answered++)
      if (byAnswer[answered]!.updatedAt > latest) latest = byAnswer[answered]!.updatedAt;
    assert.ok(write.updatedAt > latest, `${write.updatedAt} was sent after ${latest} was answered`);
  }
}
