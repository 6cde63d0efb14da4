import type { Socket } from 'node:net';
import type { Random } from './random.ts';
import { ReadyFinder } from './messages.ts';

type Direction = 'toServer' | 'toClient';

/** How a connection is going to be reset. */
type Doom =
  | { readonly after: 'bytes'; readonly direction: Direction; left: number }
  | { readonly after: 'statements'; left: number; readonly onNextRequest: boolean };

/** After how many bytes or statements a reset comes: some of the bytes are those that a session begins with. */
const bytes = { from: 8, to: 20_000 };
const statements = { from: 1, to: 20 };

/** One direction of a connection: what goes in comes out in the same order, later when there is a delay. */
class Lane {
  readonly #to: Socket;
  readonly #waiting: { readonly due: number; readonly bytes: Buffer | null }[] = [];
  #timing = false;

  constructor(to: Socket) {
    this.#to = to;
  }

  /** Sends the bytes; null ends the direction. */
  send(bytes: Buffer | null, delay: number): void {
    if (delay === 0 && this.#waiting.length === 0) return this.#pass(bytes);
    this.#waiting.push({ due: performance.now() + delay, bytes });
    if (!this.#timing) this.#wait(delay);
  }

  #wait(delay: number): void {
    this.#timing = true;
    setTimeout(() => this.#release(), delay);
  }

  #release(): void {
    this.#timing = false;
    while (this.#waiting.length > 0 && this.#waiting[0]!.due <= performance.now())
      this.#pass(this.#waiting.shift()!.bytes);
    const next = this.#waiting[0];
    if (next) this.#wait(Math.max(1, next.due - performance.now()));
  }

  #pass(bytes: Buffer | null): void {
    if (this.#to.destroyed) return;
    if (bytes === null) this.#to.end();
    else this.#to.write(bytes);
  }
}

/** Resets a connection; one that is being ended already is only closed, since Node 24 would never come to the end of both. */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** A connection of the service and the one to PostgreSQL behind it. */
export class Link {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #lanes: Record<Direction, Lane>;
  readonly #ready = new ReadyFinder();
  #delay = 0;
  #paused = false;
  #doom: Doom | null = null;
  /** The next bytes of the client are answered by a reset. */
  #resetNext = false;

  constructor(client: Socket, server: Socket, closed: () => void) {
    this.#client = client;
    this.#server = server;
    this.#lanes = { toServer: new Lane(server), toClient: new Lane(client) };
    client.setNoDelay(true);
    client.on('data', (bytes: Buffer) => this.#fromClient(bytes));
    server.on('data', (bytes: Buffer) => this.#fromServer(bytes));
    // An error comes with a close.
    client.on('error', () => {}).on('close', closed);
    server.on('error', () => {});
    client.on('close', () => this.#lanes.toServer.send(null, this.#delay));
    server.on('close', () => this.#paused || this.#lanes.toClient.send(null, this.#delay));
  }

  /** From now on everything passes, later by this many milliseconds. */
  pass(delay: number): void {
    this.#delay = delay;
    this.#doom = null;
  }

  resetAtByte(random: Random): void {
    const direction = random.pick(['toServer', 'toClient'] as const);
    this.#doom = { after: 'bytes', direction, left: random.magnitude(bytes.from, bytes.to) };
  }

  resetBetweenStatements(random: Random): void {
    const left = random.integer(statements.from, statements.to);
    this.#doom = { after: 'statements', left, onNextRequest: random.next() < 0.5 };
  }

  /** Nothing passes any more, and neither end is notified. */
  pauseForGood(): void {
    this.#paused = true;
    this.#client.pause();
    this.#server.pause();
  }

  /**
   * What follows a silence when the way is there again but nobody knows the connection: PostgreSQL sees its end, and the
   * service a reset in answer to whatever it has sent or sends next. Nothing for a connection that was not silent.
   */
  forget(): void {
    if (!this.#paused) return;
    this.#resetNext = true;
    this.#server.destroy();
    this.#client.resume();
  }

  /** Resets the connection towards the service; PostgreSQL sees its end. */
  reset(): void {
    resetSocket(this.#client);
    this.#server.destroy();
  }

  #fromClient(bytes: Buffer): void {
    if (this.#resetNext) this.reset();
    else this.#forward('toServer', bytes);
  }

  #fromServer(bytes: Buffer): void {
    const readyAt = this.#ready.find(bytes);
    const doom = this.#doom;
    if (doom?.after !== 'statements' || doom.left > readyAt.length) {
      if (doom?.after === 'statements') doom.left -= readyAt.length;
      return this.#forward('toClient', bytes);
    }
    this.#doom = null;
    if (doom.onNextRequest) {
      this.#resetNext = true;
      return this.#forward('toClient', bytes);
    }
    this.#forward('toClient', bytes.subarray(0, readyAt[doom.left - 1]));
    this.reset();
  }

  #forward(direction: Direction, bytes: Buffer): void {
    const doom = this.#doom;
    if (doom?.after !== 'bytes' || doom.direction !== direction)
      return this.#lanes[direction].send(bytes, this.#delay);
    this.#lanes[direction].send(bytes.subarray(0, doom.left), 0);
    doom.left -= bytes.length;
    if (doom.left <= 0) this.reset();
  }
}
