/** An error for the person at the terminal: its message is the one line that is printed. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
}
