import type { Pool } from '../database/connect.ts';
import { newId } from '../database/ids.ts';
import { employeeRow } from '../features/employees/record.ts';
import { insertEmployees } from '../features/employees/store.ts';
import { createDivision } from '../features/divisions/store.ts';
import { createOrganization, createTenant } from '../features/organizations/store.ts';
import { inTurn, operator } from '../writes/writes.ts';
import { activateEmployees } from './activate-employees.ts';

const employeeCount = 1000;

/** Employees of one transaction, which share one `updatedAt`. */
const batchSize = 50;

interface DivisionPlan {
  readonly name: string;
  readonly below?: readonly DivisionPlan[];
}

/** The companies of the demo with their divisions: twelve in all, four levels deep. */
const tenants: readonly { name: string; divisions: readonly DivisionPlan[] }[] = [
  {
    name: 'Musterwerk GmbH',
    divisions: [
      { name: 'Geschäftsführung' },
      { name: 'Vertrieb', below: [{ name: 'Innendienst' }, { name: 'Außendienst' }] },
      {
        name: 'Technik',
        below: [{ name: 'Entwicklung', below: [{ name: 'Plattform', below: [{ name: 'Betrieb' }] }] }],
      },
    ],
  },
  {
    name: 'Musterwerk Logistik GmbH',
    divisions: [
      { name: 'Lager', below: [{ name: 'Frühschicht' }, { name: 'Spätschicht' }] },
      { name: 'Fuhrpark' },
    ],
  },
];

/** Places that an employee of the demo can have: a division, or none (null). */
interface Place {
  readonly tenant: string;
  readonly divisionId: string | null;
}

/** Creates the demo organization with tenants, divisions and employees, and returns its identifier. */
export async function createDemoOrganization(db: Pool): Promise<string> {
  const organizationId = await createOrganization(db, 'Musterwerk (Demo)');
  const places: Place[] = [];
  for (const { name, divisions } of tenants) {
    const tenant = await createTenant(db, organizationId, name);
    const ids = await createDivisions(db, { organizationId, tenantId: tenant, parentId: null }, divisions);
    places.push({ tenant, divisionId: null }, ...ids.map(divisionId => ({ tenant, divisionId })));
  }
  await createEmployees(db, organizationId, places);
  return organizationId;
}

/** Creates the divisions with all below them and returns their identifiers. */
async function createDivisions(
  db: Pool,
  parent: { organizationId: string; tenantId: string; parentId: string | null },
  plans: readonly DivisionPlan[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { name, below = [] } of plans) {
    const id = await inTurn(db, parent.organizationId, operator, (turn, session) =>
      createDivision(turn, session, { ...parent, name }),
    );
    ids.push(id, ...(await createDivisions(db, { ...parent, parentId: id }, below)));
  }
  return ids;
}

async function createEmployees(db: Pool, organizationId: string, places: readonly Place[]): Promise<void> {
  // The names of a dozen languages: only the demo pays for loading them.
  const { demoPeople } = await import('./demo-people.ts');
  const rows = demoPeople(employeeCount).map((person, index) =>
    employeeRow(newId(), { ...person, ...places[index % places.length]! }),
  );
  for (let start = 0; start < rows.length; start += batchSize)
    await inTurn(db, organizationId, operator, turn => {
      insertEmployees(rows.slice(start, start + batchSize).map(row => ({ turn, row })));
    });
  // One in ten has not completed activation.
  const activated = rows.filter((_, index) => index % 10 !== 9).map(row => row.id);
  await activateEmployees(db, organizationId, activated);
}
