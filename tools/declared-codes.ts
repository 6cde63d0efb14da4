import { readFile } from 'node:fs/promises';
import {
  apis,
  codesIn,
  openApiDocument,
  type OpenApiDocument,
  type OperationObject,
  responsesIn,
} from '@kontor/contract';

/** Declared errors that need no test of their own, as `operation status code`, each with the reason. */
export const exempt: ReadonlyMap<string, string> = new Map([
  [
    'getHealth 500 INTERNAL_SERVER_ERROR',
    'its handler has nothing that can fail; that a fault becomes this answer is shown for every other operation',
  ],
  [
    'getSignInMethods 500 INTERNAL_SERVER_ERROR',
    'its handler has nothing that can fail, as that of getHealth',
  ],
  [
    'requestPasswordReset 500 INTERNAL_SERVER_ERROR',
    'what can fail is done behind its answer; a test shows what the log says then',
  ],
]);

/** Every error that the operations of the document declare, as `operation status code`. */
export function declaredErrors(document: OpenApiDocument): string[] {
  const operations = Object.values(document.paths).flatMap(path => Object.values(path));
  return operations.flatMap(operation => errorsOf(document, operation));
}

/** Every success that the operations of the document declare, as `operation status`. */
function declaredSuccesses(document: OpenApiDocument): string[] {
  return Object.values(document.paths).flatMap(path =>
    Object.values(path).flatMap(operation =>
      responsesIn(document, operation)
        .filter(([status]) => status < 400)
        .map(([status]) => `${operation.operationId} ${status}`),
    ),
  );
}

/** Every error that an operation of the document declares. */
export function errorsOf(document: OpenApiDocument, operation: OperationObject): string[] {
  return responsesIn(document, operation).flatMap(([status, response]) =>
    codesIn(response).map(code => `${operation.operationId} ${status} ${code}`),
  );
}

/** The declared answers that are neither among those that the tests saw nor exempt. */
export function findUntested(document: OpenApiDocument, seen: ReadonlySet<string>): string[] {
  const declared = [...declaredSuccesses(document), ...declaredErrors(document)];
  return declared.filter(answer => !seen.has(answer) && !exempt.has(answer));
}

/** The answers of all APIs that no test of a run has shown; `file` is where the run recorded its answers. */
export async function findUntestedIn(file: string): Promise<string[]> {
  const seen = new Set((await readFile(file, 'utf8')).split('\n'));
  return Object.values(apis).flatMap(api => findUntested(openApiDocument(api), seen));
}
