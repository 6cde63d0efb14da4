import { platformPermissions } from '@kontor/contract';
import { noOrganization } from '../../../src/auth/caller.ts';
import { storeToken } from '../../../src/auth/platform-tokens.ts';
import { callOf, operator, Writes } from '../../../src/write/writes.ts';
import type { Sql } from '../database/sql.ts';
import { testPepper } from './test-data.ts';

/** A token of the platform with all permissions, for all organizations and an hour, or as in `more`. */
export async function testToken(
  sql: Sql,
  more: { organizations?: readonly string[]; permissions?: readonly string[]; expiresAt?: Date } = {},
): Promise<string> {
  const token = {
    name: 'back office',
    organizations: 'all' as const,
    permissions: Object.keys(platformPermissions),
    expiresAt: new Date(Date.now() + 3_600_000),
    ...more,
  };
  return (
    await new Writes(sql).runWithoutClock(callOf(noOrganization, operator), write =>
      storeToken(write, testPepper, token),
    )
  ).token;
}
