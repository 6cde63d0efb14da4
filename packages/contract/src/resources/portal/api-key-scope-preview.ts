import Type, { type Static } from 'typebox';
import { ApiKeyCreate } from '../platform/api-key.ts';

const { wholeOrganization, grants } = ApiKeyCreate.properties;

export const ApiKeyScopePreviewRequest = Type.Object(
  { wholeOrganization, grants },
  {
    $id: 'ApiKeyScopePreviewRequest',
    additionalProperties: false,
    description: 'The scope of a key that does not exist yet, as a create would have it',
  },
);

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

export const ApiKeyScopePreview = Type.Object(
  {
    tenants: count('Tenants of which it sees something', 2),
    divisions: count('Divisions, those below the granted ones among them', 48),
    employees: count('Employees, blocked ones too', 1250),
    orders: count('Orders of these employees, in any state', 310),
  },
  { $id: 'ApiKeyScopePreview', additionalProperties: false, description: 'How much an API key would see' },
);
export type ApiKeyScopePreview = Static<typeof ApiKeyScopePreview>;
