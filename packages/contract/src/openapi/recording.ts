/** Requests and responses of a running service, recorded by `npm run examples`. */
export interface Recorded {
  /** By the identifier of the operation. */
  readonly operations: Readonly<Record<string, RecordedOperation>>;
  /** Envelopes by code, with the status behind it where that is not the first of the code (`VALIDATION_ERROR_422`). */
  readonly errors: Readonly<Record<string, unknown>>;
  /**
   * Envelopes that an operation or a kind of operations words in its own way, by that and the name (`decideOrder NOT_FOUND`,
   * `upload VALIDATION_ERROR`).
   */
  readonly ownErrors: Readonly<Record<string, unknown>>;
  /** Headers of answers by name. */
  readonly headers: Readonly<Record<string, string | number>>;
}

export interface RecordedOperation {
  readonly path: Readonly<Record<string, string>>;
  /** The JSON that was sent. */
  readonly request?: unknown;
  /** The JSON that came back, by status. */
  readonly answers: Readonly<Record<number, unknown>>;
}
