import type { Pool } from './pool.ts';
import { sql } from './sql.ts';

/** How long the database may take to show that it is there, in milliseconds. */
const timeout = 2000;

/** Whether the database answers. Those who ask at the same time share one question. */
export function databaseProbe(db: Pool): () => Promise<boolean> {
  let asking: Promise<boolean> | null = null;
  return () => {
    asking ??= answers(db).finally(() => (asking = null));
    return asking;
  };
}

async function answers(db: Pool): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, timeout, false);
  const question = db.run(sql`SELECT 1`).then(
    () => true,
    () => false,
  );
  const answer = await Promise.race([question, late]);
  clearTimeout(timer);
  return answer;
}
