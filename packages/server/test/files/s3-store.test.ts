import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { ConnectionLost } from '../../src/db/failure.ts';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openDownload } from '../../src/files/download.ts';
import {
  type FileKey,
  type FileStore,
  FileStoreError,
  FileStoreTooSlow,
} from '../../src/files/file-store.ts';
import { insertOrganization } from '../../src/features/organizations/store.ts';
import { stagedFile } from '../../src/files/keeping.ts';
import { type S3Files, s3Store } from '../../src/files/s3-store.ts';
import { callOf, decision, operator, Writes } from '../../src/write/writes.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { s3Url, startS3, type TestS3 } from '../support/servers/s3.ts';

/** Milliseconds: a busy machine answers sooner as well. */
const timeout = 1500;
const bytes = randomBytes(5 * 1024 * 1024);
const file = {
  organizationId: 'o',
  id: 'f',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
};

let database: TestDatabase;
let s3: TestS3;
let files: S3Files;

before(async () => {
  database = await testDatabase();
  await new Writes(database.database.sql).runWithoutClock(callOf('o', operator), write =>
    insertOrganization(write, { id: 'o', name: 'O' }),
  );
  s3 = await startS3();
  files = s3Store(s3.url, 10_000, database.database.sql);
});
after(async () => {
  files[Symbol.dispose]();
  await s3.close();
  await database.drop();
});

/** Stores the bytes in a transaction of its own. */
function put(store: FileStore, key: FileKey): Promise<void> {
  const { organizationId, id } = key;
  return inTransaction(database.database.sql, session => store.put(session, { organizationId, id, bytes }));
}

/** A write with the file, which fails with the error after the file was put. */
function failingWrite(store: FileStore, key: FileKey, error: Error): Promise<unknown> {
  const failing = decision({
    early: false,
    targets: () => [],
    read: () => Promise.reject(error),
    plan: () => null,
    store: () => null,
  });
  const staged = stagedFile(store, { organizationId: key.organizationId, id: key.id, bytes });
  const writes = new Writes(database.database.sql);
  return writes.decide(callOf(key.organizationId, operator), failing, staged);
}

/** Stores bytes that are rendered while they are read. */
function putRendered(store: FileStore, id: string, rendered: AsyncIterable<Buffer>): Promise<void> {
  const { organizationId } = file;
  return inTransaction(database.database.sql, session =>
    store.put(session, { organizationId, id, bytes: rendered }),
  );
}

describe('files in S3', () => {
  test('come back byte by byte', async () => {
    await put(files.store, file);
    const stream = await openDownload({ store: files.store, timeout: 10_000 }, file);
    assert.ok((await buffer(stream)).equals(bytes));
  });

  test('may take longer to be rendered than the store may take to go on', async () => {
    const hasty = s3Store(s3.url, timeout, database.database.sql);
    async function* rendered() {
      for (let part = 0; part < 3; part++) {
        await delay(timeout);
        yield Buffer.from(`${part}\n`);
      }
    }
    const id = newId();
    await putRendered(hasty.store, id, rendered());
    const stream = (await files.store.open({ ...file, id }))!;
    assert.equal((await buffer(stream)).toString(), '0\n1\n2\n');
    hasty[Symbol.dispose]();
  });

  test('that cannot be rendered fail with the error of their source, not with one of the store', async () => {
    async function* rendered() {
      yield bytes;
      throw new ConnectionLost('lost');
    }
    await assert.rejects(putRendered(files.store, newId(), rendered()), ConnectionLost);
  });

  test('are under the prefix, by organization', async () => {
    assert.equal(await files.store.open({ ...file, organizationId: 'other' }), null);
  });

  test('404 FILE_NOT_FOUND: an object that is not there', async () => {
    const missing = openDownload({ store: files.store, timeout }, { ...file, id: 'missing' });
    await assert.rejects(missing, { code: 'FILE_NOT_FOUND' });
  });

  test('are checked: another SHA-256 never ends in order', async () => {
    const stream = await openDownload({ store: files.store, timeout }, { ...file, sha256: '0'.repeat(64) });
    await assert.rejects(buffer(stream), FileStoreError);
  });

  test('are forgotten when the write that they belong to fails', async () => {
    const other = { ...file, id: 'other' };
    await assert.rejects(failingWrite(files.store, other, new Error('no')), /no/);
    assert.equal(await files.store.open(other), null);
  });

  test('stay when the connection was lost, since the commit may have happened', async () => {
    const other = { ...file, id: 'uncertain' };
    await assert.rejects(failingWrite(files.store, other, new ConnectionLost('lost')), /lost/);
    (await files.store.open(other))!.destroy();
  });

  test('a reader that breaks off leaves no connection behind', async () => {
    const stream = (await files.store.open(file))!;
    await once(stream, 'readable');
    stream.destroy();
    await once(stream, 'close');
    const again = await openDownload({ store: files.store, timeout: 10_000 }, file);
    assert.ok((await buffer(again)).equals(bytes));
  });
});

describe('a store that is not what it should be', () => {
  async function standIn(onConnection: Parameters<typeof createServer>[1]): Promise<Server> {
    const standIn = createServer(onConnection);
    await once(standIn.listen(0, '127.0.0.1'), 'listening');
    return standIn;
  }

  async function withStore<T>(port: number, work: (store: FileStore) => Promise<T>): Promise<T> {
    const broken = s3Store(s3Url(port), timeout, database.database.sql);
    try {
      return await work(broken.store);
    } finally {
      broken[Symbol.dispose]();
    }
  }

  const download = (port: number) =>
    withStore(port, store => openDownload({ store, timeout: 2 * timeout }, file));
  const upload = (port: number) =>
    withStore(port, store => failingWrite(store, { ...file, id: newId() }, new Error('stored')));

  test('502 BAD_GATEWAY: the connection is refused', async () => {
    const closed = await standIn(() => {});
    const { port } = closed.address() as AddressInfo;
    await new Promise(resolve => closed.close(resolve));
    await assert.rejects(download(port), { code: 'BAD_GATEWAY' });
    await assert.rejects(upload(port), { code: 'BAD_GATEWAY' });
  });

  test('502 BAD_GATEWAY: it answers with an error', async () => {
    const failing = await standIn(socket => {
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.end('HTTP/1.1 500 x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
      );
    });
    const { port } = failing.address() as AddressInfo;
    await assert.rejects(download(port), { code: 'BAD_GATEWAY' });
    failing.close();
  });

  test('502 BAD_GATEWAY: wrong credentials', async () => {
    process.env.AWS_ACCESS_KEY_ID = 'wrong';
    await assert.rejects(download(s3.port), { code: 'BAD_GATEWAY' });
    process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  });

  test('504 GATEWAY_TIMEOUT: it accepts connections and sends nothing', async () => {
    const sockets = new Set<{ destroy(): void }>();
    const unresponsive = await standIn(socket => {
      sockets.add(socket);
      socket.on('error', () => {}).resume();
    });
    const { port } = unresponsive.address() as AddressInfo;
    await assert.rejects(download(port), { code: 'GATEWAY_TIMEOUT' });
    await assert.rejects(upload(port), { code: 'GATEWAY_TIMEOUT' });
    for (const socket of sockets) socket.destroy();
    unresponsive.close();
  });

  test('504 GATEWAY_TIMEOUT: it takes no more bytes of a file that is rendered, and the source is closed', async () => {
    const sockets = new Set<{ destroy(): void }>();
    const unresponsive = await standIn(socket => {
      sockets.add(socket);
      socket.on('error', () => {}).resume();
    });
    const { port } = unresponsive.address() as AddressInfo;
    let isClosed = false;
    async function* rendered() {
      try {
        for (;;) yield bytes.subarray(0, 64 * 1024);
      } finally {
        isClosed = true;
      }
    }
    const tooSlow = withStore(port, store => putRendered(store, newId(), rendered()));
    await assert.rejects(tooSlow, FileStoreTooSlow);
    assert.ok(isClosed);
    for (const socket of sockets) socket.destroy();
    unresponsive.close();
  });

  test('an object that stops half way is the failure of the store', async () => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`;
    const half = await standIn(socket => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(head);
        socket.end(bytes.subarray(0, bytes.length / 2));
      });
    });
    const { port } = half.address() as AddressInfo;
    const failure = await withStore(port, async store => {
      const stream = await openDownload({ store, timeout }, file);
      return buffer(stream).catch((error: unknown) => error);
    });
    assert.ok(failure instanceof FileStoreError && !(failure instanceof FileStoreTooSlow));
    half.close();
  });
});
