import Type, { type Static } from 'typebox';
import { Id, nullable } from '../../schema.ts';

/** A hundred years. */
const daysMaximum = 36_500;

const days = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: daysMaximum, description, examples: [400] }));

const ownDays = days(
  'Days for which entries about the tenant are kept. Null: as long as those of its organization',
);

export const AuditRetention = Type.Object(
  {
    tenantId: Id('Tenant'),
    days: ownDays,
    organizationDays: days(
      'Days for which entries are kept that belong to no tenant, or to one without days of its own. Null: for ever',
    ),
  },
  {
    $id: 'AuditRetention',
    additionalProperties: false,
    description: 'For how long the audit of a tenant is kept',
  },
);
export type AuditRetention = Static<typeof AuditRetention>;

export const AuditRetentionPatch = Type.Object(
  { days: ownDays },
  { $id: 'AuditRetentionPatch', additionalProperties: false, description: 'What is set for a tenant' },
);
