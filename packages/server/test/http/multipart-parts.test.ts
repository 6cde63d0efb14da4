import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError, bodyLimits } from '@kontor/contract';
import fc from 'fast-check';
import { cleanFileName } from '../../src/files/file-name.ts';
import { parseUpload } from '../../src/http/request/multipart.ts';
import { boundaries, contentsOf, encode, type Form, forms } from './multipart-forms.ts';

/** The file as the parser reads it, of any content. */
async function parse(body: Buffer, boundary: string): Promise<{ fileName: string; content: string }> {
  const { fileName, bytes } = await parseUpload(body, boundary, ['text/csv']);
  return { fileName, content: bytes.toString('latin1') };
}

function assertRejected(body: Buffer, boundary: string, code: string): Promise<void> {
  return assert.rejects(parse(body, boundary), { code });
}

describe('the file of a multipart body', () => {
  test('is read as it was written, however it is written', async () => {
    const files = forms
      .filter(({ parts: [part] }) => part !== undefined && part.content !== '')
      .map(form => ({
        ...form,
        parts: [{ ...form.parts[0]!, name: 'file', fileName: form.parts[0]!.fileName ?? 'a' }],
      }));
    await fc.assert(
      fc.asyncProperty(files, async form => {
        const [{ fileName, content }] = form.parts as unknown as [{ fileName: string; content: string }];
        assert.deepEqual(await parse(encode(form), form.boundary), {
          fileName: cleanFileName(fileName),
          content,
        });
      }),
      { numRuns: 2000 },
    );
  });

  test('that fetch has written is read as fetch reads it', async () => {
    const values = fc.record({
      name: fc.string({ unit: 'binary', minLength: 1 }),
      value: fc.uint8Array({ minLength: 1 }),
    });
    await fc.assert(
      fc.asyncProperty(values, async ({ name, value }) => {
        const data = new FormData();
        data.append('file', new Blob([value]), name);
        const sent = new Response(data);
        const contentType = sent.headers.get('content-type')!;
        const read = (await sent.clone().formData()).get('file') as File;
        assert.deepEqual(
          await parse(Buffer.from(await sent.arrayBuffer()), contentType.split('boundary=')[1]!),
          {
            fileName: cleanFileName(read.name),
            content: Buffer.from(await read.arrayBuffer()).toString('latin1'),
          },
        );
      }),
      { numRuns: 500 },
    );
  });
});

const withDisposition = (disposition: string, content = 'x') =>
  Buffer.from(`--x\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n--x--`);

describe('the header of the part', () => {
  const cases: [disposition: string, fileName: string][] = [
    ['form-data; filename="a; name=\\"b"; name="file"', 'a; name="b'],
    ['form-data; filename="C:\\new\\a.pdf"; name="file"', 'a.pdf'],
    ['form-data; name=file; filename=a.pdf', 'a.pdf'],
    ['form-data; name="file"; filename="a";', 'a'],
    // RFC 7578 section 4.2 forbids `filename*`, and the parser ignores it after a name in quotes.
    ['form-data; name="file"; filename="plain"; filename*=UTF-8\'de\'%C3%84.pdf', 'plain'],
    ['form-data; name="file"; filename*=UTF-8\'\'%C3%84.pdf', 'Ä.pdf'],
    ["form-data; name=file; filename=plain; filename*=utf-8''%C3%84.pdf", 'Ä.pdf'],
  ];
  for (const [disposition, fileName] of cases)
    test(disposition, async () =>
      assert.deepEqual(await parse(withDisposition(disposition), 'x'), { fileName, content: 'x' }),
    );

  const rejections: [disposition: string, code: string][] = [
    ['form-data', 'VALIDATION_ERROR'],
    ['form-data; filename="a"', 'VALIDATION_ERROR'],
    ['form-data; name="file"', 'MISSING_ATTACHMENT'],
    ['form-data; name="file"; name="other"', 'UNSUPPORTED_FIELD'],
    ['attachment; name="file"; filename="a"', 'MISSING_ATTACHMENT'],
    ['form-data name="file"; filename="a"', 'MISSING_ATTACHMENT'],
  ];
  for (const [disposition, code] of rejections)
    test(`400 ${code}: ${disposition}`, () => assertRejected(withDisposition(disposition), 'x', code));
});

/** The same body with bytes cut out, put in twice, or changed. */
const mutations = fc.array(
  fc.record({
    at: fc.nat(),
    length: fc.integer({ min: 0, max: 40 }),
    insert: fc.oneof(fc.uint8Array({ maxLength: 4 }), fc.constant(null)),
  }),
  { minLength: 1, maxLength: 4 },
);

function mutate(
  body: Buffer,
  list: readonly { at: number; length: number; insert: Uint8Array | null }[],
): Buffer {
  for (const { at, length, insert } of list) {
    const start = at % (body.length + 1);
    const cut = body.subarray(start, start + length);
    const middle = insert === null ? Buffer.concat([cut, cut]) : insert;
    body = Buffer.concat([body.subarray(0, start), middle, body.subarray(start + length)]);
  }
  return body;
}

const uploadCodes = ['VALIDATION_ERROR', 'UNSUPPORTED_FIELD', 'MISSING_ATTACHMENT', 'UNSUPPORTED_MEDIA_TYPE'];

async function assertReadOrRejected(body: Buffer, boundary: string): Promise<void> {
  try {
    await parseUpload(body, boundary);
  } catch (error) {
    assert.ok(error instanceof ApiError && uploadCodes.includes(error.code), String(error));
  }
}

describe('any bytes are an upload, or rejected with 400 or 415', () => {
  test('mutations of a body', async () => {
    await fc.assert(
      fc.asyncProperty(forms, mutations, (form, list) =>
        assertReadOrRejected(mutate(encode(form), list), form.boundary),
      ),
      { numRuns: 2000 },
    );
  });

  test('random bytes and pieces of delimiters', async () => {
    const bodies = boundaries.chain(boundary => fc.tuple(fc.constant(boundary), contentsOf(boundary)));
    await fc.assert(
      fc.asyncProperty(bodies, ([boundary, body]) => assertReadOrRejected(body, boundary)),
      { numRuns: 2000 },
    );
  });
});

// Were the time that the parser takes not linear in the bytes, each of these would take minutes.
describe('5 MiB of', () => {
  const boundary = 'a'.repeat(70);
  const filler = (text: string) => Buffer.alloc(bodyLimits.large, text, 'latin1');
  const contents: [name: string, content: Buffer][] = [
    ['delimiters without their last byte', filler(`\r\n--${boundary.slice(1)}`)],
    ['delimiters with another last byte', filler(`\r\n--${boundary.slice(1)}b`)],
    ['delimiters without their first byte', filler(`\n--${boundary}`)],
    ['bytes of the boundary', filler('a')],
    ['line breaks', filler('\r\n')],
  ];
  for (const [name, content] of contents)
    test(`${name} are content`, async () => {
      const part = { name: 'file', fileName: 'a.pdf', content: content.toString('latin1') };
      const form: Form = { boundary, parts: [part], styles: [], preamble: '', epilogue: '' };
      const { content: read } = await parse(encode(form), boundary);
      assert.ok(read === part.content);
    });

  const start = 'Content-Disposition: form-data';
  const heads: [name: string, head: Buffer][] = [
    ['a name', Buffer.concat([Buffer.from(`${start}; name="`), filler('x'), Buffer.from('"')])],
    ['escaped quotes', Buffer.concat([Buffer.from(`${start}; name="`), filler('\\"')])],
    ['parameters', Buffer.concat([Buffer.from(start), filler(";filename*=utf-8'")])],
    ['folded lines', Buffer.concat([Buffer.from(start), filler('\r\n\t')])],
    ['headers', filler(`${start}\r\n`)],
  ];
  for (const [name, head] of heads)
    test(`${name} in the headers are rejected`, async () => {
      const body = Buffer.concat([Buffer.from('--x\r\n'), head, Buffer.from('\r\n\r\n\r\n--x--')]);
      await assert.rejects(parse(body, 'x'), { status: 400 });
    });

  test('parts end with the first that is not accepted', async () => {
    const parts = filler(`\r\n--x\r\n${start};name=a\r\n\r\n`);
    await assert.rejects(parseUpload(parts, 'x'), { code: 'UNSUPPORTED_FIELD' });
  });
});
