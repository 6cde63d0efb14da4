import { none, type Operation } from '../operation.ts';
import { Health } from '../resources/health.ts';

export const healthOperations = {
  getHealth: {
    method: 'GET',
    path: '/health',
    tag: 'Health',
    summary: 'Check availability',
    description: 'Answers without a key.',
    authenticated: false,
    parameters: none,
    query: none,
    success: { status: 200, description: 'The service is available', body: Health },
    errors: ['SERVICE_UNAVAILABLE'],
  },
} as const satisfies Record<string, Operation>;
