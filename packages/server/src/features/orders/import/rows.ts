import {
  ApiError,
  type Order,
  OrderContract,
  OrderHrHistory,
  OrderProduct,
  Order as OrderSchema,
  Employee,
} from '@kontor/contract';
import Type from 'typebox';
import { compileBody } from '../../../http/request/body-contract.ts';
import { parseJsonObject } from '../../../http/request/json.ts';
import type { OrderData } from '../mapping.ts';
import { historyProblem } from '../rules.ts';
import { completeContract, completionOf, contractCompletion, productCompletion } from '../contract.ts';

/** Identifies the employee of a row. Exactly one is not null. */
export interface EmployeeName {
  readonly employeeId: string | null;
  readonly employeeNumber: string | null;
  readonly email: string | null;
}

export type ReadRow =
  | { readonly data: OrderData; readonly employee: EmployeeName; readonly reason: null }
  | { readonly reason: string };

const employeeNames = ['employeeId', 'employeeNumber', 'email'] as const;

/** Properties that the rejected file adds. An import of the corrected file ignores them. */
const added = ['line', 'reason'];

/** UTC with up to nine decimals, truncated to milliseconds. */
const instant = Type.String({
  format: 'date-time',
  pattern: '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?Z$',
  examples: ['2026-09-02T08:15:30.123Z'],
});

const part = Type.Object({});
const checkRow = compileBody(
  Type.Object(
    {
      orderNumber: OrderSchema.properties.orderNumber,
      employeeId: Type.Optional(OrderSchema.properties.employeeId),
      employeeNumber: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      email: Type.Optional(Employee.properties.email),
      status: Type.Optional(OrderSchema.properties.status),
      products: Type.Array(part),
      contract: Type.Optional(Type.Union([part, Type.Null()])),
      hrHistory: Type.Optional(Type.Union([part, Type.Null()])),
      submittedAt: instant,
    },
    { additionalProperties: false },
  ),
);
const checkProduct = compileBody(OrderProduct);
const checkContract = compileBody(OrderContract);
const checkHistory = compileBody(
  Type.Object({ ...OrderHrHistory.properties, decidedAt: instant }, { additionalProperties: false }),
);

const historyCompletion = completionOf(OrderHrHistory);

type Json = Record<string, unknown>;

/**
 * Reads an order from a JSON line: the public fields that clients can set, and the employee by `employeeId`, `employeeNumber` or `email`. Absent
 * nullable fields are null, and an absent state is `under_review`. Absent derived amounts of a contract are computed, others are checked.
 */
export function readRow(text: string): ReadRow {
  try {
    const row = parseJsonObject(Buffer.from(text));
    for (const name of added) delete row[name];
    checkRow(row);
    return { ...complete(row), reason: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { reason: error.message.replace(/^The body/, 'The line') };
  }
}

function complete(row: Json): { data: OrderData; employee: EmployeeName } {
  const named = employeeNames.filter(name => row[name] !== undefined);
  if (named.length !== 1) throw rejected('name the employee by one of employeeId, employeeNumber and email');
  const status = (row['status'] ?? 'under_review') as Order['status'];
  const hrHistory = readHistory((row['hrHistory'] ?? null) as Json | null);
  const problem = historyProblem(status, hrHistory);
  if (problem !== null) throw rejected(problem);
  const data: OrderData = {
    orderNumber: row['orderNumber'] as string,
    status,
    products: (row['products'] as Json[]).map(readProduct),
    contract: readContract((row['contract'] ?? null) as Json | null),
    hrHistory,
    submittedAt: milliseconds('submittedAt', row['submittedAt']),
  };
  const [employeeId, employeeNumber, email] = employeeNames.map(name => (row[name] ?? null) as string | null);
  return { data, employee: { employeeId: employeeId!, employeeNumber: employeeNumber!, email: email! } };
}

function readProduct(product: Json, index: number): OrderProduct {
  const { withNulls, inOrder } = productCompletion;
  return checked(`products[${index}]`, () => inOrder(checkProduct(withNulls(product))) as OrderProduct);
}

function readContract(contract: Json | null): OrderContract | null {
  if (contract === null) return null;
  return checked('contract', () => {
    // The derived amounts may be absent.
    checkContract(
      contractCompletion.withNulls({ salaryConversion: '0.00', taxableBenefit: '0.00', ...contract }),
    );
    return completeContract(contract);
  });
}

function readHistory(history: Json | null): OrderHrHistory | null {
  if (history === null) return null;
  return checked('hrHistory', () => {
    const read = historyCompletion.inOrder(
      checkHistory(historyCompletion.withNulls(history)),
    ) as OrderHrHistory;
    return { ...read, decidedAt: milliseconds('decidedAt', read.decidedAt) };
  });
}

/** Prepends the location in the row to the errors of a check. */
function checked<T>(where: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof ApiError ? rejected(`${where}: ${error.message}`) : error;
  }
}

function milliseconds(name: string, value: unknown): string {
  const date = new Date(value as string);
  if (Number.isNaN(date.getTime())) throw rejected(`${name} must be a timestamp in UTC`);
  return date.toISOString();
}

function rejected(message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message);
}
