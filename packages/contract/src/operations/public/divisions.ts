import { idParameter, list, type Operation, read, write } from '../../operation.ts';
import {
  Division,
  DivisionCreate,
  divisionFields,
  DivisionList,
  DivisionPatch,
} from '../../resources/public/division.ts';

export const divisionOperations = {
  listDivisions: {
    ...list,
    path: '/divisions',
    tag: 'Divisions',
    summary: 'List divisions',
    description:
      'Lists the divisions in the scope of the key: granted ones and all below them, not those above them.',
    success: { status: 200, description: 'A page of divisions', body: DivisionList },
    fields: divisionFields,
  },
  createDivision: {
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
  },
  getDivision: {
    ...read,
    path: '/divisions/{id}',
    tag: 'Divisions',
    summary: 'Get a division',
    description: 'Reads one division in the scope of the key.',
    parameters: idParameter('Identifier of the division'),
    success: { status: 200, description: 'The division', body: Division },
  },
  updateDivision: {
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
  },
} as const satisfies Record<string, Operation>;
