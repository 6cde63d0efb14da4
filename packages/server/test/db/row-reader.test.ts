import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Message, RowReader } from '../../src/db/byte-session.ts';

/** Bytes of a message: its code, its length, which counts itself, and its content. */
function message(code: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5, code);
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

function row(values: readonly (Buffer | null)[]): Buffer {
  const cells = values.flatMap(value => [int32(value?.length ?? -1), value ?? Buffer.alloc(0)]);
  const count = Buffer.alloc(2);
  count.writeUInt16BE(values.length);
  return message('D', Buffer.concat([count, ...cells]));
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}

const bytes = fc.uint8Array({ maxLength: 40 }).map(array => Buffer.from(array));
const values = fc.array(fc.option(bytes), { maxLength: 4 });
const tag = fc.stringMatching(/^[A-Z ]{0,20}$/);

/** A message with the expected result of the reader. */
const messages = fc.oneof(
  values.map(given => ({ sent: row(given), read: { name: 'dataRow', fields: given } })),
  tag.map(text => ({
    sent: message('C', Buffer.from(`${text}\0`)),
    read: { name: 'commandComplete', text },
  })),
  fc.constant({ sent: message('2', Buffer.alloc(0)), read: { name: 'bindComplete' } }),
  fc.constant({ sent: message('Z', Buffer.from('I')), read: { name: 'readyForQuery', status: 'I' } }),
);

test('rows and other messages come whole and in order, wherever what arrives is cut, though its buffer is used again', () => {
  fc.assert(
    fc.property(fc.array(messages), fc.infiniteStream(fc.integer({ min: 1, max: 60 })), (all, sizes) => {
      const read: Message[] = [];
      const reader = new RowReader(row => read.push(row));
      const sent = Buffer.concat(all.map(one => one.sent));
      const shared = Buffer.alloc(60);
      for (let at = 0; at < sent.length;) {
        const size = sent.copy(shared, 0, at, at + sizes.next().value!);
        reader.read(shared.subarray(0, size));
        shared.fill(0xff);
        at += size;
      }
      assert.deepEqual(
        read.map(row => Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'length'))),
        all.map(one => one.read),
      );
    }),
  );
});
