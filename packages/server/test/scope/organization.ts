import { randomBytes } from 'node:crypto';
import type { Sql } from '../support/database/sql.ts';
import { attachToOrder } from '../../src/features/orders/attachments.ts';
import { createOrganization, createTenant } from '../../src/features/organizations/store.ts';
import { databaseStore } from '../../src/files/database-store.ts';
import type { ApiClient } from '../support/contract/client.ts';
import { storeEmployees } from '../support/data/employees.ts';
import { orderInput, storeOrders } from '../support/data/orders.ts';
import { storePayrollDocument } from '../support/data/payroll-documents.ts';
import type {
  ModelDivision,
  ModelDocument,
  ModelEmployee,
  ModelOrganization,
} from '../support/data/scope-model.ts';
import { testDivision, testKey } from '../support/data/test-data.ts';
import { type EmployeePlan, type OrganizationPlan, pick, pickOrNull } from './plan.ts';

export interface TestedEmployee extends ModelEmployee {
  readonly id: string;
  readonly account: EmployeePlan['account'];
}

export interface TestedOrder {
  readonly id: string;
  readonly employee: TestedEmployee;
  status: 'under_review' | 'approved';
  readonly attachment: { readonly id: string; readonly bytes: Buffer };
}

export interface TestedIncident {
  readonly id: string;
  readonly employee: TestedEmployee;
  /** With an order the report is complete, and takes files. */
  readonly orderId: string | null;
  description: string;
  readonly attachments: string[];
}

export interface TestedDocument extends ModelDocument {
  readonly id: string;
  /** Null where no file was produced. */
  readonly bytes: Buffer | null;
}

/** An organization as the model knows it, changed along with the real one. */
export interface TestedOrganization extends ModelOrganization {
  readonly tenants: string[];
  readonly divisions: ModelDivision[];
  readonly employees: TestedEmployee[];
  readonly orders: TestedOrder[];
  readonly incidents: TestedIncident[];
  readonly documents: TestedDocument[];
  /** The text of a key of the whole organization that stands for another client, which changes things. */
  readonly admin: string;
}

export interface Real {
  readonly sql: Sql;
  readonly client: ApiClient;
}

export async function build(real: Real, plan: OrganizationPlan): Promise<TestedOrganization> {
  const { sql } = real;
  const id = await createOrganization(sql, 'Random');
  const admin = await testKey(sql, id, 'all');
  const organization: TestedOrganization = {
    id,
    admin,
    tenants: [],
    divisions: [],
    employees: [],
    orders: [],
    incidents: [],
    documents: [],
  };
  for (let n = 0; n < plan.tenants; n++)
    organization.tenants.push(await createTenant(sql, id, `Tenant ${n}`));
  await fill(real, organization, organization.tenants, plan);
  return organization;
}

/** Founds a tenant with an employee: keys of the whole organization cover it at once. */
export async function addTenant(real: Real, organization: TestedOrganization): Promise<void> {
  const tenant = await createTenant(real.sql, organization.id, 'Latecomer');
  organization.tenants.push(tenant);
  await fill(real, organization, [tenant], {
    divisions: [{ tenant: 0, parent: null }],
    employees: [{ tenant: 0, division: 0, account: 'active', orders: 1, incidents: 1 }],
    documents: [{ tenant: 0, division: null, file: true }],
  });
}

type Content = Pick<OrganizationPlan, 'divisions' | 'employees' | 'documents'>;

async function fill(
  real: Real,
  organization: TestedOrganization,
  tenants: readonly string[],
  { divisions, employees, documents }: Content,
): Promise<void> {
  for (const planned of divisions)
    await addDivision(real, organization, pick(tenants, planned.tenant), planned);
  const places = employees.map(planned =>
    placeOf(organization, pickOrNull(tenants, planned.tenant), planned),
  );
  const added = await addEmployees(real, organization, places, employees);
  await addOrders(real, organization, added, employees);
  for (const [n, employee] of added.entries())
    if (employee.account === 'active')
      for (let count = 0; count < employees[n]!.incidents; count++)
        await addIncident(real, organization, employee, count === 0);
  for (const planned of documents) {
    const place = placeOf(organization, pick(tenants, planned.tenant), planned);
    await addDocument(real, organization, place, planned.file);
  }
}

/** A division is one of the tenant, and none where it has none. */
export function placeOf<Tenant extends string | null>(
  organization: ModelOrganization,
  tenant: Tenant,
  { division }: { division: number | null },
): { tenant: Tenant; division: string | null } {
  const inTenant = organization.divisions.filter(one => one.tenant === tenant);
  return { tenant, division: pickOrNull(inTenant, division)?.id ?? null };
}

async function addDivision(
  { sql }: Real,
  organization: TestedOrganization,
  tenant: string,
  planned: { parent: number | null },
): Promise<void> {
  const { division: parent } = placeOf(organization, tenant, { division: planned.parent });
  const place = { organizationId: organization.id, tenantId: tenant, parentId: parent };
  const name = `Division ${organization.divisions.length}`;
  organization.divisions.push({ id: await testDivision(sql, place, name), tenant, parent });
}

async function addEmployees(
  { sql }: Real,
  organization: TestedOrganization,
  places: readonly { tenant: string | null; division: string | null }[],
  plans: readonly EmployeePlan[],
): Promise<TestedEmployee[]> {
  const data = places.map(({ tenant, division }, n) => ({
    tenant,
    divisionId: division,
    blocked: plans[n]!.account === 'blocked',
  }));
  const stored = await storeEmployees(sql, organization.id, data);
  const added = stored.map(({ id }, n) => ({ id, ...places[n]!, account: plans[n]!.account }));
  const activated = added.filter(({ account }) => account !== 'not activated').map(({ id }) => id);
  await sql`UPDATE employee SET activated_at = now() WHERE id = ANY(${activated})`;
  organization.employees.push(...added);
  return added;
}

async function addOrders(
  { sql }: Real,
  organization: TestedOrganization,
  employees: readonly TestedEmployee[],
  plans: readonly EmployeePlan[],
): Promise<void> {
  const owners = employees.flatMap((employee, n) => Array.from({ length: plans[n]!.orders }, () => employee));
  const byTenant = Map.groupBy(owners, employee => employee.tenant);
  byTenant.delete(null);
  for (const [tenantId, group] of byTenant) {
    const target = { organizationId: organization.id, tenantId: tenantId! };
    const inputs = group.map(({ id }) => orderInput({ employeeId: id }));
    for (const [n, { id }] of (await storeOrders(sql, target, inputs)).entries()) {
      const bytes = randomBytes(20);
      const { id: attachmentId } = await attachToOrder(
        { db: sql, files: databaseStore(sql) },
        { organizationId: organization.id, orderId: id },
        { kind: 'offer', fileName: 'offer.pdf', mediaType: 'application/pdf', bytes },
      );
      const attachment = { id: attachmentId, bytes };
      organization.orders.push({ id, employee: group[n]!, status: 'under_review', attachment });
    }
  }
}

async function addIncident(
  { client }: Real,
  organization: TestedOrganization,
  employee: TestedEmployee,
  complete: boolean,
): Promise<void> {
  const order = complete ? organization.orders.find(order => order.employee === employee) : undefined;
  const report = reportOf(employee.id, order?.id ?? null);
  const { status, body } = await client.post('/incidents', report, { key: organization.admin });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const { id, orderId, description } = body;
  organization.incidents.push({ id, employee, orderId, description, attachments: [] });
}

/** The report of an incident; it lacks nothing when it has an order. */
export function reportOf(employeeId: string, orderId: string | null) {
  return { employeeId, orderId, type: 'damage', occurredOn: '2026-09-02', description: 'reported' };
}

async function addDocument(
  { sql }: Real,
  organization: TestedOrganization,
  { tenant, division }: { tenant: string; division: string | null },
  file: boolean,
): Promise<void> {
  const bytes = file ? randomBytes(20) : null;
  const { id } = await storePayrollDocument(sql, organization.id, { tenant, divisionId: division }, bytes);
  organization.documents.push({ id, tenant, division, bytes });
}
