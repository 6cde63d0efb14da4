import Type, { type Static } from 'typebox';
import { ApiKeyCreate } from '../platform/api-key.ts';
import { NamedObject } from '../../schema.ts';

const { wholeOrganization, grants } = ApiKeyCreate.properties;

export const ApiKeyScopePreviewRequest = NamedObject(
  'ApiKeyScopePreviewRequest',
  'The scope of a key that does not exist yet, as a create would have it',
  { wholeOrganization, grants },
);

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const ApiKeyScopePreview = NamedObject('ApiKeyScopePreview', 'How much an API key would see', {
  tenants: count('Tenants of which it sees something', 2),
  divisions: count('Divisions, those below the granted ones among them', 48),
  employees: count('Employees, blocked ones too', 1250),
  orders: count('Orders of these employees, in any state', 310),
});
export type ApiKeyScopePreview = Static<typeof ApiKeyScopePreview>;
