import { type ErrorCode, errorCatalog } from '../errors.ts';
import type { ExampleObject, HeaderObject, Reference } from './document.ts';
import { recorded } from './recorded.ts';

/** What a service was asked and answered, as `npm run examples` writes it down. */
export interface Recorded {
  /** By the identifier of the operation. */
  readonly exchanges: Readonly<Record<string, RecordedExchange>>;
  /** Envelopes by code, with the status behind it where that is not the first of the code (`VALIDATION_ERROR_422`). */
  readonly errors: Readonly<Record<string, unknown>>;
  /**
   * Envelopes that an operation or a kind of operations words in its own way, by that and the name (`decideOrder NOT_FOUND`,
   * `upload VALIDATION_ERROR`).
   */
  readonly ownErrors: Readonly<Record<string, unknown>>;
  /** Headers of answers by name. */
  readonly headers: Readonly<Record<string, string | number>>;
}

export interface RecordedExchange {
  readonly path: Readonly<Record<string, string>>;
  /** The JSON that was sent. */
  readonly request?: unknown;
  /** The JSON that came back, by status. */
  readonly answers: Readonly<Record<number, unknown>>;
}

/**
 * The example of a JSON body. One that has not been recorded yet is left out, so that the service with a new operation can start
 * and be asked; a test fails until it is there.
 */
export function example(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value };
}

/** What is recorded of an operation. */
export function exchangeOf(operationId: string): RecordedExchange {
  return recorded.exchanges[operationId] ?? { path: {}, answers: {} };
}

/** The name of the example of a code with a status: the code, with the status where it has several. */
function exampleName(code: ErrorCode, status: number): string {
  return status === errorCatalog[code].statuses[0] ? code : `${code}_${status}`;
}

/** Whether an operation, or a kind of operations, has an example of its own of a code with a status. */
export function hasOwnExample(whose: string, code: ErrorCode, status: number): boolean {
  return `${whose} ${exampleName(code, status)}` in recorded.ownErrors;
}

/**
 * The examples of an answer, by code: what the operation itself has answered where that is recorded, else one of its kind, else
 * the shared one.
 */
export function errorExamples(
  [operationId, kind]: readonly [operationId: string, kind: string],
  codes: readonly ErrorCode[],
  status: number,
): Record<string, ExampleObject | Reference> {
  return Object.fromEntries(
    codes.map(code => {
      const name = exampleName(code, status);
      const own = recorded.ownErrors[`${operationId} ${name}`] ?? recorded.ownErrors[`${kind} ${name}`];
      return [name, own === undefined ? { $ref: `#/components/examples/${name}` } : { value: own }];
    }),
  );
}

/** Headers with what is recorded of them. */
export function withExamples(headers: Readonly<Record<string, HeaderObject>>): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      { ...header, ...example(recorded.headers[name]) },
    ]),
  );
}

/** The shared example of a code with a status. */
export function errorExample(code: ErrorCode, status: number): [string, ExampleObject] {
  const name = exampleName(code, status);
  return [name, { summary: errorCatalog[code].meaning, value: recorded.errors[name] ?? {} }];
}
