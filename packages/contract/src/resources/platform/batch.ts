import Type, { type Static, type TObject } from 'typebox';
import { Count, Id, Integer, NamedObject, nullable, orNull, Values } from '../../schema.ts';

export const batchMaximum = 1000;

/** The body of a batch. Each line equals the body of a single request. */
export function batchOf<Line extends TObject>(line: Line, name: string, description: string) {
  return NamedObject(name, description, {
    items: Type.Array(line, { minItems: 1, maxItems: batchMaximum, description: 'One line for each' }),
  });
}

export const batchLineCodes = [
  'VALIDATION_ERROR',
  'UNSUPPORTED_FIELD',
  'INVALID_REFERENCE_ID',
  'INVALID_REFERENCE',
  'DUPLICATE_RESOURCE',
] as const;

const BatchLineError = NamedObject('BatchLineError', 'Why a line was refused', {
  code: Values('BatchLineErrorCode', batchLineCodes, 'The code of a refused line'),
  message: Type.String({ minLength: 1, description: 'What to do, for people; programs must not parse it' }),
  requestId: Type.String({ description: 'The request identifier of the batch' }),
});

const BatchLineOutcome = NamedObject('BatchLineOutcome', 'Outcome of a line', {
  index: Count('Place of the line in `items`, counted from zero', 0),
  status: Integer('Status of the equal single request', 201, {
    minimum: 200,
    maximum: 499,
  }),
  id: nullable(Id('Identifier of the resource; null where the line was refused')),
  error: orNull(BatchLineError, 'Why the line was refused; null where it was not'),
});
export type BatchLineOutcome = Static<typeof BatchLineOutcome>;

export const BatchOutcome = NamedObject('BatchOutcome', 'Outcome of a batch', {
  items: Type.Array(BatchLineOutcome, {
    maxItems: batchMaximum,
    description: 'Outcome of each line, in the order of the request',
  }),
});
