import { type ApiName, apis, type Operation, openApiDocument } from '@kontor/contract';
import { multipart, type RequestOptions } from './client.ts';

const documents = {
  public: openApiDocument(apis.public),
  platform: openApiDocument(apis.platform),
  portal: openApiDocument(apis.portal),
};

/** Body and required query parameters of an operation as its example in the document shows them. */
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
  const method = operation.method.toLowerCase() as 'post' | 'patch';
  const content = documents[api].paths[operation.path]![method]!.requestBody!.content['application/json']!;
  return {
    raw: Buffer.from(JSON.stringify(content.example)),
    headers: { 'content-type': 'application/json' },
    ...required,
  };
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
