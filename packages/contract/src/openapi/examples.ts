import type { Api } from '../api.ts';
import { type ErrorCode, errorCatalog } from '../errors.ts';
import type { ExampleObject, HeaderObject, Reference } from './document.ts';
import type { RecordedOperation } from './recording.ts';
import type { RejectionKind } from './rejections.ts';

/**
 * The example of a JSON body. One that has not been recorded yet is left out, so that the service with a new operation can start
 * and be asked; a test fails until it is there.
 */
export function example(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value };
}

/** The recording of an operation. */
export function findRecording(operationId: string, { recorded }: Api): RecordedOperation {
  return recorded.operations[operationId] ?? { path: {}, answers: {} };
}

/** The name of the example of a code with a status: the code, with the status where it has several. */
function exampleName(code: ErrorCode, status: number): string {
  return status === errorCatalog[code].statuses[0] ? code : `${code}_${status}`;
}

/** Whether an operation has an example of its own of a code with a status. */
export function hasOwnExample(
  operationId: string,
  { recorded }: Api,
  code: ErrorCode,
  status: number,
): boolean {
  return `${operationId} ${exampleName(code, status)}` in recorded.ownErrors;
}

/**
 * The examples of an answer, by code: what the operation itself has answered where that is recorded, else one of its kind, else
 * the shared one.
 */
export function errorExamples(
  [operationId, kind]: readonly [operationId: string, kind: RejectionKind],
  { recorded }: Api,
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
export function withExamples(
  headers: Readonly<Record<string, HeaderObject>>,
  { recorded }: Api,
): Record<string, HeaderObject> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      { ...header, ...example(recorded.headers[name]) },
    ]),
  );
}

/** The shared example of a code with a status. */
export function errorExample(
  code: ErrorCode,
  status: number,
  { recorded, texts }: Api,
): [string, ExampleObject] {
  const name = exampleName(code, status);
  return [
    name,
    { summary: texts.meanings?.[code] ?? errorCatalog[code].meaning, value: recorded.errors[name] ?? {} },
  ];
}
