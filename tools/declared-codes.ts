import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codesIn, type OpenApiDocument, type OperationObject, responsesIn } from '@kontor/contract';
import { documentFiles } from './documents.ts';

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

/** Every error that an operation of the document declares. */
export function errorsOf(document: OpenApiDocument, operation: OperationObject): string[] {
  return responsesIn(document, operation).flatMap(([status, response]) =>
    codesIn(response).map(code => `${operation.operationId} ${status} ${code}`),
  );
}

/** The declared errors that are neither among those that the tests saw nor exempt. */
export function findUntested(document: OpenApiDocument, seen: ReadonlySet<string>): string[] {
  return declaredErrors(document).filter(error => !seen.has(error) && !exempt.has(error));
}

/** The errors of all documents that no test of a run has shown; `file` is where the run recorded its answers. */
export async function findUntestedIn(file: string): Promise<string[]> {
  const seen = new Set((await readFile(file, 'utf8')).split('\n'));
  const documents = await Promise.all(Object.values(documentFiles).map(readDocument));
  return documents.flatMap(document => findUntested(document, seen));
}

async function readDocument(name: string): Promise<OpenApiDocument> {
  const text = await readFile(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');
  return JSON.parse(text) as OpenApiDocument;
}
