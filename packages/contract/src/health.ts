import { none, publicOperation } from './operation.ts';
import { NamedObject, Text, Values } from './schema.ts';

/** The version of the contract (specification.md 8). */
export const contractVersion = '1.0.0';

export const Health = NamedObject('Health', 'The service is available', {
  status: Values('HealthStatus', ['ok'], 'The service answers'),
  version: Text('Version of the contract', contractVersion),
});

export const getHealth = publicOperation({
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
});
