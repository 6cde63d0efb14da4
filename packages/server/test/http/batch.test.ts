import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiError, batchMaximum } from '@kontor/contract';
import Type from 'typebox';
import { compileBatch } from '../../src/http/request/batch.ts';

const line = Type.Object({ name: Type.String() }, { additionalProperties: false });
const readBatch = compileBatch(Type.Object({ items: Type.Array(line) }));

const read = (text: string) => readBatch(Buffer.from(text));

describe('a batch', () => {
  test('reports the kind of each line, or why it is rejected', async () => {
    const { items } = await read('\ufeff {"items" : [{"name":"a"}, {"name":1}, {"other":"c"}] } ');
    assert.deepEqual(
      items.map(item => ('value' in item ? item.value : item.rejection.code)),
      [{ name: 'a' }, 'VALIDATION_ERROR', 'UNSUPPORTED_FIELD'],
    );
  });

  const rejections: Record<string, [text: string, message: RegExp]> = {
    'with another property': ['{"items":[{}],"more":1}', /"more" cannot be set here/],
    'in another object': ['{"batch":{"items":[{}]}}', /"batch" cannot be set here/],
    'of a list': ['[{"items":[]}]', /must be a JSON object/],
    'of a text': ['"items"', /must be a JSON object/],
    'of nothing': ['', /The body is empty/],
    'with a line that has half of a pair': ['{"items":[{"name":"\\ud83d"}]}', /"name".*surrogate/],
    'with a line that has a name twice': ['{"items":[{},{"name":"a","name":"b"}]}', /"name" twice/],
    'with a line that is not an object': ['{"items":[{},[]]}', /^items\.1 must be an object$/],
    'with invalid JSON in a line': ['{"items":[{"name":"a"},\n{"name" 1}]}', /at line 2, column 9$/],
    'with one line too many': [
      JSON.stringify({ items: Array.from({ length: batchMaximum + 1 }, () => ({})) }),
      /^items must have at most 1000 elements$/,
    ],
  };
  for (const [name, [text, message]] of Object.entries(rejections))
    test(`${name} is rejected as a whole`, async () => {
      await assert.rejects(
        read(text),
        (error: ApiError) => error.status === 400 && message.test(error.message),
      );
    });

  test('of as many elements as fit into 5 MiB is rejected before it is parsed', async () => {
    const text = `{"items":[${'0,'.repeat(2_500_000)}`;
    await assert.rejects(read(text), /more than 300,000 properties and array elements/);
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
