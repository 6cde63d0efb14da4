/** The message is one line for the operator: what is wrong and what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
