import type { Static } from 'typebox';
import { ApiKeyCreate } from '../platform/api-key.ts';
import { Count, NamedObject } from '../../schema.ts';

const { wholeOrganization, grants } = ApiKeyCreate.properties;

export const ApiKeyScopePreviewRequest = NamedObject(
  'ApiKeyScopePreviewRequest',
  'The scope of a key that does not exist yet, as a create would have it',
  { wholeOrganization, grants },
);

export const ApiKeyScopePreview = NamedObject('ApiKeyScopePreview', 'How much an API key would see', {
  tenants: Count('Tenants of which it sees something', 2),
  divisions: Count('Divisions, those below the granted ones among them', 48),
  employees: Count('Employees, blocked ones too', 1250),
  orders: Count('Orders of these employees, in any state', 310),
});
export type ApiKeyScopePreview = Static<typeof ApiKeyScopePreview>;
