import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Random } from './random.ts';
import { Link, resetSocket } from './link.ts';

/** What the proxy does to connections. */
export type Fault =
  | { readonly name: 'none' }
  /** Each connection is reset after a random byte of a random direction. */
  | { readonly name: 'reset at bytes' }
  /** Each is reset after a random statement: right behind its answer, or when the service sends the next one. */
  | { readonly name: 'reset between statements' }
  /** Those that there are fall silent without being closed; new ones work. */
  | { readonly name: 'half-open' }
  /** Those that there are are reset and no others are accepted. */
  | { readonly name: 'refuse' }
  /** Those that there are are reset; new ones are accepted and never answered. */
  | { readonly name: 'mute' }
  | { readonly name: 'delay'; readonly milliseconds: number };

const none: Fault = { name: 'none' };

/** Where PostgreSQL listens: a Unix socket, or a port of this machine. */
export type Upstream = { readonly path: string } | { readonly port: number };

/** A way to PostgreSQL over TCP that has faults on demand. */
export class FaultProxy {
  readonly #random: Random;
  readonly #server: Server;
  readonly #links = new Set<Link>();
  /** Accepted while no connection was to be answered. */
  readonly #muted = new Set<Socket>();
  #upstream: Upstream;
  #fault: Fault = none;
  #port = 0;

  private constructor(upstream: Upstream, random: Random) {
    this.#upstream = upstream;
    this.#random = random;
    this.#server = createServer(client => this.#accept(client));
  }

  /** Listens on a free port of this machine. */
  static async start(upstream: Upstream, random: Random): Promise<FaultProxy> {
    const proxy = new FaultProxy(upstream, random);
    await proxy.#listen();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** Puts this fault in the place of the one before, which ends. */
  async strike(fault: Fault): Promise<void> {
    await this.#end(this.#fault);
    this.#fault = fault;
    if (fault.name === 'half-open') for (const link of this.#links) link.pauseForGood();
    else if (fault.name === 'refuse' || fault.name === 'mute') this.#resetAll();
    else for (const link of this.#links) this.#prepare(link);
    if (fault.name === 'refuse') await this.#stopListening();
  }

  /** Ends the fault. Connections that were reset or silent stay lost. */
  heal(): Promise<void> {
    return this.strike(none);
  }

  /** Resets all connections; new ones lead to another server. */
  pointAt(upstream: Upstream): void {
    this.#upstream = upstream;
    this.#resetAll();
  }

  async close(): Promise<void> {
    this.#resetAll();
    if (this.#server.listening) await this.#stopListening();
  }

  async #end(fault: Fault): Promise<void> {
    if (fault.name === 'half-open') for (const link of this.#links) link.forget();
    if (fault.name === 'mute') this.#resetAll();
    if (fault.name === 'refuse') await this.#listen();
  }

  /** On the port that it had before, if any. */
  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #stopListening(): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    if (this.#fault.name === 'mute') return this.#mute(client);
    const server = connect(this.#upstream);
    const link = new Link(client, server, () => this.#links.delete(link));
    // A server that is not there rejects, as far as a connection that was accepted already can be rejected.
    server.once('error', () => link.reset());
    this.#links.add(link);
    this.#prepare(link);
  }

  #mute(client: Socket): void {
    this.#muted.add(client);
    client.on('error', () => {}).on('close', () => this.#muted.delete(client));
    client.resume();
  }

  #prepare(link: Link): void {
    const fault = this.#fault;
    link.pass(fault.name === 'delay' ? fault.milliseconds : 0);
    if (fault.name === 'reset at bytes') link.resetAtByte(this.#random);
    if (fault.name === 'reset between statements') link.resetBetweenStatements(this.#random);
  }

  #resetAll(): void {
    for (const link of this.#links) link.reset();
    for (const client of this.#muted) resetSocket(client);
  }
}
