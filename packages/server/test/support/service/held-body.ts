import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * Posts JSON and sends the body after `meanwhile`, when the service has asked for it: the caller was admitted before. Resolves with
 * the status, and the code of an error.
 */
export async function postHeld(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: object },
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const bytes = JSON.stringify(body);
  const sending = httpRequest(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(bytes),
      expect: '100-continue',
      ...headers,
    },
  });
  sending.flushHeaders();
  await once(sending, 'continue');
  await meanwhile();
  sending.end(bytes);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const { error } = (await json(answer)) as { error?: { code: string } };
  return error ? `${answer.statusCode} ${error.code}` : `${answer.statusCode}`;
}
