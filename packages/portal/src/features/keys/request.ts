import { type PublicRequest, publicApi } from '../../api/requests.ts';

/** The place of something that a request creates. */
export interface RequestTarget {
  readonly tenant?: string | undefined;
  /** With a division, the company follows from it. */
  readonly division?: string | undefined;
}

/** The address that each path of the public API follows. */
export const baseUrl = `${window.location.origin}${publicApi.prefix}`;

/** A text in quotes that a shell takes literally. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A request as a command for a terminal. Without a key, it takes that from the environment of the shell. */
export function commandOf(request: PublicRequest, { tenant, division }: RequestTarget, key?: string): string {
  const { method, path, body, placedBy, upload, answersWithFile } = request;
  const header = publicApi.header;
  const isPlaced = placedBy !== undefined && division !== undefined;
  const placed = isPlaced ? { ...body, [placedBy]: division } : body;
  const parts = [
    `curl ${answersWithFile ? '-sSfOJ' : '-sS'}${method === 'GET' ? '' : ` -X ${method}`} ${quoted(baseUrl + path)}`,
    `-H ${key === undefined ? `"${header}: $KONTOR_API_KEY"` : quoted(`${header}: ${key}`)}`,
    ...(placedBy !== undefined && !isPlaced && tenant !== undefined
      ? [`-H ${quoted(`X-Tenant-ID: ${tenant}`)}`]
      : []),
    ...(placed
      ? [`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(JSON.stringify(placed))}`]
      : []),
    ...(upload ? [`-F ${quoted('file=@evidence.pdf')}`] : []),
  ];
  return parts.join(' \\\n  ');
}
