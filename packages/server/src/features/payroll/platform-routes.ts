import {
  createPayrollRun,
  createPayrollSettlement,
  discardPayrollRun,
  explainPayroll,
  getPayrollImportDescription,
  getPayrollRun,
  getPayrollSettings,
  listPayrollFindings,
  listPayrollRuns,
  releasePayrollRun,
  setPayrollSettings,
} from '@kontor/contract';
import { type Parts, payrollOperations } from './operations.ts';
import { implement } from '../../http/implement.ts';
import type { Route } from '../../http/route.ts';

export function payrollRoutes(parts: Parts): Route[] {
  const payroll = payrollOperations(parts);
  return [
    implement(getPayrollSettings, payroll.getSettings),
    implement(setPayrollSettings, payroll.setSettings),
    implement(getPayrollImportDescription, payroll.getImportDescription),
    implement(listPayrollRuns, payroll.listRuns),
    implement(createPayrollRun, payroll.createRun),
    implement(getPayrollRun, payroll.getRun),
    implement(listPayrollFindings, payroll.listFindings),
    implement(releasePayrollRun, payroll.releaseRun),
    implement(discardPayrollRun, payroll.discardRun),
    implement(createPayrollSettlement, payroll.createSettlement),
    implement(explainPayroll, payroll.explain),
  ];
}
