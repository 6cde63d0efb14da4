import { test } from 'node:test';
import assert from 'node:assert/strict';
import { type ApiName, apis } from '@kontor/contract';
import { type CallOf, type Handlers, routesOf } from '../../src/http/handlers.ts';
import { ok } from '../../src/http/route.ts';

/** Most of this shows by being compiled: each fault below must be one for the compiler, which reports an unused expectation. */

declare const handlers: Handlers;
declare const employee: CallOf<'updateEmployee'>;
declare const list: CallOf<'listOrders'>;

const json = async () => ok('{}');
const created = async () => ({ status: 201, body: '{}', headers: { Location: '/v1/employees/a' } }) as const;

export function faults() {
  const { getEmployee, ...allButOne } = handlers;
  // @ts-expect-error: an operation is not bound
  routesOf('public', allButOne);
  // @ts-expect-error: there is no such operation
  ({ getHealth: json, getSurprise: json }) satisfies Handlers<'Health'>;
  // @ts-expect-error: a handler that is none
  ({ ...handlers, getEmployee: '{}' }) satisfies Handlers;
  // @ts-expect-error: the handler of another operation, which wants a parameter that this one has not
  ({ ...handlers, getOrder: handlers.downloadOrderAttachment }) satisfies Handlers;
  // @ts-expect-error: the body of another operation
  ({ ...handlers, updateDivision: handlers.updateIncident }) satisfies Handlers;
  // @ts-expect-error: a list where there is none
  ({ ...handlers, getOrder: handlers.listOrders }) satisfies Handlers;
  // @ts-expect-error: JSON in the place of a file
  ({ ...handlers, downloadPayrollExportDocument: json }) satisfies Handlers;
  // @ts-expect-error: an update does not create
  ({ ...handlers, updateEmployee: created }) satisfies Handlers;
  // @ts-expect-error: what is created has an address
  ({ ...handlers, createEmployee: async () => ({ status: 201, body: '{}' }) as const }) satisfies Handlers;
  // @ts-expect-error: a parameter that the path has not
  const _attachmentId = employee.parameters.attachmentId;
  // @ts-expect-error: a property that the body has not
  const _email = employee.body.email;
  // @ts-expect-error: a list has no body
  const _city = list.body.city;
  return getEmployee;
}

export function rights() {
  routesOf('public', { ...handlers, createEmployee: created });
  routesOf('public', { ...handlers, createEmployee: json });
  return [employee.parameters.id, employee.body.city, list.list.page] as const;
}

for (const name of Object.keys(apis) as ApiName[])
  test(`every operation of the ${name} API is bound, under its identifier and with its declaration`, () => {
    const { operations } = apis[name];
    const stubs = Object.fromEntries(Object.keys(operations).map(id => [id, json]));
    const routes = routesOf(name, stubs as never);
    assert.deepEqual(
      routes.map(({ operationId, operation }) => [operationId, operation]),
      Object.entries(operations),
    );
  });
