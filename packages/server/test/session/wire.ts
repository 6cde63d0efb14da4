import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { buffer, text as textOf } from 'node:stream/consumers';

/** What is sent beside method and path. */
export interface Sent {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

/** What came back. */
export interface Received {
  readonly status: number;
  readonly text: string;
  /** The parsed body, of JSON. */
  readonly json: any;
}

/** Bytes that are no text are noted by their number, as `Content-Length` is. */
const textual = /^(application\/json|text\/)/;

/** A client that notes what is on the wire: names, order and values of headers, and the whole body. */
export class Wire {
  /** What was exchanged so far, as text. */
  readonly readRecorded: string[] = [];
  readonly #base: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#base = new URL(url);
  }

  /** Sends a request and notes the exchange under this name. Paths begin at the root, and are sent as they are. */
  async send(name: string, method: string, path: string, sent: Sent = {}): Promise<Received> {
    const incoming = await this.#answered(method, path, sent);
    const bytes = await buffer(incoming);
    const type = incoming.headers['content-type'] ?? '';
    const text = textual.test(type) ? bytes.toString('utf8') : `(${bytes.length} bytes)`;
    const headers = pairsOf(incoming.rawHeaders).map(([header, value]) => `${header}: ${value}`);
    const status = incoming.statusCode!;
    this.#record(name, `${method} ${path}`, [`${status}`, ...headers, '', text].join('\n'));
    return {
      status,
      text,
      json: type.startsWith('application/json') && text !== '' ? JSON.parse(text) : null,
    };
  }

  /** Sends bytes on a connection of their own, and notes all that comes back until it is closed. */
  async sendRaw(name: string, bytes: string): Promise<void> {
    const socket = connect(Number(this.#base.port), this.#base.hostname);
    socket.write(bytes);
    this.#record(name, JSON.stringify(bytes), await textOf(socket));
  }

  close(): void {
    this.#agent.destroy();
  }

  #record(name: string, request: string, answer: string): void {
    this.readRecorded.push(`### ${name}\n${request}\n\n${answer.replaceAll('\r', '')}\n`);
  }

  #answered(method: string, path: string, { headers, body }: Sent): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { hostname: host, port } = this.#base;
    const outgoing = httpRequest({
      host,
      port,
      method,
      path,
      agent: this.#agent,
      headers: { ...headers } as {},
    });
    outgoing.on('response', resolve).on('error', reject).end(body);
    return promise;
  }
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at]!, raw[2 * at + 1]!]);
}
