import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { Cookie } from 'playwright-core';

/** What a page does, in JavaScript, and when it is over. */
interface Visit {
  readonly address: string;
  /** By how much the processor is slower. */
  readonly slowdown: number;
  /** Runs before the page does. */
  readonly script: string;
  /** What has a value once the visit is over. */
  readonly expression: string;
}

/** Milliseconds between two looks: each look takes some of the time that is measured. */
const pause = 300;

/**
 * Chromium with nobody watching its requests: under Playwright the first page took a fifth longer on a slow processor, which nobody has but
 * who measures. A trace there shows that the browser reads the whole script once more, for where in it something was called.
 */
export class PlainBrowser {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #address: string;
  readonly #control: Session;

  private constructor(child: ChildProcess, folder: string, address: string, control: Session) {
    this.#child = child;
    this.#folder = folder;
    this.#address = address;
    this.#control = control;
  }

  static async launch(program: string): Promise<PlainBrowser> {
    const folder = await mkdtemp(join(tmpdir(), 'kontor-browser-'));
    const child = spawn(
      program,
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--no-first-run',
        '--window-size=1280,860',
        '--remote-debugging-port=0',
        `--user-data-dir=${folder}`,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    for await (const line of createInterface(child.stderr)) {
      const [, address] = /^DevTools listening on (ws:.*)$/.exec(line) ?? [];
      if (address) return new PlainBrowser(child, folder, address, await Session.open(address));
    }
    throw new Error(`${program} did not start`);
  }

  /** Visits pages one after the other in a browser that has seen nothing before; gives what each visit ended with. */
  async visit(cookies: readonly Cookie[], visits: readonly Visit[]): Promise<unknown[]> {
    const { browserContextId } = await this.#control.ask('Target.createBrowserContext');
    const given = cookies.map(({ name, value, domain, path, secure, httpOnly }) => {
      return { name, value, domain, path, secure, httpOnly };
    });
    await this.#control.ask('Storage.setCookies', { browserContextId, cookies: given });
    const results: unknown[] = [];
    for (const visit of visits) results.push(await this.#visit(browserContextId, visit));
    await this.#control.ask('Target.disposeBrowserContext', { browserContextId });
    return results;
  }

  async #visit(
    browserContextId: unknown,
    { address, slowdown, script, expression }: Visit,
  ): Promise<unknown> {
    const created = { browserContextId, url: 'about:blank', newWindow: true, width: 1280, height: 860 };
    const { targetId } = await this.#control.ask('Target.createTarget', created);
    const page = await Session.open(new URL(`/devtools/page/${targetId as string}`, this.#address).href);
    await page.ask('Page.enable');
    await page.ask('Page.bringToFront');
    await page.ask('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.ask('Page.addScriptToEvaluateOnNewDocument', { source: script });
    await page.ask('Page.navigate', { url: address });
    const over = AbortSignal.timeout(60_000);
    for (;;) {
      await setTimeout(pause, undefined, { signal: over });
      const { result } = await page.ask('Runtime.evaluate', { expression });
      const { value } = result as { value?: unknown };
      if (value === undefined) continue;
      page.close();
      return value;
    }
  }

  async close(): Promise<void> {
    this.#control.close();
    this.#child.kill();
    await once(this.#child, 'exit');
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Reply = {
  readonly id: number;
  readonly result: Record<string, unknown>;
  readonly error?: { message: string };
};

/** A conversation with the browser or one of its pages, in the protocol of its developer tools. */
class Session {
  readonly #socket: WebSocket;
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  static async open(address: string): Promise<Session> {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new Session(socket);
  }

  ask(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const listen = ({ data }: MessageEvent) => {
        const reply = JSON.parse(data as string) as Reply;
        if (reply.id !== id) return;
        this.#socket.removeEventListener('message', listen);
        if (reply.error) reject(new Error(`${method}: ${reply.error.message}`));
        else resolve(reply.result);
      };
      this.#socket.addEventListener('message', listen);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  close(): void {
    this.#socket.close();
  }
}
