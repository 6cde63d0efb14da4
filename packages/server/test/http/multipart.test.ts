import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyLimits } from '@kontor/contract';
import fc from 'fast-check';
import type { Upload } from '../../src/http/route.ts';
import { boundaries, contentsOf, encode } from './multipart-forms.ts';
import { employeeId, keys, type StubService, stubService } from './stub-service.ts';

let service: StubService;
before(async () => (service = await stubService()));
after(() => service.close());

const path = `/incidents/${employeeId}/attachments`;
const pdf = Buffer.from('%PDF-1.7\nMüller\0\xff');

async function upload(parts: FormData | { bytes: Buffer; fileName: string; mediaType?: string }) {
  const before = service.calls.length;
  const answer = await service.client.upload(path, parts);
  const reached = service.calls.length > before;
  return { answer, reached, file: reached ? (service.calls.at(-1)!.body as Upload) : null };
}

/** Sends a body of these lines as it is. */
function raw(contentType: string, ...lines: string[]) {
  const headers = { 'content-type': contentType };
  return service.client.request('POST', path, { headers, raw: lines.join('\r\n') });
}

const simple = 'multipart/form-data; boundary=x';
const disposition = 'Content-Disposition: form-data; name="file"; filename="a.pdf"';

function assertRejected(answer: any, status: number, code: string, message?: RegExp): void {
  assert.deepEqual([answer.status, answer.body.error.code], [status, code], answer.body.error.message);
  if (message) assert.match(answer.body.error.message, message);
}

describe('an upload reaches its handler', () => {
  test('with the bytes as they were sent, the name, and the type by the bytes', async () => {
    const { answer, file } = await upload({ bytes: pdf, fileName: 'bericht.pdf', mediaType: 'image/png' });
    assert.equal(answer.status, 201);
    assert.deepEqual([file!.fileName, file!.mediaType], ['bericht.pdf', 'application/pdf']);
    assert.ok(file!.bytes.equals(pdf));
  });

  const types: [mediaType: string, start: string][] = [
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['application/pdf', '%PDF-2.0'],
  ];
  for (const [mediaType, start] of types)
    test(`${mediaType} is detected by its bytes, whatever name and type declare`, async () => {
      const { file } = await upload({ bytes: Buffer.from(start, 'latin1'), fileName: 'a.exe' });
      assert.equal(file!.mediaType, mediaType);
    });

  test('in exactly 5 MiB of body; one byte more is 413', async () => {
    const small = await new Response(formOf(pdf)).arrayBuffer();
    const fitting = Buffer.concat([pdf, Buffer.alloc(bodyLimits.large - small.byteLength)]);
    assert.equal((await upload(formOf(fitting))).answer.status, 201);
    const larger = Buffer.concat([fitting, Buffer.alloc(1)]);
    assertRejected((await upload(formOf(larger))).answer, 413, 'PAYLOAD_TOO_LARGE');
  });

  test('also as a dry run', async () => {
    await service.client.upload(path, { bytes: pdf, fileName: 'a.pdf' }, { query: { dryRun: true } });
    assert.equal(service.calls.at(-1)!.dryRun, true);
  });
});

/** One part `file` with a boundary of constant length. */
function formOf(bytes: Buffer): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'a.pdf');
  return form;
}

/** Sends a body in these pieces, one behind the other, and answers the status. */
async function sendInChunks(boundary: string, chunks: Buffer[], length: number | null): Promise<number> {
  const outgoing = request(`${service.url}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': keys.all,
      'content-type': `multipart/form-data; boundary="${boundary}"`,
      ...(length !== null && { 'content-length': length }),
    },
  });
  outgoing.setNoDelay();
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  for (const chunk of chunks) await new Promise<void>(resolve => outgoing.write(chunk, () => resolve()));
  outgoing.end();
  const [incoming] = await answered;
  await once(incoming.resume(), 'end');
  return incoming.statusCode!;
}

test('an upload is the same however its body arrives: declared or chunked, cut anywhere', async () => {
  const uploads = boundaries.chain(boundary =>
    fc.record({
      boundary: fc.constant(boundary),
      content: contentsOf(boundary).filter(bytes => !bytes.includes(`--${boundary}`)),
      cuts: fc.array(fc.nat(200), { maxLength: 20 }),
      declared: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(uploads, async ({ boundary, content, cuts, declared }) => {
      const bytes = Buffer.concat([pdf, content]);
      const part = { name: 'file', fileName: 'a.pdf', content: bytes.toString('latin1') };
      const body = encode({ boundary, parts: [part], styles: [], preamble: '', epilogue: '' });
      const endings = [...cuts.filter(cut => cut < body.length).toSorted((a, b) => a - b), body.length];
      const chunks = endings.map((end, index) => body.subarray(endings[index - 1] ?? 0, end));
      assert.equal(await sendInChunks(boundary, chunks, declared ? body.length : null), 201);
      assert.ok((service.calls.at(-1)!.body as Upload).bytes.equals(bytes));
    }),
  );
});

describe('the name of an uploaded file', () => {
  const names: [sent: string, kept: string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\maria\\Unfall.pdf', 'Unfall.pdf'],
    ['Größe – 東京 😀.pdf', 'Größe – 東京 😀.pdf'],
    ['Gro\u0308ße.pdf', 'Größe.pdf'],
    ['a\tb\u0000c\u0085.pdf', 'abc.pdf'],
    ['rechnung\u202efdp.exe', 'rechnungfdp.exe'],
    [' .. ', 'file'],
    ['/', 'file'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
    ['😀'.repeat(300), '😀'.repeat(255)],
    ['say "hi".pdf', 'say "hi".pdf'],
    [`a${'\u0334'.repeat(40)}.pdf`, `a${'\u0334'.repeat(30)}.pdf`],
  ];
  for (const [sent, kept] of names)
    test(`${JSON.stringify(sent).slice(0, 40)} is kept as ${JSON.stringify(kept).slice(0, 40)}`, async () =>
      assert.equal((await upload({ bytes: pdf, fileName: sent })).file!.fileName, kept));
});

describe('an upload is rejected', () => {
  test('400 MISSING_ATTACHMENT: no part, an empty file, a field in the place of a file', async () => {
    const field = new FormData();
    field.append('file', 'text');
    const empty = { bytes: Buffer.alloc(0), fileName: 'a.pdf' };
    for (const parts of [empty, field]) {
      const { answer, reached } = await upload(parts);
      assertRejected(answer, 400, 'MISSING_ATTACHMENT', /"file"/);
      assert.equal(reached, false);
    }
    assertRejected(await raw(simple, '--x--', ''), 400, 'MISSING_ATTACHMENT');
  });

  test('400 UNSUPPORTED_FIELD: another part, which the message names', async () => {
    for (const name of ['comment', 'File', '']) {
      const form = formOf(pdf);
      form.append(name, 'x');
      assertRejected((await upload(form)).answer, 400, 'UNSUPPORTED_FIELD', new RegExp(`"${name}"`));
    }
  });

  test('400 VALIDATION_ERROR: a second file', async () => {
    const form = formOf(pdf);
    form.append('file', new Blob(['%PDF-']), 'b.pdf');
    assertRejected((await upload(form)).answer, 400, 'VALIDATION_ERROR', /more than once/);
  });

  test('400 VALIDATION_ERROR: a body that is no multipart of its boundary', async () => {
    const bodies = [
      [''],
      ['--y', disposition, '', '%PDF-', '--y--', ''],
      ['--x', disposition, '', '%PDF-'],
      ['--x', 'Content-Disposition: form-data', '', '%PDF-', '--x--', ''],
      ['--x', disposition],
    ];
    for (const body of bodies) assertRejected(await raw(simple, ...body), 400, 'VALIDATION_ERROR');
  });

  test('400 VALIDATION_ERROR: no boundary, or none that RFC 2046 allows', async () => {
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
    ])
      assertRejected(await raw(type, '--x--', ''), 400, 'VALIDATION_ERROR', /boundary/);
  });

  test('415 UNSUPPORTED_MEDIA_TYPE: a request of another media type', async () => {
    for (const type of ['application/json', 'multipart/mixed; boundary=x', 'application/pdf', 'x'])
      assertRejected(await raw(type, '{}'), 415, 'UNSUPPORTED_MEDIA_TYPE', /multipart\/form-data/);
    assertRejected(await service.client.request('POST', path, { raw: pdf }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  test('415 UNSUPPORTED_MEDIA_TYPE: a charset other than UTF-8', async () => {
    for (const charset of ['iso-8859-1', 'utf-16', 'utf-8; charset=iso-8859-1'])
      assertRejected(
        await raw(`${simple}; charset=${charset}`, '--x--', ''),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        /utf-8/,
      );
    assertRejected(await raw(`${simple}; charset=UTF-8`, '--x--', ''), 400, 'MISSING_ATTACHMENT');
  });

  test('415 UNSUPPORTED_MEDIA_TYPE: a file of other content, whatever name and type declare', async () => {
    for (const bytes of [
      'MZ\x90',
      'GIF89a',
      '<svg/>',
      `${' '.repeat(1025)}%PDF-`,
      'RIFF\0\0\0\0WAVE',
      '%PDF',
    ])
      assertRejected(
        (await upload({ bytes: Buffer.from(bytes), fileName: 'a.pdf', mediaType: 'application/pdf' })).answer,
        415,
        'UNSUPPORTED_MEDIA_TYPE',
        /content/,
      );
  });
});

test('uploads that are broken off reach no handler, and leave their room to others', async () => {
  const { length: calls } = service.calls;
  const { length: lines } = service.log;
  const start = [`POST /v1${path} HTTP/1.1`, 'Host: x', `X-API-Key: ${keys.all}`, `Content-Type: ${simple}`];
  for (let number = 0; number < 20; number++) {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    socket.write([...start, `Content-Length: ${bodyLimits.large}`, '', `--x\r\n${disposition}`].join('\r\n'));
    while ((await service.metrics.inFlight.get()).values[0]?.value !== 1) await delay(1);
    socket.destroy();
    while (service.log.length <= lines + number) await delay(1);
    assert.equal(service.log.at(-1)!['status'], 499);
  }
  assert.equal(service.calls.length, calls);
  assert.equal((await upload(formOf(pdf))).answer.status, 201);
});
