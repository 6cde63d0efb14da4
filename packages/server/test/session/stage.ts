import { multipart } from '../support/contract/client.ts';
import type { Sql } from '../support/database/sql.ts';
import type { TestData } from '../support/data/test-data.ts';
import { sentRequestId } from './settled.ts';
import type { Received, Sent, Wire } from './wire.ts';

/** What the steps of a session share. */
export interface Stage {
  readonly sql: Sql;
  readonly testData: TestData;
  readonly wire: Wire;
  /** Keys with a window that outlasts the session, so that what is left of their quotas is the same each time. */
  readonly keys: { readonly all: string; readonly sales: string; readonly spent: string };
}

/** Sends JSON with the key of all. */
export function asking({ wire, keys }: Stage) {
  return (name: string, method: string, path: string, body?: unknown, more: Sent['headers'] = {}) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    return wire.send(name, method, path, {
      headers: { 'X-API-Key': keys.all, 'X-Request-ID': sentRequestId, ...type, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
}

/** Uploads a picture. */
export async function upload({ wire, keys }: Stage, name: string, path: string): Promise<Received> {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const { raw, contentType } = await multipart({ bytes, fileName: 'schaden.png', mediaType: 'image/png' });
  const headers = { 'X-API-Key': keys.all, 'X-Request-ID': sentRequestId, 'Content-Type': contentType };
  return wire.send(name, 'POST', path, { headers, body: raw });
}
