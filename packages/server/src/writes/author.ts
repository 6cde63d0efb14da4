/** Who writes, as the audit keeps it. */
export interface Author {
  /** The identifier of the API key, or 'operator' for the kontor command. */
  readonly actor: string;
  /** Null for an operator's command. */
  readonly requestId: string | null;
}

/** Whoever runs the kontor command. */
export const operator: Author = { actor: 'operator', requestId: null };
