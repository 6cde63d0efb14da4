import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestCluster, type TestCluster } from '../../packages/server/test/support/database/cluster.ts';
import { Random } from './random.ts';
import { Changes } from './changes.ts';
import { ask } from './database.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';
import type { Document, Stored } from './ledger.ts';
import { Poller } from './poller.ts';
import { upstreamOf } from './postgres.ts';
import { FaultProxy } from './proxy.ts';
import { Reads } from './reads.ts';
import type { FaultTools } from './scenario.ts';
import { startStandby } from './standby.ts';
import { insertTestData, type TestData } from './fixture.ts';
import { Workload } from './workload.ts';
import { type ResourceType, type Write } from './writes.ts';

/** The collections and the tables that their resources are stored in. */
export const collections: Readonly<Record<ResourceType, string>> = {
  employee: '/employees',
  division: '/divisions',
  incident: '/incidents',
  employee_order: '/orders',
};

/** Sessions of PostgreSQL: enough for the service, and few enough to be taken by another client soon. */
const settings = { max_connections: '80' };

export interface HarnessOptions extends ServiceOptions {
  /** Orders that can be decided. */
  readonly orders: number;
}

/** A PostgreSQL, a proxy before it, a service behind that, and all who ask something of it. */
export class Harness implements FaultTools {
  readonly primary: TestCluster;
  readonly proxy: FaultProxy;
  readonly testData: TestData;
  readonly reads: Reads;
  readonly changes: Changes;
  readonly workload: Workload;
  readonly pollers: Readonly<Record<ResourceType, Poller>>;
  /** Every write that was sent. */
  readonly writes: Write[] = [];
  readonly #folder: string;
  readonly #options: HarnessOptions;
  readonly #stack: AsyncDisposableStack;
  #service: Service | null = null;
  #standby: Promise<TestCluster> | null = null;

  private constructor(
    parts: { primary: TestCluster; proxy: FaultProxy; testData: TestData; folder: string; random: Random },
    options: HarnessOptions,
    stack: AsyncDisposableStack,
  ) {
    const { primary, proxy, testData, folder, random } = parts;
    this.primary = primary;
    this.proxy = proxy;
    this.testData = testData;
    this.reads = new Reads(testData, random.fork());
    this.changes = new Changes(testData, random.fork());
    this.workload = new Workload({ reads: this.reads, changes: this.changes, random: random.fork() });
    const poller = (resourceType: ResourceType) => new Poller(collections[resourceType], testData.key);
    this.pollers = {
      employee: poller('employee'),
      division: poller('division'),
      incident: poller('incident'),
      employee_order: poller('employee_order'),
    };
    this.#folder = folder;
    this.#options = options;
    this.#stack = stack;
  }

  /** Sets everything up but the service and the standby, which come when they are needed. */
  static async open(options: HarnessOptions): Promise<Harness> {
    await using stack = new AsyncDisposableStack();
    const random = new Random(options.seed);
    const folder = await mkdtemp(path.join(tmpdir(), 'kontor-faults-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const primary = await startTestCluster({ settings });
    stack.defer(() => primary.stop());
    const proxy = await FaultProxy.start(upstreamOf(primary), random.fork());
    stack.defer(() => proxy.close());
    const testData = await insertTestData({ folder, databaseUrl: primary.url }, options.orders);
    return new Harness({ primary, proxy, testData, folder, random }, options, stack.move());
  }

  /** The service: the one that runs already, or when it has ended a new one. */
  async service(): Promise<Service> {
    if (this.#service?.death() === null) return this.#service;
    const environment = { folder: this.#folder, databaseUrl: this.#databaseUrl() };
    const service = await startService(environment, this.#options);
    this.#stack.defer(() => service.stop());
    this.#service = service;
    return service;
  }

  /** Ends the service; the next one is a new one. */
  async endService(): Promise<void> {
    await this.#service?.stop();
  }

  standby(): Promise<TestCluster> {
    this.#standby ??= this.#startStandby();
    return this.#standby;
  }

  async #startStandby(): Promise<TestCluster> {
    const relay = await FaultProxy.start(upstreamOf(this.primary), new Random(0));
    this.#stack.defer(() => relay.close());
    const standby = await startStandby(this.primary, relay.port, settings);
    this.#stack.defer(() => standby.stop());
    return standby;
  }

  #databaseUrl(): string {
    const url = new URL(this.primary.url);
    url.search = '';
    url.host = `127.0.0.1:${this.proxy.port}`;
    return url.href;
  }

  /** Everything that is stored, read past the proxy. */
  async stored(): Promise<Stored> {
    const documents = async (table: ResourceType) =>
      (await ask<{ doc: string }>(this.primary.url, `SELECT doc FROM ${table}`)).map(
        ({ doc }) => JSON.parse(doc) as Document,
      );
    // Rejections for lack of a right are audited, too, and store nothing else.
    const audit = await ask<{ requestId: string; targetId: string }>(
      this.primary.url,
      `SELECT request_id AS "requestId", target_id AS "targetId" FROM audit
       WHERE request_id IS NOT NULL AND reason IS NULL`,
    );
    return {
      documents: {
        employee: await documents('employee'),
        division: await documents('division'),
        incident: await documents('incident'),
        employee_order: await documents('employee_order'),
      },
      audit,
    };
  }

  close(): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
