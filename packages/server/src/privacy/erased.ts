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

/** Every field of an employee that may be null, as null: so a field that is added later is erased too. */
const noData = Object.fromEntries(
  Array.from(employeeFields.values())
    .filter(({ nullable }) => nullable)
    .map(({ name }) => [name, null]),
) as Record<NullableField, null>;

/**
 * Keeps identifier, place and instants of an employee, which orders and payroll refer to. The account is blocked. The address,
 * which must exist and be unique, is made of the identifier.
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

/** Keeps numbers, states, instants and sums of an order, no texts and documents. */
export function erasedOrder(order: Order): Order {
  const { hrHistory } = order;
  return {
    ...order,
    products: order.products.map(erasedProduct),
    attachments: [],
    hrHistory: hrHistory && { ...hrHistory, comment: null },
  };
}

/** Texts of the shop may name the person, such as an engraving. */
function erasedProduct(product: OrderProduct): OrderProduct {
  return { ...product, model: null, manufacturerName: null, articleGroupName: null, service: null };
}

/**
 * Keeps number, kind, state and references of an incident. Its days are erased too: with the kind (an illness, a birth) they would
 * tell colleagues who it was. An incomplete report is cancelled.
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
