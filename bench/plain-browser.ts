import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cookie } from 'playwright-core';

/** Calls a method of the DevTools protocol, in a page or else in the browser. */
type Send = <Result = object>(method: string, params?: object, sessionId?: string) => Promise<Result>;

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
  '--window-size=1280,860',
];

/** Chromium without Playwright, whose own work in each page is a fifth of the time until a list shows. */
export async function startPlainBrowser(program: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'kontor-browser-'));
  const child = spawn(program, [...flags, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const socket = new WebSocket(await readAddress(child.stderr));
  await once(socket, 'open');
  const send = sender(socket);
  return {
    /** A browser without files of earlier visits. */
    openProfile: (cookies: readonly Cookie[]) => openProfile(send, cookies),
    async close(): Promise<void> {
      child.kill();
      await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The address that Chromium prints when it listens. */
async function readAddress(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) {
    const [address] = /ws:\S+/.exec(line) ?? [];
    if (address === undefined) continue;
    output.resume();
    return address;
  }
  throw new Error('Chromium ended before it listened');
}

function sender(socket: WebSocket): Send {
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as {
      id?: number;
      result?: never;
      error?: { message: string };
    };
    if (id === undefined) return;
    const call = waiting.get(id)!;
    waiting.delete(id);
    if (error) call.reject(new Error(error.message));
    else call.resolve(result!);
  });
  let calls = 0;
  return (method, params = {}, sessionId) => {
    const call = Promise.withResolvers<never>();
    waiting.set(++calls, call);
    socket.send(JSON.stringify({ id: calls, method, params, sessionId }));
    return call.promise;
  };
}

async function openProfile(send: Send, cookies: readonly Cookie[]) {
  const { browserContextId } = await send<{ browserContextId: string }>('Target.createBrowserContext');
  const stored = cookies.map(({ expires: _session, ...cookie }) => cookie);
  await send('Storage.setCookies', { browserContextId, cookies: stored });
  return {
    /** Visits an address with a processor that is `slowdown` times slower. Returns what `expression` is when it is set. */
    async visit(visited: { address: string; script: string; expression: string; slowdown: number }) {
      const { address, script, expression, slowdown } = visited;
      const { targetId } = await send<{ targetId: string }>('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
      });
      const attached = { targetId, flatten: true };
      const { sessionId } = await send<{ sessionId: string }>('Target.attachToTarget', attached);
      await send('Page.enable', {}, sessionId);
      await send('Page.addScriptToEvaluateOnNewDocument', { source: script }, sessionId);
      await send('Emulation.setCPUThrottlingRate', { rate: slowdown }, sessionId);
      await send('Page.navigate', { url: address }, sessionId);
      let value: number | undefined;
      // Polled seldom: each poll takes some of the time that is measured.
      while (value === undefined) {
        await delay(300);
        const evaluated = { expression };
        const { result } = await send<{ result: { value?: number } }>(
          'Runtime.evaluate',
          evaluated,
          sessionId,
        );
        value = result.value;
      }
      await send('Target.closeTarget', { targetId });
      return value;
    },
    close: () => send('Target.disposeBrowserContext', { browserContextId }),
  };
}
