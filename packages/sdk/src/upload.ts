/** A file to upload: its path, its bytes, or a stream of them. */
export type Upload = string | Blob | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface UploadOptions {
  /** Default: the name of the path or of the `File`, else `file`. */
  fileName?: string | undefined;
}

/** The body of an upload. The service takes 5 MiB, so it is kept in memory, and every attempt sends the same. */
export async function formOf(file: Upload, { fileName }: UploadOptions): Promise<FormData> {
  const form = new FormData();
  form.append('file', await blobOf(file), fileName ?? nameOf(file));
  return form;
}

async function blobOf(file: Upload): Promise<Blob> {
  if (typeof file === 'string') return blobOf(await (await import('node:fs/promises')).readFile(file));
  if (file instanceof Blob) return file;
  if (file instanceof Uint8Array) return new Blob([file]);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of file) chunks.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(chunks);
}

function nameOf(file: Upload): string {
  if (typeof file === 'string') return file.split(/[/\\]/).at(-1) || 'file';
  // A `ReadStream` of Node.js has a path.
  if ('path' in file && typeof file.path === 'string') return nameOf(file.path);
  return 'name' in file && typeof file.name === 'string' ? file.name : 'file';
}
