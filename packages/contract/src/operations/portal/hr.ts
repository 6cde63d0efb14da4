import { ClosedObject, Id } from '../../schema.ts';
import { IncidentDetails, IncidentReport } from '../../resources/portal/incident.ts';
import { OrderDetails } from '../../resources/portal/order.ts';
import { incidentOperations } from '../public/incidents.ts';
import { orderOperations } from '../public/orders.ts';
import { payrollExportDocumentOperations } from '../public/payroll-export-documents.ts';
import { ofHr, type PortalOperation, searched } from './operation.ts';

const { downloadPayrollExportDocument } = payrollExportDocumentOperations;
const { listOrders, decideOrder, downloadOrderAttachment } = orderOperations;
const { listIncidents, getIncident, createIncident, updateIncident, uploadIncidentAttachment } =
  incidentOperations;

const shown = { ...downloadOrderAttachment.success, isShown: true } as const;

export const hrOperations = {
  listPortalOrders: ofHr(listOrders, {
    description: 'Lists the orders of the employees of the permission HR.',
    ...searched,
    path: '/orders/search',
  }),
  getPortalOrder: ofHr(orderOperations.getOrder, {
    description:
      'Reads one order with the person who ordered, the name of the user who decided, and its history.',
    success: { status: 200, description: 'The order with the person', body: OrderDetails },
  }),
  decidePortalOrder: ofHr(decideOrder, {
    description:
      'Approves or rejects an order that is `under_review`, once and for all. An order of a blocked employee can only be rejected. `hrHistory.source` is `user`, and `decisionBy` the user.',
  }),
  downloadPortalOrderAttachment: ofHr(downloadOrderAttachment, { success: shown }),
  downloadPortalPayrollFile: ofHr(downloadPayrollExportDocument, {}),
  listPortalIncidents: ofHr(listIncidents, {
    description: 'Lists the incidents of the employees of the permission HR.',
    ...searched,
    path: '/incidents/search',
  }),
  getPortalIncident: ofHr(getIncident, {
    description: 'Reads one incident with the fields that it lacks to be complete, and its history.',
    success: {
      status: 200,
      description: 'The incident with what is missing and its history',
      body: IncidentDetails,
    },
  }),
  createPortalIncident: ofHr(createIncident, {
    description:
      'Reports an incident of an activated, not blocked employee. A dry run with the type alone answers in `missing` which fields the type needs.',
    success: { status: 201, description: 'The incident was created', body: IncidentReport },
  }),
  updatePortalIncident: ofHr(updateIncident, {
    success: { status: 200, description: 'The incident after the update', body: IncidentReport },
  }),
  uploadPortalIncidentAttachment: ofHr(uploadIncidentAttachment, {}),
  downloadPortalIncidentAttachment: {
    ...ofHr(downloadOrderAttachment, { success: shown }),
    path: '/incidents/{id}/attachments/{attachmentId}',
    tag: 'Incidents',
    summary: 'Download a file of an incident',
    parameters: ClosedObject({
      id: Id('Identifier of the incident'),
      attachmentId: Id('Identifier of the attachment'),
    }),
  },
} as const satisfies Record<string, PortalOperation>;
