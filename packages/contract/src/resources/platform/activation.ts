import Type, { type Static } from 'typebox';
import { Id, Instant, nullable } from '../../schema.ts';
import { batchOf } from './batch.ts';

export const Activation = Type.Object(
  {
    employeeId: Id('Employee'),
    activated: Type.Boolean({
      description: 'Whether the employee has completed activation',
      examples: [true],
    }),
    activatedAt: nullable(Instant('When that was; null: not yet')),
  },
  { $id: 'Activation', additionalProperties: false, description: 'The activation of an employee' },
);
export type Activation = Static<typeof Activation>;

const ActivationLine = Type.Object(
  { employeeId: Id('Employee who is to be activated') },
  { $id: 'ActivationLine', additionalProperties: false, description: 'An activation of a batch' },
);

export const ActivationBatch = batchOf(
  ActivationLine,
  'ActivationBatch',
  'Employees who are to be activated',
);
