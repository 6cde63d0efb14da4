import type { HandlersOf } from '../../http/handlers.ts';
import { type Parts, payrollOperations } from './operations.ts';

export function payrollHandlers(parts: Parts): HandlersOf<'platform', 'Payroll'> {
  const payroll = payrollOperations(parts);
  return {
    getPayrollSettings: payroll.getSettings,
    setPayrollSettings: payroll.setSettings,
    getPayrollImportDescription: payroll.getImportDescription,
    listPayrollRuns: payroll.listRuns,
    createPayrollRun: payroll.createRun,
    getPayrollRun: payroll.getRun,
    listPayrollFindings: payroll.listFindings,
    releasePayrollRun: payroll.releaseRun,
    discardPayrollRun: payroll.discardRun,
    createPayrollSettlement: payroll.createSettlement,
    explainPayroll: payroll.explain,
  };
}
