import Type, { type Static } from 'typebox';
import { fieldsOf } from './fields.ts';
import { listOf } from './list.ts';
import { idParameter, list, publicOperation, read, write } from './operation.ts';
import { portalOperation } from './portal-operation.ts';
import {
  ClosedObject,
  Count,
  Id,
  InstantInput,
  KeyId,
  Name,
  NamedObject,
  nullable,
  optionals,
  PatchBody,
  Text,
  timestamps,
} from './schema.ts';

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

export const listDivisions = publicOperation({
  ...list,
  path: '/divisions',
  tag: 'Divisions',
  summary: 'List divisions',
  description:
    'Lists the divisions in the scope of the key: granted ones and all below them, not those above them.',
  success: { status: 200, description: 'A page of divisions', body: DivisionList },
  fields: divisionFields,
});

export const createDivision = publicOperation({
  ...write,
  path: '/divisions',
  tag: 'Divisions',
  summary: 'Create a division',
  description:
    'Creates a division in the tenant of `parentId`, else of `X-Tenant-ID`, else in the only tenant in scope. A key that does not cover the whole tenant must send a `parentId` in its scope. A tree is at most 20 levels deep.',
  body: DivisionCreate,
  success: { status: 201, description: 'The division was created', body: Division },
  errors: [
    'VALIDATION_ERROR',
    'INVALID_REFERENCE_ID',
    'TENANT_CONTEXT_AMBIGUOUS',
    'INVALID_REFERENCE',
    'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL',
  ],
});

export const getDivision = publicOperation({
  ...read,
  path: '/divisions/{id}',
  tag: 'Divisions',
  summary: 'Get a division',
  description: 'Reads one division in the scope of the key.',
  parameters: idParameter('Identifier of the division'),
  success: { status: 200, description: 'The division', body: Division },
});

export const updateDivision = publicOperation({
  ...write,
  method: 'PATCH',
  path: '/divisions/{id}',
  tag: 'Divisions',
  summary: 'Update a division',
  description:
    'Merges the body into the division: absent properties stay, null clears. `parentId` moves it with all below it inside its tenant. Keys of single divisions gain or lose access at once. A tree is at most 20 levels deep.',
  parameters: idParameter('Identifier of the division'),
  body: DivisionPatch,
  success: { status: 200, description: 'The division after the update', body: Division },
  errors: [
    'VALIDATION_ERROR',
    'INVALID_REFERENCE',
    'DIVISION_CYCLE',
    'DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL',
  ],
});

const { costCenter } = Division.properties;
const shownName = Name('Name, unique among siblings ignoring case', 'Vertrieb Nord');

/** A new division as users make it. Names from `/v1` may have any character. */
export const PortalDivisionCreate = NamedObject('DivisionCreate', 'A new division', {
  ...DivisionCreate.properties,
  name: shownName,
});

const expectedUpdatedAt = InstantInput();

export const DivisionUpdate = ClosedObject({
  expectedUpdatedAt,
  ...optionals({ name: shownName, costCenter }),
});
export type DivisionUpdate = Static<typeof DivisionUpdate>;

export const DivisionMoveInput = ClosedObject({
  expectedUpdatedAt,
  parentId: nullable(Id()),
  after: Type.Optional(nullable(Id())),
});
export type DivisionMoveInput = Static<typeof DivisionMoveInput>;

/** Most keys that the effect of a move names. */
export const namedKeysMaximum = 20;

const AffectedKeys = ClosedObject({
  total: Count(),
  items: Type.Array(
    ClosedObject({
      id: KeyId(),
      name: Text(),
    }),
    { maxItems: namedKeysMaximum },
  ),
});
export type AffectedKeys = Static<typeof AffectedKeys>;

export const DivisionMove = ClosedObject({
  division: Division,
  divisions: Count(),
  employees: Count(),
  /** Keys that gain or lose access to the division and all below it. */
  gaining: AffectedKeys,
  losing: AffectedKeys,
});
export type DivisionMove = Static<typeof DivisionMove>;

const ofAdmin = { permission: 'COMPANY_ADMIN' } as const;

export const listPortalDivisions = portalOperation({
  ...list,
  path: '/divisions',
  tag: 'Divisions',
  success: { status: 200, body: DivisionList },
  fields: divisionFields,
});

export const createPortalDivision = portalOperation({
  ...createDivision,
  ...ofAdmin,
  selectsTenant: true,
  body: PortalDivisionCreate,
});

export const updatePortalDivision = portalOperation({
  ...updateDivision,
  ...ofAdmin,
  body: DivisionUpdate,
  errors: ['DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL', 'INVALID_STATE_TRANSITION'],
});

export const movePortalDivision = portalOperation({
  ...write,
  ...ofAdmin,
  path: '/divisions/{id}/move',
  tag: 'Divisions',
  needsFreshSignIn: true,
  parameters: updateDivision.parameters,
  body: DivisionMoveInput,
  success: { status: 200, body: DivisionMove },
  errors: [...updateDivision.errors, 'INVALID_STATE_TRANSITION'],
});
