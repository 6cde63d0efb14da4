import fc from 'fast-check';

/** The random choices of an organization. Numbers stand for one of what there is, modulo its count; null for none. */
export interface OrganizationPlan {
  readonly tenants: number;
  readonly divisions: readonly { tenant: number; parent: number | null }[];
  readonly employees: readonly EmployeePlan[];
  readonly documents: readonly { tenant: number; division: number | null; file: boolean }[];
  readonly keys: readonly KeyPlan[];
  readonly divisionMoves: readonly { division: number; parent: number | null }[];
  readonly employeeMoves: readonly { employee: number; division: number | null }[];
}

export interface EmployeePlan {
  readonly tenant: number | null;
  readonly division: number | null;
  readonly account: 'active' | 'blocked' | 'not activated';
  /** How many of each the employee has; only an active one can have incidents, only one with a tenant orders. */
  readonly orders: number;
  readonly incidents: number;
}

export type KeyPlan = 'all' | readonly { tenant: number; division: number | null }[];

const choice = fc.option(fc.nat(), { freq: 3, nil: null });

/** Divisions of one tenant, of which some may be below others; any tenants and divisions; or a tenant and a division of it. */
const key: fc.Arbitrary<KeyPlan> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(), fc.array(fc.nat(), { minLength: 1, maxLength: 4 }))
      .map(([tenant, divisions]) => divisions.map(division => ({ tenant, division }))),
  },
  {
    weight: 3,
    arbitrary: fc.array(fc.record({ tenant: fc.nat(), division: choice }), { minLength: 1, maxLength: 4 }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), fc.nat()).map(([tenant, division]) => [
      { tenant, division: null },
      { tenant, division },
    ]),
  },
);

const employee: fc.Arbitrary<EmployeePlan> = fc.record({
  tenant: fc.option(fc.nat(), { freq: 4, nil: null }),
  division: choice,
  account: fc.constantFrom('active', 'active', 'active', 'blocked', 'not activated'),
  orders: fc.nat({ max: 2 }),
  incidents: fc.nat({ max: 2 }),
});

export const organizationPlan: fc.Arbitrary<OrganizationPlan> = fc.record({
  tenants: fc.constantFrom(1, 2, 2, 3),
  divisions: fc.array(fc.record({ tenant: fc.nat(), parent: choice }), { minLength: 3, maxLength: 9 }),
  employees: fc.array(employee, { minLength: 4, maxLength: 9 }),
  documents: fc.array(fc.record({ tenant: fc.nat(), division: choice, file: fc.boolean() }), {
    minLength: 3,
    maxLength: 6,
  }),
  keys: fc.array(key, { minLength: 3, maxLength: 3 }).map(keys => ['all', ...keys]),
  divisionMoves: fc.array(fc.record({ division: fc.nat(), parent: choice }), { minLength: 3, maxLength: 6 }),
  employeeMoves: fc.array(fc.record({ employee: fc.nat(), division: choice }), {
    minLength: 2,
    maxLength: 5,
  }),
});

/** What a number of a plan stands for. */
export const pick = <T>(all: readonly T[], number: number): T => all[number % all.length]!;

/** The same where there may be none. */
export const pickOrNull = <T>(all: readonly T[], number: number | null): T | null =>
  number === null || all.length === 0 ? null : pick(all, number);
