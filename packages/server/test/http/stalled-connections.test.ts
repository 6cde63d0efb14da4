import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { employeeId, keys, type StubService, stubService } from './stub-service.ts';

const timeout = 60_000;

/** More than all buffers on the way hold. */
const size = 32 * 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024, 'k');

function* chunks(): Generator<Buffer> {
  for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
}

let service: StubService;
const sources: Readable[] = [];
before(async () => {
  service = await stubService({
    connectionTimeouts: { stalled: 2000 },
    handlers: {
      downloadPayrollExportDocument: async () => {
        const stream = Readable.from(chunks(), { objectMode: false });
        sources.push(stream);
        return { status: 200, file: { stream, fileName: 'a.csv', mediaType: 'text/csv', size } };
      },
      getEmployee: async () => ({ status: 200, body: ' '.repeat(size) }),
    },
  });
});
after(() => service.close());

const download = `/payroll-export-documents/${employeeId}/download`;
const json = `/employees/${employeeId}`;

/** Asks for something and reads nothing of it but the headers. */
async function ask(path: string, agent?: Agent): Promise<IncomingMessage> {
  const outgoing = get(service.url + path, { headers: { 'x-api-key': keys.all }, agent: agent ?? false });
  outgoing.on('error', () => {});
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  assert.equal(incoming.statusCode, 200);
  return incoming;
}

/** The side of the service of the next connection. */
async function nextConnection(): Promise<Socket> {
  const [socket] = (await once(service.server, 'connection')) as [Socket];
  return socket;
}

describe('a connection is closed when its client reads nothing of the answer', { timeout }, () => {
  test('a download: its source is closed, and it is logged once as 499', async () => {
    const lines = service.log.length;
    const connection = nextConnection();
    const incoming = await ask(download);
    await once(await connection, 'close');
    while (service.log.length === lines) await new Promise(setImmediate);
    assert.equal(sources.at(-1)!.destroyed, true);
    assert.deepEqual(
      service.log.slice(lines).map(({ operation, status }) => [operation, status]),
      [['downloadPayrollExportDocument', 499]],
    );
    await assert.rejects(buffer(incoming));
  });

  test('an answer of JSON', async () => {
    const connection = nextConnection();
    const incoming = await ask(json);
    await once(await connection, 'close');
    await assert.rejects(buffer(incoming));
  });
});

test('a connection that waits between two requests stays open meanwhile', { timeout }, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let connections = 0;
  service.server.on('connection', () => connections++);
  await (await ask('/health', agent)).toArray();
  const connection = nextConnection();
  await ask(download);
  await once(await connection, 'close');
  await (await ask('/health', agent)).toArray();
  assert.equal(connections, 2);
  agent.destroy();
});
