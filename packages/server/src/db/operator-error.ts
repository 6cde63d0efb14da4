/** An error whose message is one line for the operator: what is wrong and what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** What the operating system says, in the operator's words; anything else stays what it is. */
export function fileError(error: unknown, what: string): unknown {
  const reason = reasons.get((error as NodeJS.ErrnoException | null)?.code ?? '');
  return reason === undefined ? error : new OperatorError(`${what}: ${reason}`, { cause: error });
}

const reasons = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['ENOTDIR', 'a file is in the way'],
  ['EEXIST', 'a file is in the way'],
]);
