import type { Static } from 'typebox';
import { Integer, NamedObject, nullable } from '../../schema.ts';

/** A hundred years. */
const daysMaximum = 36_500;

export const AuditRetention = NamedObject(
  'AuditRetention',
  'For how long the audit of an organization is kept',
  {
    days: nullable(
      Integer('Days for which audit entries are kept. Null: they are never removed', 400, {
        minimum: 1,
        maximum: daysMaximum,
      }),
    ),
  },
);
export type AuditRetention = Static<typeof AuditRetention>;
