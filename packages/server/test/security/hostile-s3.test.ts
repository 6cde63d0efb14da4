import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { after, before, describe, test } from 'node:test';
import { newId } from '../../src/db/ids.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openDownload } from '../../src/files/download.ts';
import { FileStoreError } from '../../src/files/file-store.ts';
import { s3Store } from '../../src/files/s3-store.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import {
  drip,
  type HostileServer,
  startHostileServer,
  writeWithoutEnd,
} from '../support/servers/hostile-server.ts';
import { s3Url } from '../support/servers/s3.ts';

const timeout = 1_000;
const bytes = Buffer.from('%PDF-1.7\n%%EOF\n');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const file = { organizationId: 'o', id: 'f', size: bytes.length, sha256 };

/** Bytes that a store can send to one request, with what the buffers of the sockets hold. */
const maxBytes = 16 * 1024 * 1024;

let database: TestDatabase;
before(async () => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' });
  database = await testDatabase();
});
after(() => database?.drop());

/** Sends this to each request. */
const answering = (head: string, body: (socket: Socket) => void) => (socket: Socket) =>
  void socket.once('data', () => {
    socket.write(`HTTP/1.1 ${head}\r\n\r\n`);
    body(socket);
  });

/** Downloads or uploads at a store that answers so, and returns the failure; null: it went well. */
async function failureOf(
  what: 'download' | 'upload',
  answer: (socket: Socket) => void,
): Promise<{ failure: unknown; server: HostileServer }> {
  const server = await startHostileServer(answer);
  const files = s3Store(s3Url(server.port), timeout, database.database.sql);
  const upload = () =>
    inTransaction(database.database.sql, session =>
      files.store.put(session, { organizationId: 'o', id: newId(), bytes }),
    );
  const download = async () => void (await buffer(await openDownload({ store: files.store, timeout }, file)));
  try {
    const failure: unknown = await (what === 'upload' ? upload() : download()).then(
      () => null,
      (error: unknown) => error,
    );
    await setImmediate();
    assert.ok(server.sent() < maxBytes, `the client took ${server.sent()} bytes`);
    return { failure, server };
  } finally {
    files[Symbol.dispose]();
    await server.close();
  }
}

const isOfStore = (failure: unknown) =>
  failure instanceof FileStoreError ||
  ['BAD_GATEWAY', 'GATEWAY_TIMEOUT'].includes((failure as { code?: string } | null)?.code ?? '');

const html = '<html><title>Sign in</title></html>';
const text = (body: string) => (socket: Socket) => void socket.end(body);
const ofLength = (length: number, type = 'application/pdf') =>
  `200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${length}`;

/** Entities that stand for 10^9 letters. */
const bomb = `<?xml version="1.0"?><!DOCTYPE Error [<!ENTITY a "aaaaaaaaaa">${'b c d e f g h i'
  .split(' ')
  .map((name, index) => `<!ENTITY ${name} "${`&${'a b c d e f g h'.split(' ')[index]};`.repeat(10)}">`)
  .join('')}]><Error><Code>&i;</Code><Message>&i;</Message></Error>`;
const deep = `${'<a>'.repeat(100_000)}${'</a>'.repeat(100_000)}`;

describe('502 or 504, and no complete file: a download from a store that answers', () => {
  const answers: Readonly<Record<string, (socket: Socket) => void>> = {
    'with another file of the same length': answering(
      ofLength(bytes.length),
      text(bytes.toString().replace('7', '6')),
    ),
    'with a shorter file': answering(ofLength(bytes.length - 1), text(bytes.toString().slice(1))),
    'with a longer file': answering(ofLength(bytes.length + 1), text(`${bytes.toString()}x`)),
    'with fewer bytes than it declares': answering(ofLength(bytes.length), text('%PDF')),
    'with a page of a proxy': answering(ofLength(html.length, 'text/html'), text(html)),
    'with a body without an end': answering('200 OK', socket => writeWithoutEnd(socket, 'x')),
    'with a head without an end': socket =>
      void socket.once('data', () => writeWithoutEnd(socket, 'X-More: y\r\n')),
    'byte by byte, for ever': answering(ofLength(10_000_000), socket => drip(socket, 'x')),
    'with two lengths': answering(`${ofLength(3)}\r\nContent-Length: 15`, text('%PDF-1.7\n%%EOF\n')),
    'with no HTTP': socket => void socket.once('data', () => socket.end('220 smtp\r\n')),
    'with a body that claims to be compressed': answering(
      `${ofLength(bytes.length)}\r\nContent-Encoding: gzip`,
      text('%PDF-1.7\n%%EOX\n'),
    ),
    'with an error without an end': answering('500 Error\r\nContent-Type: application/xml', socket =>
      writeWithoutEnd(socket, '<Error>'),
    ),
    'with an error that expands to a billion letters': answering(
      `403 Forbidden\r\nContent-Length: ${bomb.length}`,
      text(bomb),
    ),
    'with an error that is nested': answering(`400 Bad\r\nContent-Length: ${deep.length}`, text(deep)),
    'with an error that is not XML': answering(`404 Not Found\r\nContent-Length: 4`, text('gone')),
  };
  for (const [name, answer] of Object.entries(answers))
    test(name, async () => {
      const { failure } = await failureOf('download', answer);
      assert.ok(isOfStore(failure), String(failure));
    });
});

test('a store that redirects gets no request at the other address', async () => {
  const other = await startHostileServer(() => {});
  for (const status of ['301 Moved', '307 Temporary Redirect', '308 Permanent Redirect'])
    for (const what of ['download', 'upload'] as const) {
      const location = `Location: http://127.0.0.1:${other.port}/files/kontor/o/f`;
      const { failure } = await failureOf(
        what,
        answering(`${status}\r\n${location}\r\nContent-Length: 0`, text('')),
      );
      assert.ok(isOfStore(failure), `${status}: ${String(failure)}`);
    }
  assert.equal(other.received(), '');
  await other.close();
});

describe('502 or 504, and nothing is stored: an upload to a store that answers', () => {
  const answers: Readonly<Record<string, (socket: Socket) => void>> = {
    'with an error without an end': answering('500 Error', socket => writeWithoutEnd(socket, '<Error>')),
    'with an error that expands to a billion letters': answering(
      `403 Forbidden\r\nContent-Length: ${bomb.length}`,
      text(bomb),
    ),
    'with success without an end': answering('200 OK', socket => writeWithoutEnd(socket, '<x>')),
    'byte by byte': answering('200 OK\r\nContent-Length: 1000000', socket => drip(socket, 'x')),
    'with a page that asks to sign in': answering(`401 No\r\nContent-Length: ${html.length}`, text(html)),
  };
  for (const [name, answer] of Object.entries(answers))
    test(name, async () => {
      const { failure } = await failureOf('upload', answer);
      assert.ok(isOfStore(failure), String(failure));
    });
});
