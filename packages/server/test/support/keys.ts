import { parseKey } from '../../src/features/keys/rules.ts';
import { updateStatus } from '../../src/features/keys/store.ts';
import type { Sql } from './sql.ts';

/** Deactivates the key of this text, as the command does. */
export async function deactivateKey(sql: Sql, organizationId: string, text: string): Promise<void> {
  const { id } = parseKey(text)!;
  await sql.begin(transaction =>
    updateStatus(transaction, { organizationId, id }, { status: 'inactive', action: 'deactivate' }),
  );
}
