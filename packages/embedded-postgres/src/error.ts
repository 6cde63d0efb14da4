/** The message is one line for the operator: what is wrong and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
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

/** Explains a file system error to the operator. Returns any other error unchanged. */
export function explainFileError(error: unknown, what: string): unknown {
  const reason = reasons.get((error as NodeJS.ErrnoException | null)?.code ?? '');
  return reason === undefined ? error : new EmbeddedPostgresError(`${what}: ${reason}`, { cause: error });
}
