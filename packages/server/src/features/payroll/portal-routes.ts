import {
  createPortalPayrollRun,
  createPortalPayrollSettlement,
  createPortalPayrollTestFile,
  discardPortalPayrollRun,
  explainPortalPayroll,
  type FindingOfEmployee,
  getPortalPayrollImportDescription,
  getPortalPayrollRun,
  getPortalPayrollSettings,
  listPortalPayrollFindings,
  listPortalPayrollRuns,
  type PayrollExportDocument,
  type PayrollFinding,
  type PayrollRunDetails,
  type PayrollRunsOfTenant,
  releasePortalPayrollRun,
  setPortalPayrollSettings,
} from '@kontor/contract';
import type { Scope } from '../../auth/scope.ts';
import { implement } from '../../http/implement.ts';
import type { ResourceCall } from '../../http/read-resource.ts';
import { ok, type Route } from '../../http/route.ts';
import { findingsOf, type Parts, payrollOperations, runOf, runsOf } from './operations.ts';
import { readPeriods, releaseObstacle } from './runs.ts';
import { readSettings } from './settings.ts';

interface PortalParts extends Parts {
  /** Documents in scope, by their identifiers. */
  readonly readDocuments: (scope: Scope, ids: readonly string[]) => Promise<PayrollExportDocument[]>;
  /** The names of employees in scope. */
  readonly readNamesInScope: (scope: Scope, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The division that each of these employees in scope has the cost centre from. */
  readonly readCostCenterDivisions: (
    scope: Scope,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>;
}

/** Payroll as HR works with it, in the scope of the user's permission HR. */
export function portalPayrollRoutes(parts: PortalParts): Route[] {
  const payroll = payrollOperations(parts);
  return [
    implement(getPortalPayrollSettings, payroll.getSettings),
    implement(setPortalPayrollSettings, payroll.setSettings),
    implement(createPortalPayrollTestFile, payroll.createTestFile),
    implement(getPortalPayrollImportDescription, payroll.getImportDescription),
    implement(listPortalPayrollRuns, async call => {
      const items = await runsOf(parts, call);
      const tenant = { organizationId: call.scope.organizationId, tenantId: call.parameters.id };
      const periods = await readPeriods(parts.reads, tenant, call.receivedAt.toISOString());
      return ok(JSON.stringify({ items, ...periods } satisfies PayrollRunsOfTenant));
    }),
    implement(createPortalPayrollRun, payroll.createRun),
    implement(getPortalPayrollRun, async call => ok(JSON.stringify(await detailsOf(parts, call)))),
    implement(listPortalPayrollFindings, async call => {
      const findings = await findingsOf(parts, call);
      const isOfDivision = ({ field }: PayrollFinding) => field === 'costCenter';
      const [names, divisions] = await Promise.all([
        parts.readNamesInScope(call.scope, employeesOf(findings)),
        parts.readCostCenterDivisions(call.scope, employeesOf(findings.filter(isOfDivision))),
      ]);
      const items: FindingOfEmployee[] = findings.map(finding => ({
        ...finding,
        employeeName: names.get(finding.employeeId ?? '') ?? null,
        divisionId: (isOfDivision(finding) && divisions.get(finding.employeeId ?? '')) || null,
      }));
      return ok(JSON.stringify({ items }));
    }),
    implement(releasePortalPayrollRun, payroll.releaseRun),
    implement(discardPortalPayrollRun, payroll.discardRun),
    implement(createPortalPayrollSettlement, payroll.createSettlement),
    implement(explainPortalPayroll, payroll.explain),
  ];
}

function employeesOf(findings: readonly PayrollFinding[]): string[] {
  return [...new Set(findings.flatMap(({ employeeId }) => employeeId ?? []))];
}

async function detailsOf(parts: PortalParts, call: ResourceCall): Promise<PayrollRunDetails> {
  const { scope, caller } = call;
  const run = await runOf(parts, call);
  const { organizationId } = scope;
  const settings = await readSettings(parts.reads, { organizationId, tenantId: run.tenant });
  const files = await parts.readDocuments(
    scope,
    run.documents.map(({ id }) => id),
  );
  const obstacle = run.status === 'draft' ? releaseObstacle(run, settings!, caller) : null;
  return { run, files, obstacle };
}
