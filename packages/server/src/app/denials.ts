import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import { DenialLog } from '../features/audit/denials.ts';
import { organizationsOfKeys, refusalsOfKeys } from '../features/keys/store.ts';
import { refusalsOfTokens } from '../auth/platform-tokens.ts';
import { describeCause } from '../http/log.ts';

/** What brings the denials of a process into the audit. */
export function openDenialLog(
  { reads, writes }: Pick<Database, 'reads' | 'writes'>,
  logger: Logger,
): DenialLog {
  return new DenialLog({
    db: writes,
    standings: {
      organizationsOfKeys: ids => organizationsOfKeys(reads, ids),
      keysAmong: (organizationId, ids) => refusalsOfKeys(reads, organizationId, ids),
      tokensAmong: ids => refusalsOfTokens(reads, ids),
    },
    failed: error =>
      logger.warn({ cause: describeCause(error) }, 'refusals could not be written into the audit yet'),
  });
}
