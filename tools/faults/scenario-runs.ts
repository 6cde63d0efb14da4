import { setTimeout as delay } from 'node:timers/promises';
import { HttpClient } from './http-client.ts';
import type { Service } from './service.ts';
import { collections, type Harness } from './harness.ts';
import { checkWrites, type Finding, type Stored } from './ledger.ts';
import { dryMark } from './changes.ts';
import { checkSessions, isReady, checkRecovery } from './recovery.ts';
import { type Counts, type Question, Round } from './round.ts';
import type { Scenario, Stage } from './scenario.ts';
import { query } from './reads.ts';
import { exactly } from './oracle.ts';
import type { ResourceType } from './writes.ts';

/** How long all goes well before the fault, and after the service is healthy again; milliseconds. */
const calmBefore = 400;
const calmAfter = 300;

/** How long the pollers may take to come to the end, in milliseconds. */
const pollTimeout = 10_000;

/** What came out of a scenario. */
export interface ScenarioRun {
  readonly name: string;
  readonly counts: Counts;
  /** Milliseconds from the end of the fault; null: it did not recover in time. */
  readonly recovery: number | null;
  readonly findings: readonly Finding[];
}

/** Runs scenarios one after the other; what one has found is not found again in the next. */
export class ScenarioRuns {
  readonly #harness: Harness;
  readonly #signal: AbortSignal;
  readonly #known = new Set<string>();

  constructor(harness: Harness, signal: AbortSignal) {
    this.#harness = harness;
    this.#signal = signal;
  }

  /** Strikes while clients and pollers ask, and then looks at everything. */
  async run(scenario: Scenario, seconds: number): Promise<ScenarioRun> {
    const harness = this.#harness;
    const service = await harness.service();
    const client = new HttpClient(service.url);
    const abort = () => client.close();
    this.#signal.addEventListener('abort', abort);
    const round = new Round(client, harness.writes);
    try {
      const { recovery, polled } = await this.#underLoad(scenario, { service, round, seconds });
      if (recovery === null)
        round.recordFinding('not healthy within 5 s of the end of the fault', scenario.name);
      else if (!polled) round.recordFinding('a poller does not come to the end', scenario.name);
      await this.#checkStored(service, round, polled);
      this.#checkProcess(service, round);
      // A service that is not sound would spoil the next scenario, too.
      if (recovery === null) await harness.endService();
      return { name: scenario.name, counts: round.counts, recovery, findings: this.#fresh(round.findings) };
    } finally {
      this.#signal.removeEventListener('abort', abort);
      client.close();
    }
  }

  /**
   * Asks before, during and after the fault, and answers how long the service took to recover, and whether the pollers have
   * come to the end.
   */
  async #underLoad(
    scenario: Scenario,
    parts: { service: Service; round: Round; seconds: number },
  ): Promise<{ recovery: number | null; polled: boolean }> {
    const { service, round } = parts;
    await using afterwards = new AsyncDisposableStack();
    const load = this.#startLoad(service, round);
    let polled = false;
    let recovery: number | null;
    try {
      await delay(calmBefore, undefined, { signal: this.#signal });
      await scenario.strike(this.#stage({ ...parts, afterwards }));
      recovery = await this.#recover(service, round);
      await delay(calmAfter, undefined, { signal: this.#signal });
    } finally {
      polled = await load.stop();
    }
    return { recovery, polled };
  }

  /** Clients and pollers; `stop` answers whether the pollers have come to the end. */
  #startLoad(service: Service, round: Round): { stop: () => Promise<boolean> } {
    const { workload, pollers, primary } = this.#harness;
    const state = { over: false, written: false, hopeless: false };
    const noMore = () => service.death() !== null || this.#signal.aborted;
    const clients = workload.run(round, () => state.over || noMore());
    const polling = Object.values(pollers).map(poller =>
      poller.run(
        round,
        () => state.written,
        () => state.hopeless || noMore(),
      ),
    );
    return {
      async stop() {
        state.over = true;
        await clients;
        if (!noMore()) await checkSessions(primary.url, round);
        state.written = true;
        const impatience = setTimeout(() => (state.hopeless = true), pollTimeout);
        const polled = await Promise.all(polling);
        clearTimeout(impatience);
        return polled.every(Boolean);
      },
    };
  }

  #stage(parts: {
    service: Service;
    round: Round;
    afterwards: AsyncDisposableStack;
    seconds: number;
  }): Stage {
    const { service, round, afterwards, seconds } = parts;
    const harness = this.#harness;
    const signal = this.#signal;
    return {
      primary: harness.primary,
      proxy: harness.proxy,
      standby: () => harness.standby(),
      round,
      afterwards,
      ready: () => isReady(service.managementUrl),
      hold: (share = 1) => delay(share * seconds * 1000, undefined, { signal }),
      async repeat(every, work, share = 1) {
        const until = performance.now() + share * seconds * 1000;
        for (;;) {
          await work();
          if (performance.now() + every > until) return;
          await delay(every, undefined, { signal });
        }
      },
    };
  }

  async #recover(service: Service, round: Round): Promise<number | null> {
    const { reads, changes } = this.#harness;
    const questions = [
      () => reads.get(),
      () => reads.list(),
      () => changes.createEmployee(),
      () => reads.poll(),
    ];
    let n = 0;
    return checkRecovery({
      round,
      ready: () => isReady(service.managementUrl),
      question: () => questions[n++ % questions.length]!(),
      endedAt: performance.now(),
    });
  }

  async #checkStored(service: Service, round: Round, polled: boolean): Promise<void> {
    const { pollers, writes } = this.#harness;
    const stored = await this.#harness.stored();
    round.findings.push(...checkWrites(writes, stored));
    for (const [resourceType, poller] of polled ? Object.entries(pollers) : [])
      round.findings.push(...poller.missed(stored.documents[resourceType as ResourceType]));
    for (const document of Object.values(stored.documents).flat())
      if (JSON.stringify(document).includes(dryMark))
        round.recordFinding('dry run stored', String(document['id']));
    if (service.death() === null) await this.#checkTotals(round, stored);
  }

  /** A collection reports its size. */
  async #checkTotals(round: Round, { documents }: Stored): Promise<void> {
    for (const [resourceType, path] of Object.entries(collections)) {
      const total = documents[resourceType as ResourceType].length;
      await round.ask(this.#totalQuestion(path, total));
    }
  }

  #totalQuestion(path: string, total: number): Question {
    return {
      name: 'total',
      method: 'GET',
      path: `${path}?${query({ pageSize: 1 })}`,
      key: this.#harness.testData.key,
      oracle: answer => exactly(200, { ...answer.body, totalElements: total })(answer),
    };
  }

  #checkProcess(service: Service, round: Round): void {
    const death = service.death();
    if (death !== null) round.recordFinding('the service ended', death);
    const { uncaught, failed } = service.complaints();
    for (const error of uncaught) round.recordFinding('error that nobody caught', error);
    for (const line of failed) round.recordFinding('5xx in the log', line);
  }

  #fresh(findings: readonly Finding[]): Finding[] {
    return findings.filter(({ kind, detail }) => {
      const text = `${kind} ${detail}`;
      return !this.#known.has(text) && this.#known.add(text);
    });
  }
}
