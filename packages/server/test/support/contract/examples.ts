import { type ApiName, apis, type Operation, type Recorded } from '@kontor/contract';
import { multipart, type RequestOptions } from './client.ts';
import { sampleBody } from './samples.ts';

/** Body and required query parameters of an operation: as recorded for its document, or a sample of the private portal API. */
export async function exampleRequest(
  operation: Operation,
  api: ApiName = 'public',
): Promise<Pick<RequestOptions, 'raw' | 'headers' | 'query'>> {
  const query = exampleQuery(operation);
  const required = Object.keys(query).length > 0 ? { query } : {};
  if (operation.upload) {
    const [mediaType = 'application/pdf'] = operation.uploadTypes ?? [];
    const bytes = Buffer.from(operation.uploadTypes ? 'email\na@example.com\n' : '%PDF-1.7\n%%EOF\n');
    const { raw, contentType } = await multipart({ bytes, fileName: 'a.pdf', mediaType });
    return { raw, headers: { 'content-type': contentType }, ...required };
  }
  if (!operation.body) return required;
  const id = idOf(operation, api);
  const recorded: Recorded | null = api === 'portal' ? null : apis[api].recorded;
  const body = recorded ? recorded.operations[id]!.request : sampleBody(id, operation.body);
  return {
    raw: Buffer.from(JSON.stringify(body)),
    headers: { 'content-type': 'application/json' },
    ...required,
  };
}

/** Tests change declarations, but neither method nor path. */
function idOf({ method, path }: Operation, api: ApiName): string {
  const all = Object.entries<Operation>(apis[api].operations);
  return all.find(([, operation]) => operation.method === method && operation.path === path)![0];
}

/** Examples of the query parameters that an operation requires. */
function exampleQuery({ query }: Operation): Record<string, string> {
  const { required = [], properties } = query as unknown as {
    required?: readonly string[];
    properties: Record<string, { default?: unknown; examples?: readonly unknown[] }>;
  };
  const names = required.filter(name => properties[name]!.default === undefined);
  return Object.fromEntries(names.map(name => [name, String(properties[name]!.examples![0])]));
}

/** The path of an operation with these values of its parameters. */
export function pathOf(operation: Operation, valueOf: (parameter: string) => string): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => valueOf(parameter));
}

/** Unknown identifiers, by the format of a parameter. */
const unknown: Readonly<Record<string, string>> = {
  id: 'f'.repeat(24),
  'key-id': '0'.repeat(12),
  period: '2026-10',
};

/** The path of an operation on unknown resources, but for the values given. */
export function unknownPathOf(operation: Operation, given: Readonly<Record<string, string>> = {}): string {
  const properties = operation.parameters.properties as Record<string, { format?: string }>;
  return pathOf(operation, name => given[name] ?? unknown[properties[name]!.format!]!);
}
