import { write } from '../../operation.ts';
import { Incident } from '../../resources/public/incident.ts';
import { ofOrganization, type PlatformOperation } from './operation.ts';

const path = '/organizations/{organizationId}/incidents/{id}';

const transition = {
  ...write,
  tag: 'Incident transitions',
  permission: 'transitions:write',
  parameters: ofOrganization('Identifier of the incident'),
  errors: ['INVALID_STATE_TRANSITION'],
} as const;

const success = <const Text extends string>(description: Text) =>
  ({ status: 200, description, body: Incident }) as const;

export const incidentTransitionOperations = {
  startIncident: {
    ...transition,
    path: `${path}/processing`,
    summary: 'Take an incident into progress',
    description:
      'Takes an incident that is `completed` to `in_progress`. It is not editable from then on. A `draft` lacks something that is required.',
    success: success('The incident, which is in progress'),
  },
  resolveIncident: {
    ...transition,
    path: `${path}/resolution`,
    summary: 'Resolve an incident',
    description: 'Takes an incident that is `in_progress` to `resolved`.',
    success: success('The incident, which is resolved'),
  },
  rejectIncident: {
    ...transition,
    path: `${path}/rejection`,
    summary: 'Reject an incident',
    description: 'Takes an incident that is `in_progress` to `rejected`.',
    success: success('The incident, which is rejected'),
  },
  cancelIncident: {
    ...transition,
    path: `${path}/cancellation`,
    summary: 'Cancel an incident',
    description:
      'Takes an incident that is `draft` or `completed` to `cancelled`. It is not editable from then on; one in progress is resolved or rejected instead.',
    success: success('The incident, which is cancelled'),
  },
} as const satisfies Record<string, PlatformOperation>;
