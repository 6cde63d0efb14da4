import {
  type Employee,
  employeeFields,
  type Incident,
  type Order,
  type OrderProduct,
} from '@kontor/contract';

/** The domain of addresses that lead nowhere: `invalid` is never one of the internet (RFC 2606). */
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
 * What is left of an employee: identifier, place and instants, which orders and payroll stand on. The account is blocked, and the
 * address, which must be there and be unique, is made of the identifier.
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

/** What is left of an order: numbers, states, instants and sums. Texts and documents go. */
export function erasedOrder(order: Order): Order {
  const { hrHistory } = order;
  return {
    ...order,
    products: order.products.map(erasedProduct),
    attachments: [],
    hrHistory: hrHistory && { ...hrHistory, comment: null },
  };
}

/** Whatever the shop has written there may name the person, as an engraving does. */
function erasedProduct(product: OrderProduct): OrderProduct {
  return { ...product, model: null, manufacturerName: null, articleGroupName: null, service: null };
}

/**
 * What is left of an incident: number, kind, state and what it refers to. Its days go too: with the kind (an illness, a birth)
 * they would tell colleagues who it was. A report that nobody can complete any more is cancelled.
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
