import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiError, batchMaximum } from '@kontor/contract';
import fc from 'fast-check';
import Type from 'typebox';
import { compileBatch, cutItems } from '../../src/http/request/batch.ts';

const line = Type.Object({ name: Type.String() }, { additionalProperties: false });
const readBatch = compileBatch(Type.Object({ items: Type.Array(line) }));

const read = (text: string) => readBatch(Buffer.from(text));

describe('a batch', () => {
  test('of any JSON is cut into the elements of items, however it is written', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), fc.nat(3), (items, indent) => {
        const text = JSON.stringify({ items }, null, indent);
        const cut = cutItems(Buffer.from(text));
        assert.deepEqual(
          cut.items.map(item => JSON.parse(item.toString()) as unknown),
          JSON.parse(text).items,
        );
        assert.deepEqual(JSON.parse(cut.frame.toString()), { items: items.map(() => 0) });
      }),
    );
  });

  test('that is no JSON stays so in the frame or in an element', () => {
    const text = JSON.stringify({ items: [{ a: 'x,]}"' }, [1, { b: null }], 2] });
    const broken = fc.record({
      at: fc.nat(text.length),
      with: fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', '7'),
    });
    const parses = (part: string | Buffer) => {
      try {
        JSON.parse(part.toString());
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(broken, ({ at, with: chunk }) => {
        const other = text.slice(0, at) + chunk + text.slice(at + 1);
        const { frame, items } = cutItems(Buffer.from(other));
        assert.equal(parses(other), [frame, ...items].every(parses), other);
      }),
      { numRuns: 1000 },
    );
  });

  test('reports the kind of each line, or why it is rejected', async () => {
    const { items } = await read('\ufeff {"items" : [{"name":"a"}, {"name":1}, {"other":"c"}] } ');
    assert.deepEqual(
      items.map(item => ('value' in item ? item.value : item.rejection.code)),
      [{ name: 'a' }, 'VALIDATION_ERROR', 'UNSUPPORTED_FIELD'],
    );
  });

  const rejections: Record<string, [text: string, message: RegExp]> = {
    'with a name that is escaped': ['{"it\\u0065ms":[{"name":"a"}]}', /without escape sequences/],
    'with another property': ['{"items":[{}],"more":1}', /Not accepted here: "more"/],
    'in another object': ['{"batch":{"items":[{}]}}', /Not accepted here: "batch"/],
    'of a list': ['[{"items":[]}]', /must be a JSON object/],
    'of a text': ['"items"', /must be a JSON object/],
    'of nothing': ['', /The body is empty/],
    'with a line that has half of a pair': ['{"items":[{"name":"\\ud83d"}]}', /^items\[0\]: .*surrogate/],
  };
  for (const [name, [text, message]] of Object.entries(rejections))
    test(`${name} is rejected as a whole`, async () => {
      await assert.rejects(
        read(text),
        (error: ApiError) => error.status === 400 && message.test(error.message),
      );
    });

  test('of as many elements as fit into 5 MiB is rejected before they are split', async () => {
    const text = `{"items":[${'0,'.repeat(2_500_000)}0]}`;
    await assert.rejects(read(text), /at most 1,000/);
    assert.equal(
      cutItems(Buffer.from(`{"items":[${'0,'.repeat(batchMaximum - 1)}0]}`)).items.length,
      batchMaximum,
    );
  });

  test('lets the event loop go on after each 5 ms of its check, however fast the machine is', async t => {
    // A slice that an earlier test has begun is over then.
    await new Promise(setImmediate);
    let now = 0;
    t.mock.method(performance, 'now', () => now++);
    let writes = 0;
    const count = () => {
      writes++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    await read(JSON.stringify({ items: Array.from({ length: 1000 }, () => ({ name: 'a' })) }));
    clearImmediate(timer);
    // The clock is read when a slice begins and before each line: five lines are checked in each turn of the event loop.
    assert.equal(writes, 1000 / 5);
  });
});
