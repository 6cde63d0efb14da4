export interface S3Place {
  readonly bucket: string;
  /** Prepended to every object key: empty, or ending in a slash. */
  readonly prefix: string;
  /** Null for Amazon S3. */
  readonly endpoint: string | null;
  readonly region: string;
}

/** Parses `s3://bucket/prefix?endpoint=…&region=…`, else null. The S3 client reads credentials from its own environment variables. */
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
