import type { AuditActorType } from '@kontor/contract';

/** Who does something. */
export interface Actor {
  readonly type: AuditActorType;
  readonly id: string;
  /** As it is called now. */
  readonly name: string;
}

/** Who writes, as the audit keeps it. */
export interface Author {
  readonly actor: Actor;
  /** Null for an operator's command, and for the service itself. */
  readonly requestId: string | null;
  /** Of the connection that the request came on; null for an operator's command, and for the service itself. */
  readonly address: string | null;
}

/** Whoever runs the kontor command. */
export const operator: Author = {
  actor: { type: 'operator', id: 'operator', name: 'operator' },
  requestId: null,
  address: null,
};

/** The service itself, where nobody has asked it for what it does. */
export const system: Author = {
  actor: { type: 'system', id: 'system', name: 'system' },
  requestId: null,
  address: null,
};
