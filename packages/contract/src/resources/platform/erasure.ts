import Type, { type Static } from 'typebox';
import { Count, Day, Flag, Id, Instant, NamedObject, nullable } from '../../schema.ts';

export const Erasure = NamedObject(
  'Erasure',
  'Whether and from when the data of an employee can be erased, and what that takes away',
  {
    employeeId: Id('Employee'),
    erasedAt: nullable(Instant('When the data were erased, the last time; null: never')),
    possible: Flag('Whether they can be erased now; again, where something was written since', false),
    possibleFrom: nullable(
      Day(
        'First day (UTC) on which they can be erased; null when that is now, and while nobody can tell',
        '2031-01-01',
      ),
    ),
    reasons: Type.Array(Type.String({ examples: ['order A-2026-000123 is active'] }), {
      description: 'What keeps the data now, in words; empty: nothing',
    }),
    orders: Count('Orders of the employee, which stay without texts and files', 2),
    incidents: Count('Incidents of the employee, which stay without texts, days and files', 1),
    files: Count('Files of these, which go', 3),
  },
);
export type Erasure = Static<typeof Erasure>;
