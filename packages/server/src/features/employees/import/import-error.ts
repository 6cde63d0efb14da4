/** The file as a whole cannot be imported. The message is one line for the operator: what is wrong, where, what to do. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}
