import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError, bodyLimits } from '@kontor/contract';
import fc from 'fast-check';
import { parseUpload, partsOf } from '../../src/http/request/multipart.ts';
import {
  boundaries,
  contentsOf,
  encode,
  type Form,
  forms,
  plainForms,
  type SentPart,
} from './multipart-forms.ts';

/** The parts as the parser reads them, comparable with what was sent. */
function parse(body: Buffer, boundary: string): SentPart[] {
  return Array.from(partsOf(body, boundary), ({ name, fileName, content }) => ({
    name,
    fileName,
    content: content.toString('latin1'),
  }));
}

/** The parts as the parser of Node's `fetch` reads them; null where it rejects the body. */
async function parseAsFetch(body: Buffer, contentType: string): Promise<SentPart[] | null> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
  const form = await response.formData().catch(() => null);
  if (!form) return null;
  const parts = Array.from(form, async ([name, value]) =>
    typeof value === 'string'
      ? { name, fileName: null, content: Buffer.from(value).toString('latin1') }
      : { name, fileName: value.name, content: Buffer.from(await value.arrayBuffer()).toString('latin1') },
  );
  return Promise.all(parts);
}

const typeOf = (boundary: string) => `multipart/form-data; boundary="${boundary}"`;

function assertNoMultipart(body: Buffer, boundary: string): void {
  assert.throws(() => parse(body, boundary), { code: 'VALIDATION_ERROR', message: /not multipart/ });
}

describe('a well-formed multipart body', () => {
  test('is read as it was written, however it is written', () => {
    fc.assert(
      fc.property(forms, form => {
        assert.deepEqual(parse(encode(form), form.boundary), form.parts);
      }),
      { numRuns: 2000 },
    );
  });

  test('that fetch can read is read as fetch reads it', async () => {
    await fc.assert(
      fc.asyncProperty(plainForms, async form => {
        const body = encode(form);
        const expected = await parseAsFetch(body, typeOf(form.boundary));
        assert.deepEqual(expected, form.parts);
        assert.deepEqual(parse(body, form.boundary), expected);
      }),
      { numRuns: 500 },
    );
  });

  test('that fetch has written is read as fetch reads it', async () => {
    const name = fc.string({ unit: 'binary', minLength: 1 });
    const values = fc.record({ name, value: fc.uint8Array() });
    await fc.assert(
      fc.asyncProperty(fc.array(values, { maxLength: 4 }), async list => {
        const data = new FormData();
        for (const { name, value } of list) data.append(name, new Blob([value]), name);
        const sent = new Response(data);
        const contentType = sent.headers.get('content-type')!;
        const body = Buffer.from(await sent.arrayBuffer());
        const expected = await parseAsFetch(body, contentType);
        assert.deepEqual(parse(body, contentType.split('boundary=')[1]!), expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a header of a part', () => {
  const cases: [disposition: string, name: string, fileName: string | null][] = [
    ['form-data; filename="a; name=\\"b"; name="file"', 'file', 'a; name="b'],
    ['form-data; filename="a\\"; name="file"', 'file', 'a\\'],
    ['form-data; filename="C:\\new\\a.pdf"; name="file"', 'file', 'C:\\new\\a.pdf'],
    ['form-data; name=file; filename=a b.pdf', 'file', 'a b.pdf'],
    ['form-data; name=file; filename=', 'file', ''],
    ['form-data; name="file"; name="other"', 'file', null],
    ['form-data; name="file";', 'file', null],
    ['form-data; name="file"; filename="plain"; filename*=UTF-8\'de\'%C3%84.pdf', 'file', 'Ä.pdf'],
    ['form-data; name="file"; filename="plain"; filename*=UTF-8\'\'%ff', 'file', 'plain'],
    ['form-data; name="file"; filename*=ISO-8859-1\'\'%C4', 'file', null],
  ];
  for (const [disposition, name, fileName] of cases)
    test(disposition, () => {
      const body = Buffer.from(`--x\r\nContent-Disposition: ${disposition}\r\n\r\n\r\n--x--`);
      assert.deepEqual(parse(body, 'x'), [{ name, fileName, content: '' }]);
    });

  test('a part of headers only is empty, though one line break ends them and begins the delimiter', () => {
    const body = Buffer.from('--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n--x--');
    assert.deepEqual(parse(body, 'x'), [{ name: 'file', fileName: null, content: '' }]);
  });

  const wrong = [
    'attachment; name="file"',
    'form-database; name="file"',
    'form-data',
    'form-data; filename="a"',
    'form-data; name="file',
    'form-data; name="fi"le"; x',
    'form-data name="file"',
  ];
  for (const disposition of wrong)
    test(`400 VALIDATION_ERROR: ${disposition}`, () => {
      const body = Buffer.from(`--x\r\nContent-Disposition: ${disposition}\r\n\r\n\r\n--x--`);
      assertNoMultipart(body, 'x');
    });
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

function assertReadOrRejected(body: Buffer, boundary: string): void {
  try {
    parseUpload(body, boundary);
  } catch (error) {
    assert.ok(error instanceof ApiError && uploadCodes.includes(error.code), String(error));
  }
}

describe('any bytes are an upload, or rejected with 400 or 415', () => {
  test('mutations of a body', () => {
    fc.assert(
      fc.property(forms, mutations, (form, list) => {
        assertReadOrRejected(mutate(encode(form), list), form.boundary);
      }),
      { numRuns: 2000 },
    );
  });

  test('random bytes and pieces of delimiters', () => {
    const bodies = boundaries.chain(boundary => fc.tuple(fc.constant(boundary), contentsOf(boundary)));
    fc.assert(
      fc.property(bodies, ([boundary, body]) => assertReadOrRejected(body, boundary)),
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
    test(`${name} are content`, () => {
      const part = { name: 'file', fileName: 'a.pdf', content: content.toString('latin1') };
      const form: Form = { boundary, parts: [part], styles: [], preamble: '', epilogue: '' };
      assert.deepEqual(parse(encode(form), boundary), [part]);
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
    test(`${name} in the headers are rejected`, () => {
      const body = Buffer.concat([Buffer.from('--x\r\n'), head, Buffer.from('\r\n\r\n\r\n--x--')]);
      assertNoMultipart(body, 'x');
    });

  test('parts end with the first that is not accepted', () => {
    const parts = filler(`\r\n--x\r\n${start};name=a\r\n\r\n`);
    assert.throws(() => parseUpload(parts, 'x'), { code: 'UNSUPPORTED_FIELD' });
  });
});
