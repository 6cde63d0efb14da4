import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';

/** Answers one request. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void;

/** A server that answers the first request by the first step, and so on; by the last step from then on. */
export interface ScriptedServer {
  readonly url: string;
  readonly requests: IncomingMessage[];
  /** The bodies of the requests, as they arrived. */
  readonly bodies: string[];
}

export async function scriptedServer(...steps: readonly Step[]): Promise<ScriptedServer> {
  const requests: IncomingMessage[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const step = steps[Math.min(requests.length, steps.length - 1)]!;
    requests.push(request);
    const receive = async () => {
      bodies.push(await text(request));
      step(response, request);
    };
    void receive();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, bodies };
}

/** An answer in JSON. */
export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  response =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** An error as the service answers it. */
export const failure = (status: number, code: string, headers: Record<string, string> = {}): Step =>
  answer(status, { error: { code, message: 'a message', requestId: '' } }, headers);

/** A connection that breaks without an answer. */
export const cut: Step = response => void response.destroy();

/** A request that is never answered. */
export const hang: Step = () => {};
