/** The database cannot be used now: it is away, the connection was lost, or a time is over. Answered with 503. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = 'DatabaseUnavailable';
}

/** No session could be had: the server is away or busy, or it is not one that may be used. Nothing was sent. */
export class NoSession extends DatabaseUnavailable {
  override readonly name = 'NoSession';
}

/** The connection broke while statements were under way: whether they were run is not known. */
export class ConnectionLost extends DatabaseUnavailable {
  override readonly name: string = 'ConnectionLost';
}

/** A statement got no reply in time, and its connection was given up: whether it was run is not known. */
export class StatementOverdue extends ConnectionLost {
  override readonly name = 'StatementOverdue';
}

/**
 * A commit that the server has made, but that no standby has confirmed, or not the node of its cluster that has the rows: it
 * may be lost. PostgreSQL reports it as a success with a warning (its documentation, 27.2.8), and so does Citus.
 */
export class UnconfirmedCommit extends DatabaseUnavailable {
  override readonly name = 'UnconfirmedCommit';
}
