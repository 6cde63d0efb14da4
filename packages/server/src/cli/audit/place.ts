import { noOrganization } from '../../auth/caller.ts';
import type { Pool } from '../../db/connect.ts';
import { organizationExists } from '../../features/organizations/store.ts';
import { CommandError, type CommandOption, parseId } from '../command.ts';

/** Whose audit a command is about. */
export const placeOptions: readonly CommandOption[] = [
  { flags: '--organization <id>', description: 'The organization', parse: parseId },
  { flags: '--platform', description: 'What belongs to no organization' },
];

/**
 * The organization that the options name; the one of what belongs to none for `--platform`.
 * @throws CommandError when they name neither or both, or one that does not exist.
 */
export async function placeOf(
  db: Pool,
  { organization, platform }: Readonly<Record<string, unknown>>,
): Promise<string> {
  if ((organization === undefined) === (platform !== true))
    throw new CommandError('say whose: either --organization, or --platform');
  if (organization === undefined) return noOrganization;
  if (!(await organizationExists(db, organization as string)))
    throw new CommandError(`there is no organization ${organization as string}`);
  return organization as string;
}
