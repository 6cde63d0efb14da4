import type { Execute } from '../collection/table.ts';
import type { Sql } from './connect.ts';

/** Runs the statements of a collection; values come as the bytes of their text, since documents go to the wire as they are. */
export function execute(sql: Sql): Execute {
  return ({ text, values, prepare }) => sql.unsafe(text, values as never[], { prepare }).raw();
}
