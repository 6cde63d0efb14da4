import type pg from 'pg';

/* How a Citus coordinator reports the loss of a node. The names are C functions of Citus, so they are the same in every server language. */

/** These functions report a node's failure (remote_commands.c). */
const nodeReporters = new Set(['ReportConnectionError', 'ReportResultError']);

/** Whether a connection error concerns the coordinator's connection to a node, not ours to the coordinator. */
export function isNodeConnection({ severity, routine = '' }: pg.DatabaseError): boolean {
  // An error of severity ERROR does not end our session. Servers in another language translate the severity; our connection then counts as
  // lost, which only costs a new one.
  return severity === 'ERROR' || nodeReporters.has(routine);
}

/** Whether a node was lost during its commit (placement_connection.c). The SQLSTATE of this error has no meaning. */
export function isLostInCommit({ routine }: pg.DatabaseError): boolean {
  return routine === 'ErrorIfPostCommitFailedShardPlacements';
}

/** Whether a node rejected rows that the coordinator copies to it, for example for INSERT … SELECT. */
export function isCopyReport({ routine }: pg.DatabaseError): boolean {
  return routine === 'ReportCopyError';
}

/** The constraint in a node's message: the last name that ends in a shard number. */
export function constraintOfNode({ message }: pg.DatabaseError): string | undefined {
  return [...message.matchAll(/(\w+)_\d+\b/g)].at(-1)?.[1];
}

/** Whether this function warns that a node may not have committed. */
export function isCommitWarning(routine: string): boolean {
  return nodeReporters.has(routine) || routine === 'FinishRemoteTransactionCommit';
}
