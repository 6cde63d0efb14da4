import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';

/** How long a request may take as a whole (KONTOR_REQUEST_TIMEOUT), and what the way of the answer may add; milliseconds. */
const deadline = 10_000;
const allowance = 1000;

/** A request below `/v1`. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path and query, encoded. */
  readonly path: string;
  readonly key: string;
  readonly body?: unknown;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON; undefined when the body is none. */
  readonly body: any;
  /** The `X-Request-ID` that was sent. */
  readonly requestId: string;
  readonly milliseconds: number;
}

/** Why no answer came. */
export interface NoAnswer {
  readonly requestId: string;
  readonly reason: string;
}

/** Sends requests to a service over connections of its own. */
export class HttpClient {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true });

  /** `url` ends in `/v1`. */
  constructor(url: string) {
    this.#url = url;
  }

  /** Sends a request with an identifier of its own, and answers what came back before the deadline. Never rejects. */
  async send({ method, path, key, body }: Call): Promise<Answer | NoAnswer> {
    const requestId = randomUUID();
    const headers = {
      'x-api-key': key,
      'x-request-id': requestId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const began = performance.now();
    const signal = AbortSignal.timeout(deadline + allowance);
    try {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const options = { method, headers, agent: this.#agent, signal };
      const outgoing = httpRequest(this.#url + path, options, resolve).on('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
      const incoming = await promise;
      const received = await text(incoming);
      const milliseconds = performance.now() - began;
      return {
        status: incoming.statusCode!,
        headers: incoming.headers,
        body: parse(received),
        requestId,
        milliseconds,
      };
    } catch (error) {
      const late = signal.aborted ? `no answer within ${(deadline + allowance) / 1000} s` : null;
      return { requestId, reason: late ?? `no answer but ${(error as Error).message}` };
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parse(received: string): unknown {
  try {
    return JSON.parse(received);
  } catch {
    return undefined;
  }
}
