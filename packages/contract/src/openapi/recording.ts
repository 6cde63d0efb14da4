/** Requests and responses of a running service, recorded by `npm run examples`. */
export interface Recorded {
  /** By operation id. */
  readonly operations: Readonly<Record<string, RecordedOperation>>;
  /** Error bodies by code, with the status appended unless it is the code's default (`VALIDATION_ERROR_422`). */
  readonly errors: Readonly<Record<string, unknown>>;
  /**
   * Error bodies with messages specific to an operation or a kind of operations, by that and the name (`decideOrder NOT_FOUND`,
   * `upload VALIDATION_ERROR`).
   */
  readonly ownErrors: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | number>>;
}

export interface RecordedOperation {
  readonly path: Readonly<Record<string, string>>;
  readonly request?: unknown;
  /** The JSON response bodies by status. */
  readonly answers: Readonly<Record<number, unknown>>;
}
