import type { JobKey } from './stored-jobs.ts';

/** What the next job of a queue must not be, and whose turn it is. */
export interface Turn {
  /** Organizations with a running job of this queue: an organization has one of them in a process. */
  readonly busy: readonly string[];
  /** Jobs that could not run when their turn came. */
  readonly setAside: readonly string[];
  /** Organizations that had a turn, the longest ago first. One that is absent comes before all of them. */
  readonly served: readonly string[];
}

interface Parts {
  /** Jobs that run at the same time. Each holds a connection. */
  readonly size: number;
  readonly next: (turn: Turn) => Promise<JobKey | null>;
  /** Runs one part of a job. Returns whether the job is to have another turn in this process, if it is still queued. */
  readonly run: (job: JobKey) => Promise<boolean>;
  /** Receives errors of `next` and `run`. The next call of `fill` tries again. */
  readonly failed: (error: unknown) => void;
}

/** Organizations whose last turn is known. */
const maxServed = 1000;

/**
 * The slots of one queue of background jobs in this process. States of a slot:
 *
 * | state | becomes | when                                                                                       |
 * | ----- | ------- | ------------------------------------------------------------------------------------------ |
 * | free  | taken   | a job is queued: the oldest one of the organization whose last turn is the longest ago       |
 * | taken | free    | one part of the job was committed, or the job has ended, failed, or is set aside             |
 *
 * So one organization delays another by one part, whatever it has queued. A job that another process holds, or that the database could
 * not do, is set aside until {@link retry}.
 */
export class JobSlots {
  readonly #parts: Parts;
  /** The running parts by organization. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #setAside = new Set<string>();
  readonly #served = new Set<string>();
  #filling: Promise<void> | null = null;
  #isFillWanted = false;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Gives jobs that were set aside another turn, and resolves when each free slot has a job, or none is queued. */
  retry(): Promise<void> {
    this.#setAside.clear();
    return this.#fill();
  }

  /** Starts no further part, and resolves when the running ones have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#filling;
    await Promise.all(this.#running.values());
  }

  /** Calls at the same time share one search for jobs, which is repeated for those that came during it. */
  #fill(): Promise<void> {
    this.#isFillWanted = true;
    this.#filling ??= this.#startQueued().finally(() => (this.#filling = null));
    return this.#filling;
  }

  async #startQueued(): Promise<void> {
    while (this.#isFillWanted && !this.#isStopped) {
      this.#isFillWanted = false;
      try {
        while (this.#running.size < this.#parts.size) {
          const job = await this.#parts.next({
            busy: [...this.#running.keys()],
            setAside: [...this.#setAside],
            served: [...this.#served],
          });
          if (job === null || this.#isStopped) break;
          this.#start(job);
        }
      } catch (error) {
        this.#parts.failed(error);
      }
    }
  }

  #start(job: JobKey): void {
    this.#recordTurn(job.organizationId);
    this.#running.set(job.organizationId, this.#run(job));
  }

  #recordTurn(organizationId: string): void {
    this.#served.delete(organizationId);
    this.#served.add(organizationId);
    if (this.#served.size > maxServed) this.#served.delete(this.#served.values().next().value!);
  }

  async #run(job: JobKey): Promise<void> {
    let again = false;
    try {
      again = await this.#parts.run(job);
    } catch (error) {
      this.#parts.failed(error);
    }
    if (!again) this.#setAside.add(job.id);
    this.#running.delete(job.organizationId);
    if (!this.#isStopped) void this.#fill();
  }
}
