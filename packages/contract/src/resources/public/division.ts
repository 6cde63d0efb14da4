import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../fields.ts';
import { Id, NamedObject, nullable, optionals, PatchBody, Text, timestamps } from '../../schema.ts';
import { listOf } from '../list.ts';

const name = Text('Name, unique among siblings ignoring case', 'Vertrieb Nord', {
  minLength: 1,
  maxLength: 200,
});
const editable = {
  parentId: nullable(Id('Parent division, in the same tenant; null for a root')),
  order: Type.Number({
    format: 'double',
    minimum: -Number.MAX_VALUE,
    maximum: Number.MAX_VALUE,
    description: 'Place among the siblings, any finite number; by default the last sibling plus one',
    examples: [1.5],
  }),
  costCenter: nullable(Text('Cost center', '4711', { minLength: 1, maxLength: 36 })),
};

export const Division = NamedObject('Division', 'A division in the tree of a tenant', {
  id: Id('Unique identifier of the division'),
  tenant: Id('Tenant (company) of the division'),
  name,
  ...editable,
  ...timestamps('division'),
});
export type Division = Static<typeof Division>;

export const DivisionList = listOf(Division, 'DivisionList');

export const DivisionCreate = NamedObject('DivisionCreate', 'A new division', {
  name,
  ...optionals(editable),
});
export type DivisionCreate = Static<typeof DivisionCreate>;

export const DivisionPatch = PatchBody(
  'DivisionPatch',
  'A merge: an absent property is left alone; `parentId: null` makes the division a root',
  { name, ...editable },
);
export type DivisionPatch = Static<typeof DivisionPatch>;

export const divisionFields = fieldsOf(Division);
