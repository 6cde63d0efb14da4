import { type ErrorCode, errorCatalog } from '../errors.ts';
import { requestIdExample } from '../resources/error.ts';
import type { ExampleObject, Reference } from './document.ts';

/** A message as the service words it, for each code; the exact words are no part of the contract. */
const messages: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'pageSize must be at most 1000',
  INVALID_REQUEST_ID: 'X-Request-ID must be a UUID of version 4 or 7',
  UNKNOWN_QUERY_PARAMETER: 'Unknown query parameter "pagesize"',
  UNSUPPORTED_HEADER: 'If-Match is not supported: leave it out',
  INVALID_FILTER_SYNTAX: 'filter, position 12: expected a value',
  UNSUPPORTED_FILTER_FIELD: 'filter: "products.model" is not a field of this collection',
  UNSUPPORTED_FILTER_OPERATOR: 'filter: CONTAINS is not valid for the boolean field "blocked"',
  UNSUPPORTED_SORT_FIELD: 'sort: "age" is not a field of this collection',
  UNSUPPORTED_FIELD: 'tenant is not accepted here',
  INVALID_REFERENCE_ID: 'divisionId must be 24 hexadecimal characters',
  MISSING_ATTACHMENT: 'The part "file" is missing or empty',
  INVALID_API_KEY: 'Send a valid API key in X-API-Key',
  TENANT_NOT_IN_SCOPE: 'The tenant of X-Tenant-ID is not in the scope of the key',
  NOT_FOUND: 'There is nothing here that the key may see',
  FILE_NOT_FOUND: 'The file is not available',
  NOT_ACCEPTABLE: 'Accept must allow application/json',
  DIVISION_CYCLE: 'parentId: a division cannot be placed below itself',
  DIVISION_NAME_NOT_UNIQUE_ON_SAME_LEVEL: 'name: a sibling division has this name',
  DUPLICATE_RESOURCE: 'email is already in use',
  INVALID_STATE_TRANSITION: 'The order is not under review',
  ORDER_ALREADY_DECIDED: 'The order has a decision: read it again',
  PAYLOAD_TOO_LARGE: 'The request body must be at most 5242880 bytes',
  UNSUPPORTED_MEDIA_TYPE: 'Content-Type must be application/json in UTF-8',
  TENANT_CONTEXT_AMBIGUOUS: 'Several tenants are possible: send X-Tenant-ID',
  EMPLOYEE_PLACEMENT_AMBIGUOUS: 'Several divisions are possible: send divisionId',
  INVALID_REFERENCE: 'divisionId names no division that can be used here',
  EMPLOYEE_NOT_ACTIVATED: 'The referenced employee is not activated',
  EMPLOYEE_BLOCKED: 'The account of the employee is blocked',
  RATE_LIMIT_EXCEEDED: 'The quota of the key is used up: wait 18 seconds',
  INTERNAL_SERVER_ERROR: 'Something went wrong on our side',
  BAD_GATEWAY: 'The file store failed: try again later',
  SERVICE_UNAVAILABLE: 'The service is temporarily unavailable: try again later',
  GATEWAY_TIMEOUT: 'The file store was too slow: try again later',
};

const messagesOfStatus: Partial<Record<string, string>> = {
  VALIDATION_ERROR_422: 'createdAtFrom must not be after createdAtTo',
};

/** The name of the example of a code with a status: the code, with the status where it has several. */
function exampleName(code: ErrorCode, status: number): string {
  return status === errorCatalog[code].statuses[0] ? code : `${code}_${status}`;
}

/** References to the examples of an answer, by the names of the components. */
export function errorExamples(codes: readonly ErrorCode[], status: number): Record<string, Reference> {
  return Object.fromEntries(
    codes.map(code => [
      exampleName(code, status),
      { $ref: `#/components/examples/${exampleName(code, status)}` },
    ]),
  );
}

/** The example envelope of a code with a status. */
export function errorExample(code: ErrorCode, status: number): [string, ExampleObject] {
  const name = exampleName(code, status);
  const message = messagesOfStatus[name] ?? messages[code];
  return [
    name,
    { summary: errorCatalog[code].meaning, value: { error: { code, message, requestId: requestIdExample } } },
  ];
}
