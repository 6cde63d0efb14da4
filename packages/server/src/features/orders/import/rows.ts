import { ApiError, Employee, Order, OrderHrHistory, OrderIntake } from '@kontor/contract';
import Type, { type Static } from 'typebox';
import { compileBody } from '../../../http/request/body-contract.ts';
import { parseJsonObject } from '../../../http/request/json.ts';
import type { OrderData } from '../mapping.ts';
import { historyProblem } from '../rules.ts';
import { withNulls } from '../../../lib/with-nulls.ts';
import { completeOrder } from '../contract.ts';

/** Identifies the employee of a row. Exactly one is not null. */
export interface EmployeeName {
  readonly employeeId: string | null;
  readonly employeeNumber: string | null;
  readonly email: string | null;
}

export type ReadRow =
  | { readonly data: OrderData; readonly employee: EmployeeName; readonly reason: null }
  | { readonly reason: string };

/** Properties that the rejected file adds. An import of the corrected file ignores them. */
const added = ['line', 'reason'];

const { externalId: _externalId, ...intake } = OrderIntake.properties;

/** A recorded decision. Its instant is truncated to milliseconds. */
const ImportedHistory = Type.Object(
  {
    ...OrderHrHistory.properties,
    decisionBy: Type.Optional(OrderHrHistory.properties.decisionBy),
    comment: Type.Optional(OrderHrHistory.properties.comment),
    decidedAt: intake.submittedAt,
  },
  { additionalProperties: false },
);

/** An order of an intake, perhaps in a later state, with one of three identifiers of its employee. */
const ImportedOrder = Type.Object(
  {
    ...intake,
    employeeId: Type.Optional(intake.employeeId),
    employeeNumber: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    email: Type.Optional(Employee.properties.email),
    status: Type.Optional(Order.properties.status),
    hrHistory: Type.Optional(Type.Union([ImportedHistory, Type.Null()])),
  },
  { additionalProperties: false },
);
type ImportedOrder = Static<typeof ImportedOrder>;
const check = compileBody(ImportedOrder);

/**
 * Reads an order from a JSON line: the public fields that clients can set, and the employee by `employeeId`, `employeeNumber` or `email`. Absent
 * nullable fields are null, and an absent state is `under_review`. Absent derived amounts of a contract are computed, others are checked.
 */
export function readRow(text: string): ReadRow {
  try {
    const row = parseJsonObject(Buffer.from(text));
    for (const name of added) delete row[name];
    return { ...complete(check(row) as ImportedOrder), reason: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { reason: error.message.replace(/^The body/, 'The line') };
  }
}

function complete(row: ImportedOrder): { data: OrderData; employee: EmployeeName } {
  const { employeeId = null, employeeNumber = null, email = null, status = 'under_review' } = row;
  if ([employeeId, employeeNumber, email].filter(name => name !== null).length !== 1)
    throw rejected('name the employee by one of employeeId, employeeNumber and email');
  const hrHistory = row.hrHistory ? readHistory(row.hrHistory) : null;
  const problem = historyProblem(status, hrHistory);
  if (problem !== null) throw rejected(problem);
  const data = { ...completeOrder(row), status, hrHistory };
  return { data, employee: { employeeId, employeeNumber, email } };
}

function readHistory(history: Static<typeof ImportedHistory>): OrderHrHistory {
  const decidedAt = new Date(history.decidedAt).toISOString();
  return withNulls(OrderHrHistory, { ...history, decidedAt });
}

function rejected(message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message);
}
