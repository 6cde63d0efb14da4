import Type, { type Static } from 'typebox';
import { NamedObject, nullable } from '../../schema.ts';

/** A hundred years. */
const daysMaximum = 36_500;

export const AuditRetention = NamedObject(
  'AuditRetention',
  'For how long the audit of an organization is kept',
  {
    days: nullable(
      Type.Integer({
        minimum: 1,
        maximum: daysMaximum,
        description: 'Days for which audit entries are kept. Null: they are never removed',
        examples: [400],
      }),
    ),
  },
);
export type AuditRetention = Static<typeof AuditRetention>;
