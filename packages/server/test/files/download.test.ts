import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { NoSession } from '../../src/db/failure.ts';
import { type Files, openDownload } from '../../src/files/download.ts';
import { type FileStore, FileStoreError, type StoredFile } from '../../src/files/file-store.ts';
import { employeeId, keys, type StubService, stubService } from '../http/stub-service.ts';

const bytes = randomBytes(3 * 1024 * 1024);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const file = { organizationId: 'o', id: employeeId, size: bytes.length, sha256 };
const path = `/payroll-export-documents/${employeeId}/download`;
const timeout = 200;

/** More than all buffers on the way hold. */
const large = { ...file, size: 512 * 1024 * 1024, sha256: null };

let service: StubService;
/** The file that is asked for. */
let target: StoredFile = file;
/** What the store opens for the next request. */
let open: FileStore['open'];
let opened: Readable | null;

before(async () => {
  const store = {
    open: async () => (opened = await open(target)),
  } as unknown as FileStore;
  const files: Files = { store, timeout };
  service = await stubService({
    handlers: {
      downloadPayrollExportDocument: async () => ({
        status: 200,
        file: {
          stream: await openDownload(files, target),
          fileName: 'a.csv',
          mediaType: 'text/csv',
          size: target.size,
        },
      }),
    },
  });
});
after(() => service.close());

/** The bytes in pieces, then whatever `end` does. */
function chunks(content: Buffer, size = 64 * 1024): Readable {
  const all: Buffer[] = [];
  for (let at = 0; at < content.length; at += size) all.push(content.subarray(at, at + size));
  return Readable.from(all, { objectMode: false });
}

function failing(after: Buffer, error: Error): Readable {
  return Readable.from(
    (async function* () {
      for (let at = 0; at < after.length; at += 65_536) yield after.subarray(at, at + 65_536);
      throw error;
    })(),
    { objectMode: false },
  );
}

/** A stream that gives these bytes in two pieces and then nothing, for ever. */
function stalling(content: Buffer | null): Readable {
  const half = content === null ? 0 : content.length / 2;
  const rest = content === null ? [] : [content.subarray(0, half), content.subarray(half)];
  return new Readable({
    read() {
      const chunk = rest.shift();
      if (chunk) this.push(chunk);
    },
  });
}

/** Asks for the file, and answers the response before any of its body is read. */
async function request(): Promise<IncomingMessage> {
  const outgoing = get(`${service.url}${path}`, { headers: { 'x-api-key': keys.all }, agent: false });
  outgoing.on('error', () => {});
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return incoming;
}

/** Reads a response to its end; the connection that is cut is an error. */
async function received(incoming: IncomingMessage): Promise<{ size: number; whole: boolean }> {
  let size = 0;
  try {
    for await (const chunk of incoming) size += (chunk as Buffer).length;
  } catch {}
  return { size, whole: incoming.complete };
}

async function lastStatus(lines: number): Promise<unknown> {
  const finished = () => service.log.filter(line => line['msg'] === 'request');
  while (finished().length <= lines) await new Promise(setImmediate);
  return finished().at(-1)!['status'];
}
const answered = () => service.log.filter(line => line['msg'] === 'request').length;

describe('a download', () => {
  test('200: streams the bytes as they are', async () => {
    open = async () => chunks(bytes);
    const answer = await service.client.get(path);
    assert.ok(answer.bytes.equals(bytes));
  });

  test('200: an empty file', async () => {
    const empty = { ...file, size: 0, sha256: createHash('sha256').digest('hex') };
    const store = { open: async () => Readable.from([]) } as unknown as FileStore;
    const stream = await openDownload({ store, timeout }, empty);
    assert.deepEqual(await stream.toArray(), []);
  });

  const rejections: [name: string, open: FileStore['open'], status: number, code: string][] = [
    ['the bytes are not there', async () => null, 404, 'FILE_NOT_FOUND'],
    ['the store fails to open', () => Promise.reject(new FileStoreError('x')), 502, 'BAD_GATEWAY'],
    [
      'the store fails before the first byte',
      async () => failing(Buffer.alloc(0), new FileStoreError('x')),
      502,
      'BAD_GATEWAY',
    ],
    ['the file is too short', async () => chunks(Buffer.alloc(0)), 502, 'BAD_GATEWAY'],
    ['the store never opens', () => new Promise(() => {}), 504, 'GATEWAY_TIMEOUT'],
    ['the store opens and stays silent', async () => stalling(null), 504, 'GATEWAY_TIMEOUT'],
    [
      'the database is away',
      () => Promise.reject(new NoSession('connect ECONNREFUSED')),
      503,
      'SERVICE_UNAVAILABLE',
    ],
  ];
  for (const [name, opening, status, code] of rejections)
    test(`${status} ${code}: ${name}`, async () => {
      open = opening;
      opened = null;
      const answer = await service.client.get(path);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code]);
      if (opened) assert.equal((opened as Readable).destroyed, true);
    });

  test('502 BAD_GATEWAY: one piece with another SHA-256', async () => {
    const small = Buffer.from('a');
    const store = { open: async () => chunks(Buffer.from('b')) } as unknown as FileStore;
    const stored = { ...file, size: 1, sha256: createHash('sha256').update(small).digest('hex') };
    await assert.rejects(openDownload({ store, timeout }, stored), { code: 'BAD_GATEWAY' });
  });
});

describe('a download that breaks half way: the connection is cut before the last byte, and logged as 502', () => {
  const changed = Buffer.from(bytes);
  changed[changed.length - 1]! ^= 1;
  const half = bytes.subarray(0, bytes.length / 2);
  const cases: [name: string, open: () => Readable][] = [
    ['the store fails', () => failing(half, new FileStoreError('x'))],
    ['the store stays silent', () => stalling(half)],
    ['the file is too short', () => chunks(bytes.subarray(1))],
    ['the file is too long', () => chunks(Buffer.concat([bytes, Buffer.from('x')]))],
    ['the last byte is another one', () => chunks(changed)],
  ];
  for (const [name, opening] of cases)
    test(name, async () => {
      open = async () => opening();
      const lines = answered();
      const { size, whole } = await received(await request());
      assert.equal(whole, false);
      assert.ok(size < bytes.length);
      assert.equal(await lastStatus(lines), 502);
      assert.equal(opened!.destroyed, true);
      assert.equal(service.log.at(-2)!['msg'], 'download aborted');
    });
});

describe('a client', () => {
  let given: number;
  before(() => {
    target = large;
    open = async () => endless();
  });

  function endless(): Readable {
    given = 0;
    return new Readable({
      read() {
        given += 65_536;
        this.push(Buffer.alloc(65_536));
      },
    });
  }

  test('that reads slowly slows the store down', async () => {
    const incoming = await request();
    incoming.pause();
    // Nothing moves once the buffers on the way are full.
    for (let before = -1; before !== given;) {
      before = given;
      for (let write = 0; write < 200; write++) await new Promise(setImmediate);
    }
    assert.ok(given < 64 * 1024 * 1024, String(given));
    incoming.destroy();
    await once(opened!, 'close');
  });

  test('that breaks off closes the source, and is logged as 499', async () => {
    const lines = answered();
    const incoming = await request();
    const closed = once(opened!, 'close');
    incoming.destroy();
    await closed;
    assert.equal(await lastStatus(lines), 499);
  });

  test('never gets more bytes than were announced', async () => {
    target = { ...file, sha256: null };
    const { size, whole } = await received(await request());
    assert.equal(whole, false);
    assert.ok(size < bytes.length);
  });
});
