import { parseKey } from '../../../src/auth/api-keys.ts';
import { updateStatus } from '../../../src/features/keys/store.ts';
import { callOf, operator, Writes } from '../../../src/write/writes.ts';
import type { Sql } from '../database/sql.ts';

/** Deactivates the key of this text, as the command does. */
export async function deactivateKey(sql: Sql, organizationId: string, text: string): Promise<void> {
  const { id } = parseKey(text)!;
  await new Writes(sql).runWithoutClock(callOf(organizationId, operator), write =>
    updateStatus(write, id, { status: 'inactive', action: 'deactivate' }),
  );
}
