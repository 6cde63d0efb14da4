import { none, WriteQuery } from '../../operation.ts';
import { Activation, ActivationBatch } from '../../resources/platform/activation.ts';
import { BatchOutcome } from '../../resources/platform/batch.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/employees/{id}/activation';
const parameters = ofOrganization('Identifier of the employee');

export const activationOperations = {
  getEmployeeActivation: {
    method: 'GET',
    path,
    tag: 'Activations',
    summary: 'Get the activation of an employee',
    description: 'Reads whether an employee has completed activation.',
    authenticated: true,
    permission: 'activations:read',
    parameters,
    query: none,
    success: { status: 200, description: 'The activation', body: Activation },
    errors: [],
  },
  activateEmployee: {
    method: 'POST',
    path,
    tag: 'Activations',
    summary: 'Activate an employee',
    description:
      'Completes the activation of an employee, who can report incidents and have orders approved from then on. One who is activated stays so, since when it was.',
    authenticated: true,
    permission: 'activations:write',
    parameters,
    query: WriteQuery,
    success: { status: 200, description: 'The activation, which is complete', body: Activation },
    errors: [],
  },
  activateEmployeeBatch: {
    method: 'POST',
    path: '/organizations/{organizationId}/activation-batches',
    tag: 'Activations',
    summary: 'Activate employees',
    description:
      'Completes the activation of up to 1,000 employees at once. Each line has an outcome of its own, in order: 200 with the identifier of the employee, also where she was activated before, or the error that it was refused with. The same batch can be sent again.',
    authenticated: true,
    permission: 'activations:write',
    parameters: inOrganization,
    query: WriteQuery,
    body: ActivationBatch,
    batch: true,
    success: { status: 200, description: 'What became of each line', body: BatchOutcome },
    errors: [],
  },
} as const satisfies Record<string, PlatformOperation>;
