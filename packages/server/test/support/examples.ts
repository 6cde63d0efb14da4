import { apis, type Operation, openApiDocument } from '@kontor/contract';
import { multipart, type RequestOptions } from './client.ts';

const document = openApiDocument(apis.public);

/** The body of an operation as its example in the document shows it, with its media type; nothing where it takes none. */
export async function exampleBody(operation: Operation): Promise<Pick<RequestOptions, 'raw' | 'headers'>> {
  if (operation.upload) {
    const bytes = Buffer.from('%PDF-1.7\n%%EOF\n');
    const { raw, contentType } = await multipart({ bytes, fileName: 'a.pdf', mediaType: 'application/pdf' });
    return { raw, headers: { 'content-type': contentType } };
  }
  if (!operation.body) return {};
  const method = operation.method.toLowerCase() as 'post' | 'patch';
  const content = document.paths[operation.path]![method]!.requestBody!.content['application/json']!;
  return {
    raw: Buffer.from(JSON.stringify(content.example)),
    headers: { 'content-type': 'application/json' },
  };
}

/** The path of an operation with these values of its parameters. */
export function pathOf(operation: Operation, valueOf: (parameter: string) => string): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => valueOf(parameter));
}
