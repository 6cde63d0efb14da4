import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

/** A request with a body that is never completed. */
export interface IncompleteRequest {
  /** `http://host:port/path`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** The bytes that it declares; null: it is chunked. */
  readonly declared: number | null;
  /** What it sends of them. */
  readonly sent: Buffer;
}

/** How many connect at a time: the system queues a few hundred only. */
const step = 100;

/** Connections of clients that begin a body and then stop, each with what it was answered. */
export class IncompleteBodies {
  readonly #sockets: Socket[] = [];
  readonly #answers: string[] = [];

  /** Opens so many connections that send the request, and resolves when all have sent it. */
  static async open(count: number, request: IncompleteRequest): Promise<IncompleteBodies> {
    const bodies = new IncompleteBodies();
    for (let left = count; left > 0; left -= step)
      await Promise.all(Array.from({ length: Math.min(step, left) }, () => bodies.#open(request)));
    return bodies;
  }

  async #open(request: IncompleteRequest): Promise<void> {
    const { hostname, port } = new URL(request.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const number = this.#sockets.push(socket) - 1;
    this.#answers.push('');
    socket.setEncoding('latin1').on('data', (text: string) => (this.#answers[number] += text));
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(headOf(request));
    socket.write(request.sent);
  }

  /** What was answered so far, and how often: a status with the message of the error, or `nothing`. */
  get answered(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const answer of this.#answers) {
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
      const message = /"message":"([^"]*)"/.exec(answer)?.[1] ?? '';
      const name = status === undefined ? 'nothing' : `${status} ${message}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  /** How many connections are open on both sides. */
  get held(): number {
    return this.#sockets.filter(socket => !socket.destroyed && !socket.readableEnded).length;
  }

  /** Resolves when all were answered. */
  async allAnswered(): Promise<void> {
    while (this.answered['nothing'] !== undefined) await new Promise(setImmediate);
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

function headOf({ url, headers, contentType, declared }: IncompleteRequest): string {
  const { host, pathname } = new URL(url);
  const length = declared === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${declared}`;
  const named = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Type: ${contentType}`,
    length,
    ...named,
    '',
    '',
  ].join('\r\n');
}
