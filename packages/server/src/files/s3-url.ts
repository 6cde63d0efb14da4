/** A place for files in S3-compatible storage. */
export interface S3Place {
  readonly bucket: string;
  /** Before the key of every file: empty, or ending in a slash. */
  readonly prefix: string;
  /** The server; null: that of Amazon. */
  readonly endpoint: string | null;
  readonly region: string;
}

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…`; null when the text is no such address. Credentials are not part
 * of it: the client reads them from its own variables.
 */
export function parseS3Url(text: string): S3Place | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, pathname, searchParams, username, password, hash } = new URL(text);
  const known = [...searchParams.keys()].every(name => name === 'endpoint' || name === 'region');
  if (protocol !== 's3:' || hostname === '' || !known || username + password + hash !== '') return null;
  const endpoint = searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:\/\/[^/]/.test(endpoint)) return null;
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: hostname,
    prefix: prefix === '' ? '' : `${prefix}/`,
    endpoint,
    region: searchParams.get('region') ?? 'us-east-1',
  };
}
