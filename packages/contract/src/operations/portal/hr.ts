import type { Operation } from '../../operation.ts';
import { ClosedObject, Id } from '../../schema.ts';
import { IncidentDetails } from '../../resources/portal/incident.ts';
import { OrderDetails } from '../../resources/portal/order.ts';
import { employeeOperations } from '../public/employees.ts';
import { incidentOperations } from '../public/incidents.ts';
import { orderOperations } from '../public/orders.ts';
import { payrollExportDocumentOperations } from '../public/payroll-export-documents.ts';
import { type PortalOperation, searched } from './operation.ts';

const ofHrDesk = { permission: 'HR', selectsTenant: true } as const;

type OfHr<Declared, More> = Omit<Declared, keyof typeof ofHrDesk | keyof More> & typeof ofHrDesk & More;

/** Converts a public operation to one of the work of HR: for the tenants of the user's permission, of which `X-Tenant-ID` selects one. */
function ofHr<const Declared extends Operation, const More extends Partial<PortalOperation>>(
  declared: Declared,
  more: More,
): OfHr<Declared, More> {
  return { ...declared, ...ofHrDesk, ...more };
}

const { listEmployees, getEmployee, updateEmployee } = employeeOperations;
const { downloadPayrollExportDocument } = payrollExportDocumentOperations;
const { listOrders, decideOrder, downloadOrderAttachment } = orderOperations;
const { listIncidents, getIncident, createIncident, updateIncident, uploadIncidentAttachment } =
  incidentOperations;

export const hrOperations = {
  listPortalEmployees: ofHr(listEmployees, {
    description: 'Lists the employees of the tenants that the user does the work of HR for.',
    ...searched,
    path: '/employees/search',
  }),
  getPortalEmployee: ofHr(getEmployee, {
    description: 'Reads one employee of the tenants that the user does the work of HR for.',
  }),
  updatePortalEmployee: ofHr(updateEmployee, {}),
  listPortalOrders: ofHr(listOrders, {
    description: 'Lists the orders of the employees that the user does the work of HR for.',
    ...searched,
    path: '/orders/search',
  }),
  getPortalOrder: ofHr(orderOperations.getOrder, {
    description: 'Reads one order with the person who ordered and the name of the user who decided.',
    success: { status: 200, description: 'The order with the person', body: OrderDetails },
  }),
  decidePortalOrder: ofHr(decideOrder, {
    description:
      'Approves or rejects an order that is `under_review`, once and for all. An order of a blocked employee can only be rejected. `hrHistory.source` is `user`, and `decisionBy` the user.',
  }),
  downloadPortalOrderAttachment: ofHr(downloadOrderAttachment, {}),
  downloadPortalPayrollFile: ofHr(downloadPayrollExportDocument, {}),
  listPortalIncidents: ofHr(listIncidents, {
    description: 'Lists the incidents of the employees that the user does the work of HR for.',
    ...searched,
    path: '/incidents/search',
  }),
  getPortalIncident: ofHr(getIncident, {
    description: 'Reads one incident with the fields that it lacks to be complete.',
    success: { status: 200, description: 'The incident with what is missing', body: IncidentDetails },
  }),
  createPortalIncident: ofHr(createIncident, {
    description:
      'Reports an incident of an activated, not blocked employee. A dry run with the type alone answers in `missing` which fields the type needs.',
    success: { status: 201, description: 'The incident was created', body: IncidentDetails },
  }),
  updatePortalIncident: ofHr(updateIncident, {
    success: { status: 200, description: 'The incident after the update', body: IncidentDetails },
  }),
  uploadPortalIncidentAttachment: ofHr(uploadIncidentAttachment, {}),
  downloadPortalIncidentAttachment: {
    ...ofHr(downloadOrderAttachment, {}),
    path: '/incidents/{id}/attachments/{attachmentId}',
    tag: 'Incidents',
    summary: 'Download a file of an incident',
    parameters: ClosedObject({
      id: Id('Identifier of the incident'),
      attachmentId: Id('Identifier of the attachment'),
    }),
  },
} as const satisfies Record<string, PortalOperation>;
