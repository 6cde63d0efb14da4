/**
 * The organization clock (decisions.md section 3, loss-free polling): the database's time in milliseconds, but always
 * later than the instant before. Its row is locked until the commit, which puts commits of one organization in order.
 */
export const nextInstant = `greatest(date_trunc('milliseconds', clock_timestamp()), clock + interval '1 millisecond')`;

/** SQL of an instant as the documents carry it: `2026-09-02T08:15:30.123Z`. */
function instantText(instant: string): string {
  return `to_char(${instant} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL that completes a document: its head, then the two timestamps and the closing brace. */
export function stampedDocument(head: string, createdAt: string, updatedAt: string): string {
  return `${head} || '"createdAt":"' || ${instantText(createdAt)} || '","updatedAt":"' || ${instantText(updatedAt)} || '"}'`;
}
