import type { Answer, Call, HttpClient, NoAnswer } from './http-client.ts';
import type { Finding } from './ledger.ts';
import { formProblems, type Oracle } from './oracle.ts';
import type { Write } from './writes.ts';

/** A request with an oracle of its answer. 503 is always one of them. */
export interface Question extends Call {
  readonly name: string;
  readonly oracle: Oracle;
  /** What it writes; absent where nothing may be stored. */
  readonly write?: Write;
  /** What must hold after its answer. */
  readonly next?: (answer: Answer) => Question;
}

/** Restricts the answers of requests that are sent and answered while it is in force, beyond what their oracles accept. */
export type Restriction = (question: Question, answer: Answer) => string | null;

/** What was asked and answered under one fault. */
export interface Counts {
  requests: number;
  successes: number;
  rejections: number;
  unavailable: number;
  /** Of the answered ones, in milliseconds. */
  longest: number;
}

/** The requests under one fault, and what was found. */
export class Round {
  readonly counts: Counts = { requests: 0, successes: 0, rejections: 0, unavailable: 0, longest: 0 };
  readonly findings: Finding[] = [];
  /** Of all rounds, in the order in which they were sent. */
  readonly #writes: Write[];
  readonly #client: HttpClient;
  restriction: Restriction | null = null;

  constructor(client: HttpClient, writes: Write[]) {
    this.#client = client;
    this.#writes = writes;
  }

  recordFinding(kind: string, detail: string): void {
    this.findings.push({ kind, detail });
  }

  /** Sends the request, compares the answer with what is expected, and returns it; null when there was none. */
  async ask(question: Question): Promise<Answer | null> {
    const { restriction } = this;
    if (question.write) this.#writes.push(question.write);
    this.counts.requests += 1;
    const answer = await this.#client.send(question);
    if (question.write) settle(question.write, answer);
    if ('reason' in answer) {
      this.recordFinding(answer.reason, `${nameOf(question)}, request ${answer.requestId}`);
      return null;
    }
    this.#count(answer);
    const about = `${nameOf(question)} after ${Math.round(answer.milliseconds)} ms, request ${answer.requestId}`;
    for (const problem of formProblems(answer)) this.recordFinding(problem, about);
    const lie = answer.status === 503 ? null : question.oracle(answer);
    if (lie !== null) this.recordFinding(kindOf(question, answer), `${about}: ${lie}`);
    const breach = restriction === this.restriction ? (restriction?.(question, answer) ?? null) : null;
    if (breach !== null) this.recordFinding(breach, about);
    return answer;
  }

  #count({ status, milliseconds }: Answer): void {
    this.counts.longest = Math.max(this.counts.longest, milliseconds);
    if (status === 503) this.counts.unavailable += 1;
    else this.counts[status < 300 ? 'successes' : 'rejections'] += 1;
  }
}

function settle(write: Write, answer: Answer | NoAnswer): void {
  write.requestId = answer.requestId;
  if ('reason' in answer) return;
  const { status, body } = answer;
  if (status < 300) write.outcome = { state: 'acknowledged', body };
  else if (status < 500) write.outcome = { state: 'rejected' };
  else write.outcome = { state: 'unknown', message: String(body?.error?.message) };
}

/** Sorts false answers by how they are false. */
function kindOf({ name }: Question, { status, body }: Answer): string {
  if (status >= 500) return `status ${status}`;
  return `false answer: ${name} got ${status}${status < 300 ? '' : ` ${body?.error?.code}`}`;
}

function nameOf({ name, method, path }: Question): string {
  return `${name} (${method} ${path.split('?')[0]})`;
}
