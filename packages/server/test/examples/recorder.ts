import assert from 'node:assert/strict';
import {
  type Api,
  type ErrorBody,
  errorCatalog,
  type Operation,
  type Recorded,
  rejectionKind,
} from '@kontor/contract';
import { type Answer, type ApiClient, multipart, type Uploaded } from '../support/contract/client.ts';
import { pathOf } from '../support/contract/examples.ts';
import { sampleBody } from '../support/contract/samples.ts';
import type { TestService } from '../support/service/service.ts';
import type { Sql } from '../support/database/sql.ts';
import type { TestData } from '../support/data/test-data.ts';

/** The request identifier of all recorded requests. */
export const requestId = '0199a8c2-4c1e-7d53-9b0a-3f1c5d7e9a21';

export interface Sent {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, string | number | boolean>;
  readonly body?: unknown;
  readonly file?: Uploaded | FormData;
  readonly raw?: Buffer | string;
  readonly key?: string | null;
  readonly tenant?: string;
  readonly headers?: Record<string, string>;
}

/** The service, its data and the recorder that a scenario works with. */
export interface Stage {
  readonly sql: Sql;
  readonly testData: TestData;
  readonly client: ApiClient;
  readonly recorder: Recorder;
}

export interface PlatformStage extends Stage {
  readonly service: TestService;
}

/** What there is when all successes are recorded. */
export interface Cast {
  readonly division: string;
  readonly employee: string;
  readonly underReview: string;
  readonly decided: string;
  readonly incident: string;
  readonly payrollDocument: string;
}

/** Sends requests to operations of an API, and keeps what was asked and answered as the contract shows it. */
export class Recorder {
  readonly #operations: Api['operations'];
  /** The kinds of operations that have been rejected something, with the name of the example. */
  readonly #kinds = new Set<string>();
  readonly recorded: {
    operations: Record<
      string,
      { path: Record<string, string>; request?: unknown; answers: Record<number, unknown> }
    >;
    errors: Record<string, unknown>;
    ownErrors: Record<string, unknown>;
    headers: Record<string, string | number>;
  } & Recorded = { operations: {}, errors: {}, ownErrors: {}, headers: {} };

  constructor({ operations }: Api) {
    this.#operations = operations;
  }

  /** Asks for a success, and keeps it as the example of the operation. */
  async ask(client: ApiClient, operationId: string, sent: Sent = {}): Promise<Answer<any>> {
    const answer = await send(client, this.#operations[operationId]!, sent);
    assert.ok(answer.status < 300, `${operationId}: ${answer.bytes.toString()}`);
    const { path = {}, body } = sent;
    const recording = (this.recorded.operations[operationId] ??= { path, answers: {} });
    if (body !== undefined) recording.request = body;
    if (answer.body !== undefined) recording.answers[answer.status] = answer.body;
    return answer;
  }

  /**
   * Asks for a rejection. The first of each code and status is the shared example, the first of another kind of operations the one of
   * that kind; what an operation alone answers stands at the operation, and what is asked for with `own`.
   */
  async reject(
    client: ApiClient,
    operationId: string,
    [status, code]: [number, ErrorBody['error']['code']],
    sent: Sent & { own?: true } = {},
  ): Promise<Answer<any>> {
    const operation = this.#operations[operationId]!;
    const answer = await send(client, operation, sent);
    assert.deepEqual([answer.status, answer.body?.error?.code], [status, code], operationId);
    const name = status === errorCatalog[code].statuses[0] ? code : `${code}_${status}`;
    const shared = (this.recorded.errors[name] ??= answer.body);
    const kind = `${rejectionKind(operation, status)} ${name}`;
    const isFirstOfKind = !this.#kinds.has(kind);
    this.#kinds.add(kind);
    if (JSON.stringify(shared) === JSON.stringify(answer.body)) return answer;
    if (sent.own || operation.errors.includes(code))
      this.recorded.ownErrors[`${operationId} ${name}`] = answer.body;
    else if (isFirstOfKind) this.recorded.ownErrors[kind] = answer.body;
    return answer;
  }

  /**
   * Asks for the success of each operation that `scenario` leaves out, with a sample of its body, about the resource of its collection.
   * @throws AssertionError that names an operation which needs more
   */
  async askRest(client: ApiClient, scenario: string): Promise<void> {
    for (const [id, operation] of Object.entries(this.#operations)) {
      if (id in this.recorded.operations) continue;
      const { body, upload, success } = operation;
      const path = this.#resourceOf(operation);
      const sent = { path, ...(upload && { file: pdf }), ...(body && { body: sampleBody(id, body) }) };
      try {
        if (success.status === 201) await this.ask(client, id, { ...sent, query: { dryRun: true } });
        await this.ask(client, id, sent);
      } catch (error) {
        const place = `packages/server/test/examples/${scenario}`;
        throw new Error(`${id} needs more than a sample: request it in ${place}`, { cause: error });
      }
    }
  }

  /** The recorded identifiers of a resource of the same collection. */
  #resourceOf(operation: Operation): Record<string, string> {
    const collection = collectionOf(operation);
    const recorded = Object.entries(this.recorded.operations);
    const found = recorded.find(
      ([id, { path }]) => 'id' in path && collectionOf(this.#operations[id]!) === collection,
    );
    return found?.[1].path ?? {};
  }

  /** Keeps a header of an answer. */
  header(name: string, answer: Answer<unknown>): void {
    const value = answer.headers[name.toLowerCase()];
    assert.ok(typeof value === 'string', name);
    this.recorded.headers[name] = /^\d+$/.test(value) ? Number(value) : value;
  }
}

const pdf = { fileName: 'angebot.pdf', bytes: Buffer.from('%PDF-1.7\n%%EOF\n') };

/** `/orders` for `/orders/{id}/decision`. */
function collectionOf({ path }: Operation): string {
  return path.split('/{id}', 1)[0]!;
}

async function send(client: ApiClient, operation: Operation, sent: Sent): Promise<Answer<any>> {
  const { raw, contentType } = await bodyOf(sent);
  return client.request(
    operation.method,
    pathOf(operation, name => sent.path![name]!),
    {
      ...(sent.query && { query: sent.query }),
      ...(sent.key !== undefined && { key: sent.key }),
      ...(sent.tenant !== undefined && { tenant: sent.tenant }),
      ...(raw !== undefined && { raw }),
      headers: {
        'x-request-id': requestId,
        ...(contentType !== undefined && { 'content-type': contentType }),
        ...sent.headers,
      },
    },
  );
}

async function bodyOf({ body, file, raw }: Sent): Promise<{ raw?: Buffer | string; contentType?: string }> {
  if (file) return multipart(file);
  if (raw !== undefined) return { raw, contentType: 'application/json' };
  return body === undefined ? {} : { raw: JSON.stringify(body), contentType: 'application/json' };
}
