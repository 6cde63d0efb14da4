/** Who does something. */
export interface Actor {
  readonly type: 'operator' | 'api_key' | 'platform_token' | 'anonymous';
  readonly id: string;
  /** As it is called now. */
  readonly name: string;
}

/** Who writes, as the audit keeps it. */
export interface Author {
  readonly actor: Actor;
  /** Null for an operator's command. */
  readonly requestId: string | null;
}

/** Whoever runs the kontor command. */
export const operator: Author = {
  actor: { type: 'operator', id: 'operator', name: 'operator' },
  requestId: null,
};
