import {
  type Employee,
  employeeFields,
  type Incident,
  type Order,
  type OrderProduct,
} from '@kontor/contract';

/** A domain without mailboxes: `invalid` never exists (RFC 2606). */
const nowhere = 'erased.invalid';

type NullableField = {
  [Name in keyof Employee]: null extends Employee[Name] ? Name : never;
}[keyof Employee];

/** Sets every nullable field of an employee to null, including fields that are added later. */
const noData = Object.fromEntries(
  Array.from(employeeFields.values())
    .filter(({ nullable }) => nullable)
    .map(({ name }) => [name, null]),
) as Record<NullableField, null>;

/**
 * Keeps the employee's id, place and timestamps, which orders and payroll reference. The account is blocked.
 * The required, unique email address is built from the id.
 */
export function erasedEmployee(employee: Employee): Employee {
  const { id, tenant, divisionId, createdAt, updatedAt } = employee;
  return {
    ...noData,
    id,
    email: `${id}@${nowhere}`,
    blocked: true,
    tenant,
    divisionId,
    createdAt,
    updatedAt,
  };
}

/** Keeps numbers, states, timestamps and sums of an order, but no texts and documents. */
export function erasedOrder(order: Order): Order {
  const { hrHistory } = order;
  return {
    ...order,
    products: order.products.map(erasedProduct),
    attachments: [],
    hrHistory: hrHistory && { ...hrHistory, comment: null },
  };
}

/** Texts of the shop may contain personal data, such as an engraving. */
function erasedProduct(product: OrderProduct): OrderProduct {
  return { ...product, model: null, manufacturerName: null, articleGroupName: null, service: null };
}

/**
 * Keeps number, kind, state and references of an incident. Its days are erased, because with the kind (an illness, a birth) they could
 * identify the employee to colleagues. An incomplete report is cancelled.
 */
export function erasedIncident(incident: Incident): Incident {
  return {
    ...incident,
    occurredOn: null,
    effectiveFrom: null,
    effectiveTo: null,
    description: null,
    policeReference: null,
    status: incident.editable ? 'cancelled' : incident.status,
    editable: false,
    attachments: [],
  };
}
