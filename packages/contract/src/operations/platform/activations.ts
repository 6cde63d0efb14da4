import { read, write } from '../../operation.ts';
import { Activation, ActivationBatch } from '../../resources/platform/activation.ts';
import { BatchOutcome } from '../../resources/platform/batch.ts';
import { inOrganization, ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/employees/{id}/activation';
const parameters = ofOrganization('Identifier of the employee');

export const activationOperations = {
  getEmployeeActivation: {
    ...read,
    path,
    tag: 'Activations',
    summary: 'Get the activation of an employee',
    description: 'Reads whether an employee has completed activation.',
    permission: 'activations:read',
    parameters,
    success: { status: 200, description: 'The activation', body: Activation },
  },
  activateEmployee: {
    ...write,
    path,
    tag: 'Activations',
    summary: 'Activate an employee',
    description:
      'Completes the activation of an employee, who can report incidents and have orders approved from then on. One who is activated stays so, since when it was.',
    permission: 'activations:write',
    parameters,
    success: { status: 200, description: 'The activation, which is complete', body: Activation },
  },
  activateEmployeeBatch: {
    ...write,
    path: '/organizations/{organizationId}/activation-batches',
    tag: 'Activations',
    summary: 'Activate employees',
    description:
      'Completes the activation of up to 1,000 employees at once. Each line has an outcome of its own, in order: 200 with the identifier of the employee, also where she was activated before, or the error that it was refused with. The same batch can be sent again.',
    permission: 'activations:write',
    parameters: inOrganization,
    body: ActivationBatch,
    batch: true,
    success: { status: 200, description: 'What became of each line', body: BatchOutcome },
  },
} as const satisfies Record<string, PlatformOperation>;
