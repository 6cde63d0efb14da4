import type { Pool } from '../packages/server/src/db/connect.ts';
import { newId } from '../packages/server/src/db/ids.ts';
import { divisionRow } from '../packages/server/src/features/divisions/mapping.ts';
import { insertDivision } from '../packages/server/src/features/divisions/store.ts';
import { createTenant } from '../packages/server/src/features/organizations/store.ts';
import { runAtClock } from '../packages/server/src/write/run-at-clock.ts';
import { operator } from '../packages/server/src/write/writes.ts';
import { type Place, staff, vacuum } from './seed.ts';

/** Name of the large company. */
export const largeCompany = 'Weltweit AG';

/** Divisions of which each has so many below it: three levels. */
const width = 21;
const batch = 500;

/** Adds a company with many divisions and employees to an organization. */
export async function populateLarge(
  db: Pool,
  organization: string,
  { divisions, employees }: { divisions: number; employees: number },
): Promise<void> {
  const tenant = await createTenant(db, organization, largeCompany);
  const ids = await grow(db, { organization, tenant }, divisions);
  const places: Place[] = [{ tenant, divisions: ids }];
  await staff(db, organization, places, employees);
  await vacuum(db);
}

async function grow(
  db: Pool,
  { organization, tenant }: { organization: string; tenant: string },
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  for (let first = 0; first < count; first += batch)
    await runAtClock(db, organization, operator, write => {
      for (let number = first; number < Math.min(first + batch, count); number++) {
        const above = Math.floor(number / width) - 1;
        const parentId = above < 0 ? null : ids[above]!;
        const name = `Abteilung ${String(number).padStart(5, '0')}`;
        const data = { tenant, name, parentId, order: number, costCenter: null };
        const stamps = { createdAt: write.instant, updatedAt: write.instant };
        insertDivision(write, divisionRow(ids[number]!, data, stamps));
      }
    });
  return ids;
}
