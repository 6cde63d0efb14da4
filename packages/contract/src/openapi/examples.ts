import type { PublishedApi } from '../apis/api.ts';
import { type ErrorCode, errorCatalog } from '../errors/errors.ts';
import type { ExampleObject, HeaderObject, Reference } from './document.ts';
import type { RecordedOperation } from './recording.ts';
import type { RejectionKind } from './rejections.ts';

/**
 * The example of a JSON body. It is omitted until recorded, so that the service can start with a new operation and be recorded.
 * A test fails until the example exists.
 */
export function example(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value };
}

export function findRecording(operationId: string, { recorded }: PublishedApi): RecordedOperation {
  return recorded.operations[operationId] ?? { path: {}, answers: {} };
}

/** The name of an example: the code, and the status unless it is the code's default. */
function exampleName(code: ErrorCode, status: number): string {
  return status === errorCatalog[code].statuses[0] ? code : `${code}_${status}`;
}

/** Whether the operation has its own example for this code and status. */
export function hasOwnExample(
  operationId: string,
  { recorded }: PublishedApi,
  code: ErrorCode,
  status: number,
): boolean {
  return `${operationId} ${exampleName(code, status)}` in recorded.ownErrors;
}

/** The examples of an error response by code: the recorded response of the operation itself, else of its kind, else the shared one. */
export function errorExamples(
  [operationId, kind]: readonly [operationId: string, kind: RejectionKind],
  { recorded }: PublishedApi,
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

/** Adds the recorded examples to headers. */
export function withExamples(
  headers: Readonly<Record<string, HeaderObject>>,
  { recorded }: PublishedApi,
): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      { ...header, ...example(recorded.headers[name]) },
    ]),
  );
}

export function errorExample(
  code: ErrorCode,
  status: number,
  { recorded, texts }: PublishedApi,
): [string, ExampleObject] {
  const name = exampleName(code, status);
  return [
    name,
    { summary: texts.meanings?.[code] ?? errorCatalog[code].meaning, value: recorded.errors[name] ?? {} },
  ];
}
