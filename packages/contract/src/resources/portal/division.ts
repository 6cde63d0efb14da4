import Type, { type Static } from 'typebox';
import {
  Count,
  Id,
  InstantInput,
  KeyId,
  Name,
  NamedObject,
  nullable,
  optionals,
  Text,
} from '../../schema.ts';
import { Division, DivisionCreate } from '../public/division.ts';

const { costCenter } = Division.properties;
const name = Name('Name, unique among siblings ignoring case', 'Vertrieb Nord');

/** A new division as users make it. Names from `/v1` may have any character. */
export const PortalDivisionCreate = NamedObject('DivisionCreate', 'A new division', {
  ...DivisionCreate.properties,
  name,
});

const expectedUpdatedAt = InstantInput(
  '`updatedAt` of the division as the user has read it. The change is rejected if another one came between',
  '2026-09-02T08:15:30.123Z',
);

export const DivisionUpdate = NamedObject(
  'DivisionUpdate',
  'A merge into the division that the user has read: absent properties stay, null clears',
  { expectedUpdatedAt, ...optionals({ name, costCenter }) },
);
export type DivisionUpdate = Static<typeof DivisionUpdate>;

export const DivisionMoveInput = NamedObject('DivisionMoveInput', 'The new place of a division', {
  expectedUpdatedAt,
  parentId: nullable(Id('Division above it, in the same tenant; null for the top level')),
  after: Type.Optional(
    nullable(Id('Sibling that it then follows; null: it is the first. Absent: it is the last')),
  ),
});
export type DivisionMoveInput = Static<typeof DivisionMoveInput>;

/** Most keys that the effect of a move names. */
export const namedKeysMaximum = 20;

const AffectedKeys = NamedObject('AffectedKeys', 'Active API keys', {
  total: Count('How many there are', 1),
  items: Type.Array(
    NamedObject('AffectedKey', 'An active API key', {
      id: KeyId('The key'),
      name: Text('Its name', 'Payroll of Muster GmbH'),
    }),
    { maxItems: namedKeysMaximum, description: `The first ${namedKeysMaximum} by name` },
  ),
});
export type AffectedKeys = Static<typeof AffectedKeys>;

export const DivisionMove = NamedObject('DivisionMove', 'A division after a move, and what moved with it', {
  division: Division,
  divisions: Count('Divisions that move, those below it among them', 3),
  employees: Count('Employees of these divisions', 24),
  /** Keys that gain or lose access to the division and all below it. */
  gaining: AffectedKeys,
  losing: AffectedKeys,
});
export type DivisionMove = Static<typeof DivisionMove>;
