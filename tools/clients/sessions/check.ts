// What the sessions in TypeScript share.
import { deepStrictEqual } from 'node:assert';
import { readFile } from 'node:fs/promises';

interface Facts {
  url: string;
  key: string;
  spentKey: string;
  tenant: string;
  foreignTenant: string;
  employee: string;
  order: string;
  document: string;
  incident: string;
  payrollDocument: string;
  brokenFiles: Record<string, string>;
}

export const facts = JSON.parse(await readFile('facts.json', 'utf8')) as Facts;
export const filter = "lastName STARTS_WITH 'sch'";
export const newEmployee = { email: 'neu@example.com', firstName: 'Neu', lastName: 'Neumann' };
/** A write that is repeated with its key is stored once. */
export const newKey = () => ({ 'Idempotency-Key': crypto.randomUUID() });
/** What is left out stays as it is, null clears. */
export const patch = { city: 'Köln', phoneNumber: null };

/** What no client can bring about: the service has files that are broken in these ways. */
export const brokenFiles = [
  [500, 'INTERNAL_SERVER_ERROR'],
  [502, 'BAD_GATEWAY'],
  [503, 'SERVICE_UNAVAILABLE'],
  [504, 'GATEWAY_TIMEOUT'],
] as const;

export function equal(actual: unknown, expected: unknown): void {
  deepStrictEqual(actual, expected);
}

/** Compares bytes, however they came, with those of a file. */
export async function equalBytes(actual: unknown, file: string): Promise<void> {
  const bytes = actual instanceof Blob ? await actual.arrayBuffer() : actual;
  equal(Buffer.from(bytes as ArrayBuffer), await readFile(file));
}

/** Runs a step and reports the result; the session goes on in any case. */
export async function step(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`failed ${name}: ${String(error instanceof Error ? error.message : error)}`);
    process.exitCode = 1;
  }
}
