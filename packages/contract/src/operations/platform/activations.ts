import { none, WriteQuery } from '../../operation.ts';
import { Activation } from '../../resources/platform/activation.ts';
import { ofOrganization, type PlatformOperation } from './operation.ts';

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
} as const satisfies Record<string, PlatformOperation>;
