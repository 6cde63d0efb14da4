import type { Pool } from '../../db/connect.ts';
import { newId } from '../../db/ids.ts';
import { employeeRow } from '../../features/employees/mapping.ts';
import { insertEmployees } from '../../features/employees/store.ts';
import { newEmployee } from '../../features/employees/rules.ts';
import { createDivision } from '../../features/divisions/store.ts';
import { createOrganization, createTenant } from '../../features/organizations/store.ts';
import { runAtClock } from '../../write/run-at-clock.ts';
import { operator } from '../../write/writes.ts';
import { activate } from '../records/employee.ts';
import { demoEmployees } from './employees.ts';

const employeeCount = 1000;

/** Employees of one transaction, which share one `updatedAt`. */
const batchSize = 50;

interface DivisionPlan {
  readonly name: string;
  readonly below?: readonly DivisionPlan[];
}

/** The companies of the demo with their divisions: sixteen in all, five levels deep. */
const companies: readonly { name: string; divisions: readonly DivisionPlan[] }[] = [
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
  {
    name: 'Musterwerk Austria GmbH',
    divisions: [
      { name: 'Verwaltung' },
      { name: 'Werkstatt Wien', below: [{ name: 'Montage' }, { name: 'Lackiererei' }] },
    ],
  },
];

/** The fields of an employee that orders and incidents depend on. */
export interface DemoEmployee {
  readonly id: string;
  readonly tenant: string | null;
  readonly divisionId: string | null;
  readonly employeeNumber: string | null;
  /** Activated and not blocked: may have orders approved and incidents reported. */
  readonly usable: boolean;
}

export interface DemoOrganization {
  readonly organizationId: string;
  readonly tenants: readonly { readonly id: string; readonly divisions: readonly Named[] }[];
  readonly employees: readonly DemoEmployee[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Creates the demo organization with tenants, divisions and employees. */
export async function createDemoOrganization(db: Pool): Promise<DemoOrganization> {
  const organizationId = await createOrganization(db, 'Musterwerk (Demo)');
  const tenants: { id: string; divisions: Named[] }[] = [];
  for (const { name, divisions: plans } of companies) {
    const id = await createTenant(db, organizationId, name);
    const divisions = await createDivisions(db, { organizationId, tenantId: id, parentId: null }, plans);
    tenants.push({ id, divisions });
  }
  const places = tenants.flatMap(({ id: tenant, divisions }) =>
    [null, ...divisions.map(({ id }) => id)].map(divisionId => ({ tenant, divisionId })),
  );
  return { organizationId, tenants, employees: await createEmployees(db, organizationId, places) };
}

/** Creates the divisions and those below them, and returns all. */
async function createDivisions(
  db: Pool,
  parent: { organizationId: string; tenantId: string; parentId: string | null },
  plans: readonly DivisionPlan[],
): Promise<Named[]> {
  const made: Named[] = [];
  for (const { name, below = [] } of plans) {
    const id = await runAtClock(db, parent.organizationId, operator, (write, session) =>
      createDivision(write, session, { ...parent, name }),
    );
    made.push({ id, name }, ...(await createDivisions(db, { ...parent, parentId: id }, below)));
  }
  return made;
}

async function createEmployees(
  db: Pool,
  organizationId: string,
  places: readonly { tenant: string; divisionId: string | null }[],
): Promise<DemoEmployee[]> {
  // One in ten has not completed activation.
  const isActivated = (index: number) => index % 10 !== 9;
  const staff = demoEmployees(employeeCount).map((person, index) => ({
    id: newId(),
    data: newEmployee(person, places[index % places.length]!),
    usable: isActivated(index) && !person.blocked,
  }));
  const rows = staff.map(({ id, data }) => employeeRow(id, data));
  for (let start = 0; start < rows.length; start += batchSize)
    await runAtClock(db, organizationId, operator, write => {
      insertEmployees(rows.slice(start, start + batchSize).map(row => ({ write, row })));
    });
  const activated = staff.filter((_, index) => isActivated(index)).map(({ id }) => id);
  await activate(db, organizationId, activated);
  return staff.map(({ id, usable, data: { tenant, divisionId, employeeNumber } }) => ({
    id,
    usable,
    tenant,
    divisionId,
    employeeNumber,
  }));
}
