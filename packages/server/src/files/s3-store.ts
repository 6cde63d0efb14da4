import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Pool } from '../db/connect.ts';
import { type FileKey, type FileStore, FileStoreError, FileStoreTooSlow } from './file-store.ts';
import { announce, announcingRemoval, pendingAge, sweepPending } from './pending.ts';
import { parseS3Url, type S3Place } from './s3-url.ts';

/** In milliseconds. */
const connectionTimeout = 3000;

/** Each download holds a connection. With the client's default of 50, slow downloads would block others. */
const maxSockets = Infinity;

/** Max bytes of an answer that is not a file, which the client reads into memory. */
const maxAnswer = 1_048_576;

/** Disposing closes the connections. */
export interface S3Files extends Disposable {
  readonly store: FileStore;
  /** Stores a file that was announced. @throws FileStoreError, FileStoreTooSlow; errors of the source of the bytes */
  upload(file: FileKey, bytes: Buffer | AsyncIterable<Buffer>): Promise<void>;
  /** Removes the files of uncommitted writes that are older than `age` seconds. */
  sweep(age?: number): Promise<number>;
}

/**
 * Files in S3-compatible storage, at `s3://bucket/prefix?endpoint=…&region=…`. An object is stored before its transaction commits. `db`
 * records it first, so `sweep` can remove it if the commit fails.
 */
export function s3Store(url: string, timeout: number, db: Pool): S3Files {
  const place = parseS3Url(url);
  if (!place) throw new Error('the address of the files is not valid');
  const client = new S3Client({
    region: place.region,
    ...(place.endpoint !== null && { endpoint: place.endpoint, forcePathStyle: true }),
    maxAttempts: 2,
    requestHandler: { connectionTimeout, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
    // Some S3-compatible servers do not support the newer checksums. The service checks the SHA-256 itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const bounded = { step: 'deserialize', priority: 'low', name: 'kontorMaxAnswer' } as const;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async args => {
        const result = await next(args);
        limitAnswer(result.response as Answer, commandName === 'GetObjectCommand');
        return result;
      },
    bounded,
  );
  const { bucket: Bucket } = place;
  const remove = async (file: FileKey) => {
    const input = { Bucket, Key: keyOf(place, file) };
    await attempt(timeout, ({ signal }) =>
      client.send(new DeleteObjectCommand(input), { abortSignal: signal }),
    );
  };
  const upload = (file: FileKey, bytes: Buffer | AsyncIterable<Buffer>) =>
    attempt(timeout, async expiry => {
      const Body = Buffer.isBuffer(bytes) ? bytes : Readable.from(bytesOfSource(bytes, expiry));
      const params = { Bucket, Key: keyOf(place, file), Body };
      const sending = new Upload({ client, params, queueSize: 1 });
      expiry.signal.addEventListener('abort', () => void sending.abort());
      try {
        await sending.done();
      } finally {
        if (Body instanceof Readable) await close(Body);
      }
    });
  const store: FileStore = {
    async put(session, { bytes, ...file }) {
      await announce(db, session, file);
      await upload(file, bytes);
    },
    async open(file) {
      const input = { Bucket, Key: keyOf(place, file) };
      const object = await attempt(timeout, ({ signal }) =>
        client.send(new GetObjectCommand(input), { abortSignal: signal }).catch(nullIfMissing),
      );
      return object && withOwnErrors(object.Body as Readable);
    },
    async *list(organizationId) {
      const Prefix = keyOf(place, { organizationId, id: '' });
      for (let StartAfter = ''; ;) {
        const input = { Bucket, Prefix, ...(StartAfter !== '' && { StartAfter }) };
        const { Contents = [], IsTruncated } = await attempt(timeout, ({ signal }) =>
          client.send(new ListObjectsV2Command(input), { abortSignal: signal }),
        );
        for (const { Key, Size } of Contents) yield { id: Key!.slice(Prefix.length), size: Size! };
        if (IsTruncated !== true) return;
        StartAfter = Contents.at(-1)!.Key!;
      }
    },
    discard: remove,
    removing: files => files.map(announcingRemoval),
  };
  return {
    store,
    upload,
    sweep: (age = pendingAge) => sweepPending(db, remove, age),
    [Symbol.dispose]: () => client.destroy(),
  };
}

interface Answer {
  readonly statusCode: number;
  body: unknown;
}

/** Fails the body of an answer that is too long, unless it is a file. */
function limitAnswer(answer: Answer, isDownload: boolean): void {
  const { statusCode, body } = answer;
  if (!(body instanceof Readable) || (isDownload && statusCode < 300)) return;
  let left = maxAnswer;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(new Error(`the answer of S3 has more than ${maxAnswer} bytes`));
      else done(null, chunk);
    },
  });
  answer.body = pipeline(body, limited, () => {});
}

function keyOf(place: S3Place, { organizationId, id }: FileKey): string {
  return `${place.prefix}${organizationId}/${id}`;
}

/** Aborts a request that makes no progress for `timeout` milliseconds. */
class Expiry {
  readonly #timeout: number;
  // AbortSignal.timeout would also abort the body while it is read later.
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(timeout: number) {
    this.#timeout = timeout;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#controller.abort(), this.#timeout);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** @throws FileStoreError, errors of the source of the bytes */
async function attempt<T>(timeout: number, request: (expiry: Expiry) => Promise<T>): Promise<T> {
  const expiry = new Expiry(timeout);
  expiry.start();
  try {
    return await request(expiry);
  } catch (cause) {
    if (cause instanceof SourceFailure) throw cause.cause;
    if (expiry.signal.aborted)
      throw new FileStoreTooSlow(`S3 did not answer within ${timeout} ms`, { cause });
    throw new FileStoreError('a request to S3 failed', { cause });
  } finally {
    expiry.stop();
  }
}

/** The bytes could not be read, which is no failure of the store. */
class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
}

/** The bytes may be rendered from the database while they are read. That time is not the time of the store. */
async function* bytesOfSource(source: AsyncIterable<Buffer>, expiry: Expiry): AsyncGenerator<Buffer> {
  expiry.stop();
  try {
    for await (const chunk of source) {
      expiry.start();
      yield chunk;
      expiry.stop();
    }
  } catch (cause) {
    throw new SourceFailure('the bytes of a file could not be read', { cause });
  }
  expiry.start();
}

/** Resolves when nothing reads the source any more: it may use the session of the caller. */
async function close(body: Readable): Promise<void> {
  body.destroy();
  await finished(body).catch(() => {});
}

function nullIfMissing(error: unknown): null {
  if (error instanceof NoSuchKey) return null;
  throw error;
}

/** Converts errors of the body to FileStoreError. */
function withOwnErrors(body: Readable): Readable {
  const stream = new PassThrough();
  body.on('error', cause => stream.destroy(new FileStoreError('an object of S3 broke off', { cause })));
  stream.on('close', () => body.destroy());
  return body.pipe(stream);
}
