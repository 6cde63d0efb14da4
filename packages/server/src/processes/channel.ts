import type { Worker } from 'node:cluster';

/** Functions that the other process may call. They must not throw; values are sent as JSON. */
type Functions = Readonly<Record<string, (...values: never[]) => unknown>>;

/** Calls a function of the other process. Never resolves if that process has ended. */
export type CallOther<Theirs extends Functions> = <Name extends keyof Theirs & string>(
  name: Name,
  ...values: Parameters<Theirs[Name]>
) => Promise<Awaited<ReturnType<Theirs[Name]>>>;

/** A call, or the result of the call with this `id`. */
type Message =
  | { readonly id: number; readonly name: string; readonly values: readonly never[] }
  | { readonly id: number; readonly result: unknown };

/** Opens calls between a worker and the primary process. All messages of one turn of the event loop are sent as one. */
export function openChannel<Theirs extends Functions>(worker: Worker, own: Functions): CallOther<Theirs> {
  const calls = new Map<number, (result: never) => void>();
  let lastId = 0;
  let outbox: Message[] = [];
  const send = (message: Message) => {
    if (outbox.push(message) > 1) return;
    setImmediate(() => {
      if (worker.isConnected()) worker.send(outbox);
      outbox = [];
    });
  };
  const receive = async (message: Message) => {
    const { id } = message;
    if ('name' in message) return send({ id, result: await own[message.name]!(...message.values) });
    calls.get(id)?.(message.result as never);
    calls.delete(id);
  };
  worker.on('message', (messages: readonly Message[]) => {
    for (const message of messages) void receive(message);
  });
  return (name, ...values) =>
    new Promise(resolve => {
      const id = ++lastId;
      calls.set(id, resolve);
      send({ id, name, values });
    });
}
