import type { JobKey, Selection } from './stored-jobs.ts';

interface Parts {
  /** Jobs that run at the same time. Each holds a connection. */
  readonly size: number;
  readonly next: (selection: Selection) => Promise<JobKey | null>;
  /** Runs one part of a job. Returns false for a job that this process cannot run at the moment. */
  readonly run: (job: JobKey) => Promise<boolean>;
  /** Receives errors of `next` and `run`. The next call of `retry` tries again. */
  readonly failed: (error: unknown) => void;
}

/** Organizations that are known to have been served. */
const maxServed = 1000;

/**
 * A queue of background jobs in this process, fair between organizations. States of a place:
 *
 * | state | becomes | when                                                                               |
 * | ----- | ------- | ---------------------------------------------------------------------------------- |
 * | free  | taken   | a job is queued: the oldest one of the organization that was served the longest ago |
 * | taken | free    | one part of the job was committed, or the job has ended, failed, or is set aside     |
 *
 * So one organization delays another by one part, whatever it has queued. A job that another process holds, or that the database could
 * not do, is set aside until {@link retry}.
 */
export class FairJobQueue {
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

  /** Tries jobs again that were set aside, and resolves when each free place has a job, or none is queued. */
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
    this.#filling ??= this.#startQueued();
    return this.#filling;
  }

  async #startQueued(): Promise<void> {
    // `#filling` is set by then, and unset in the step of the last check: no call gets lost between them.
    await Promise.resolve();
    while (this.#isFillWanted && !this.#isStopped) {
      this.#isFillWanted = false;
      await this.#startAll().catch(this.#parts.failed);
    }
    this.#filling = null;
  }

  async #startAll(): Promise<void> {
    while (this.#running.size < this.#parts.size) {
      const job = await this.#parts.next({
        busy: [...this.#running.keys()],
        setAside: [...this.#setAside],
        served: [...this.#served],
      });
      if (job === null || this.#isStopped) return;
      this.#recordServed(job.organizationId);
      this.#running.set(job.organizationId, this.#run(job));
    }
  }

  #recordServed(organizationId: string): void {
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
