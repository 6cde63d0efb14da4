import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** An answer; status 0 when the connection ended without one. */
export interface LoneAnswer {
  readonly status: number;
  readonly body: any;
}

/** Sends a request on a connection of its own, so that any of several processes may be the one that answers. */
export function loneRequest(
  url: string,
  {
    key,
    method = 'GET',
    body,
    headers: more = {},
  }: { key?: string; method?: string; body?: object; headers?: Record<string, string> },
): Promise<LoneAnswer> {
  const { promise, resolve } = Promise.withResolvers<LoneAnswer>();
  const broken = () => resolve({ status: 0, body: null });
  const headers = {
    ...(key !== undefined && { 'x-api-key': key }),
    ...(body && { 'content-type': 'application/json' }),
    ...more,
  };
  const outgoing = request(url, { method, agent: false, headers }, incoming => {
    text(incoming).then(json => resolve({ status: incoming.statusCode!, body: JSON.parse(json) }), broken);
  });
  outgoing.on('error', broken);
  outgoing.end(body && JSON.stringify(body));
  return promise;
}
