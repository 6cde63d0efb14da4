import { NamedObject, Text, Values } from '../schema.ts';

/** The version of the contract (specification.md 8). */
export const contractVersion = '1.0.0';

export const Health = NamedObject('Health', 'The service is available', {
  status: Values('HealthStatus', ['ok'], 'The service answers'),
  version: Text('Version of the contract', contractVersion),
});
