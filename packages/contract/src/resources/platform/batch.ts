import Type, { type Static, type TObject } from 'typebox';
import { Id, nullable, orNull, Values } from '../../schema.ts';

export const batchMaximum = 1000;

/** The body of a batch. Each line equals the body of a single request. */
export function batchOf<Line extends TObject>(line: Line, name: string, description: string) {
  return Type.Object(
    { items: Type.Array(line, { minItems: 1, maxItems: batchMaximum, description: 'One line for each' }) },
    { $id: name, additionalProperties: false, description },
  );
}

export const batchLineCodes = [
  'VALIDATION_ERROR',
  'UNSUPPORTED_FIELD',
  'INVALID_REFERENCE_ID',
  'INVALID_REFERENCE',
  'DUPLICATE_RESOURCE',
] as const;

const BatchLineError = Type.Object(
  {
    code: Values('BatchLineErrorCode', batchLineCodes, 'The code of a refused line'),
    message: Type.String({ minLength: 1, description: 'What to do, for a person; not for programs to read' }),
    requestId: Type.String({ description: 'The request identifier of the batch' }),
  },
  { $id: 'BatchLineError', additionalProperties: false, description: 'Why a line was refused' },
);

const BatchLineOutcome = Type.Object(
  {
    index: Type.Integer({
      minimum: 0,
      description: 'Place of the line in `items`, counted from zero',
      examples: [0],
    }),
    status: Type.Integer({
      minimum: 200,
      maximum: 499,
      description: 'Status that a request by itself would have been answered with',
      examples: [201],
    }),
    id: nullable(Id('Identifier of the resource; null where the line was refused')),
    error: orNull(BatchLineError, 'Why the line was refused; null where it was not'),
  },
  { $id: 'BatchLineOutcome', additionalProperties: false, description: 'What became of a line' },
);
export type BatchLineOutcome = Static<typeof BatchLineOutcome>;

export const BatchOutcome = Type.Object(
  {
    items: Type.Array(BatchLineOutcome, {
      maxItems: batchMaximum,
      description: 'What became of each line, in the order of the request',
    }),
  },
  { $id: 'BatchOutcome', additionalProperties: false, description: 'What became of a batch' },
);
