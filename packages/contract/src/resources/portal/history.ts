import Type, { type Static } from 'typebox';
import { Id, Instant, NamedObject, Text, Values } from '../../schema.ts';
import { auditActorTypes } from '../platform/audit.ts';

export const ResourceChange = NamedObject('ResourceChange', 'A change of an order or incident', {
  id: Id('Identifier of the audit entry'),
  at: Instant('When it happened'),
  action: Text('What was done', 'order.decide'),
  actorType: Values('AuditActorType', auditActorTypes, 'Kind of the actor'),
  actorName: Text('Name of the actor at that instant', 'Petra Lang'),
});
export type ResourceChange = Static<typeof ResourceChange>;

/** The history that details of a resource have. */
export const ResourceChanges = Type.Array(ResourceChange, {
  description: 'The latest 50 changes in the audit, newest first',
});
