import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { incidentCounters } from '../features/incidents/support.ts';
import { checkTables } from '../support/data/divisions.ts';
import { countersOf } from '../support/data/employees.ts';
import { useFixture } from '../support/service/fixture.ts';
import { orderCounters } from '../support/data/orders.ts';
import { type Case, makeKey, type Mode } from './case.ts';
import { moveDivisions, moveEmployees } from './changes.ts';
import * as ofDivisions from './divisions.ts';
import * as ofEmployees from './employees.ts';
import { checkGets, checkLists, type ResourceType } from './resource-type.ts';
import * as ofIncidents from './incidents.ts';
import * as ofOrders from './orders.ts';
import { addTenant, build, type TestedOrganization } from './organization.ts';
import * as ofPayrollDocuments from './payroll-documents.ts';
import { type OrganizationPlan, organizationPlan } from './plan.ts';
import { atScale } from '../support/service/scale.ts';

const real = useFixture();

const resourceTypes: readonly ResourceType<any>[] = [
  ofEmployees.employees,
  ofDivisions.divisions,
  ofOrders.orders,
  ofIncidents.incidents,
  ofPayrollDocuments.payrollDocuments,
];

async function checkReads(tested: Case): Promise<void> {
  for (const resourceType of resourceTypes) {
    await checkLists(tested, resourceType);
    await checkGets(tested, resourceType);
  }
  await ofOrders.checkDownloads(tested);
  await ofPayrollDocuments.checkDownloads(tested);
}

async function checkWrites(tested: Case, mode: Mode): Promise<void> {
  await ofOrders.checkDecisions(tested, mode);
  await ofIncidents.checkCreates(tested, mode);
  await ofIncidents.checkUpdates(tested, mode);
  await ofIncidents.checkUploads(tested, mode);
  await ofEmployees.checkCreates(tested, mode);
  await ofEmployees.checkUpdates(tested, mode);
  await ofDivisions.checkCreates(tested, mode);
  await ofDivisions.checkUpdates(tested, mode);
}

async function checkCounters({ id }: TestedOrganization): Promise<void> {
  for (const counters of [countersOf, orderCounters, incidentCounters]) {
    const { kept, real: counted } = await counters(real.sql, id);
    assert.deepEqual(kept, counted);
  }
  await checkTables(real.sql, id);
}

/** An organization with the plan that it follows. */
interface Subject {
  readonly plan: OrganizationPlan;
  readonly organization: TestedOrganization;
}

async function casesOf(subjects: readonly Subject[]): Promise<Case[]> {
  const rejections: Case['rejections'] = new Map();
  const cases: Case[] = [];
  for (const { plan, organization } of subjects)
    for (const planned of plan.keys) {
      const key = await makeKey(real, organization, planned);
      const other = subjects.find(subject => subject.organization !== organization)!.organization;
      cases.push({ client: real.client, key, other, rejections, write: cases.length });
    }
  return cases;
}

/** One after the other, as a dry run waits for no other one. */
async function tryAll(cases: readonly Case[]): Promise<void> {
  for (const tested of cases) await checkWrites(tested, { dryRun: true });
}

async function changeAll(cases: readonly Case[]): Promise<void> {
  for (const tested of cases) {
    await checkWrites(tested, { dryRun: false });
    for (const resourceType of resourceTypes) await checkLists(tested, resourceType);
  }
}

async function checkPlans(plans: readonly OrganizationPlan[]): Promise<void> {
  const subjects = await batched(plans, async plan => ({ plan, organization: await build(real, plan) }));
  const cases = await casesOf(subjects);
  await batched(cases, checkReads);
  await batched(subjects, ({ plan, organization }) => moveDivisions(real, organization, plan.divisionMoves));
  await batched(cases, checkReads);
  await batched(subjects, async ({ plan, organization }) => {
    await moveEmployees(real, organization, plan.employeeMoves);
    await addTenant(real, organization);
  });
  await batched(cases, checkReads);
  await batched(subjects, async ({ organization }) => {
    const own = cases.filter(({ key }) => key.organization === organization);
    await tryAll(own);
    await changeAll(own);
    await checkCounters(organization);
  });
}

function batched<T, Result>(all: readonly T[], work: (one: T) => Promise<Result>): Promise<Result[]> {
  return Promise.all(all.map(work));
}

test(
  'each key lists, reads, creates, changes and downloads as in the model of scopes, also after moves',
  { timeout: 240_000 },
  () =>
    fc.assert(fc.asyncProperty(fc.tuple(organizationPlan, organizationPlan), checkPlans), {
      numRuns: atScale(2, 5),
      endOnFailure: true,
      unbiased: true,
    }),
);
