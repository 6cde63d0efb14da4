import Type, { type Static, type TObject } from 'typebox';
import { Count, Id, Integer, NamedObject, nullable, orNull, Values } from './schema.ts';

export const batchMaximum = 1000;

/** The body of a batch. Each line equals the body of a single request. */
export function batchOf<Line extends TObject>(line: Line, name: string, description: string) {
  return NamedObject(name, description, {
    items: Type.Array(line, { minItems: 1, maxItems: batchMaximum, description: 'The items' }),
  });
}

const BatchLineError = NamedObject('BatchLineError', 'Why an item was rejected', {
  code: Values(
    'BatchLineErrorCode',
    [
      'VALIDATION_ERROR',
      'UNSUPPORTED_FIELD',
      'INVALID_REFERENCE_ID',
      'INVALID_REFERENCE',
      'DUPLICATE_RESOURCE',
    ],
    'The code of a rejected item',
  ),
  message: Type.String({ minLength: 1, description: 'What to do, in words; programs must not parse it' }),
  requestId: Type.String({ description: 'The request identifier of the batch' }),
});

const BatchLineOutcome = NamedObject('BatchLineOutcome', 'Outcome of an item', {
  index: Count('Index of the item in `items`, from zero', 0),
  status: Integer('Status of the equal single request', 201, {
    minimum: 200,
    maximum: 499,
  }),
  id: nullable(Id('Identifier of the resource; null if the item was rejected')),
  error: orNull(BatchLineError, 'Why the item was rejected; null if it was not'),
});
export type BatchLineOutcome = Static<typeof BatchLineOutcome>;

export const BatchOutcome = NamedObject('BatchOutcome', 'Outcome of a batch', {
  items: Type.Array(BatchLineOutcome, {
    maxItems: batchMaximum,
    description: 'Outcome of each item, in the order of the request',
  }),
});
