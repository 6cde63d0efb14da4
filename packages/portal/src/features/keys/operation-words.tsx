import { useLingui } from '@lingui/react/macro';
import type { KeyOperation } from '../../api/requests.ts';

/** Says in words what an operation of the public API does; of one that this page does not know, its identifier. A new operation does not compile until it has words here. */
export function useOperationWords(): (operation: string) => string {
  const { t } = useLingui();
  const words: Readonly<Record<KeyOperation, string>> = {
    listEmployees: t`List employees`,
    createEmployee: t`Create an employee`,
    getEmployee: t`Read an employee`,
    updateEmployee: t`Change an employee`,
    listDivisions: t`List divisions`,
    createDivision: t`Create a division`,
    getDivision: t`Read a division`,
    updateDivision: t`Change a division`,
    listOrders: t`List orders`,
    getOrder: t`Read an order`,
    decideOrder: t`Decide on an order`,
    downloadOrderAttachment: t`Download a document of an order`,
    listIncidents: t`List incidents`,
    createIncident: t`Report an incident`,
    getIncident: t`Read an incident`,
    updateIncident: t`Change an incident`,
    uploadIncidentAttachment: t`Upload evidence of an incident`,
    listPayrollExportDocuments: t`List payroll documents`,
    getPayrollExportDocument: t`Read a payroll document`,
    downloadPayrollExportDocument: t`Download a payroll document`,
  };
  return operation => (words as Readonly<Record<string, string>>)[operation] ?? operation;
}
