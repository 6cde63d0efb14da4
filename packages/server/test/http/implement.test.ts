import { test } from 'node:test';
import assert from 'node:assert/strict';
import {
  apis,
  createEmployee,
  downloadPayrollExportDocument,
  getEmployee,
  getHealth,
  getOrder,
  getPortalEmployee,
  listOrders,
  type Operation,
  updateEmployee,
} from '@kontor/contract';
import { implement, routesOf } from '../../src/http/implement.ts';
import { ok, type Route } from '../../src/http/route.ts';

/** Most of this shows by being compiled: each fault below must be one for the compiler, which reports an unused expectation. */

const json = async () => ok('{}');
const created = async () => ({ status: 201, body: '{}', headers: { Location: '/v1/employees/a' } }) as const;

export function faults() {
  // @ts-expect-error: a handler that is none
  implement(getEmployee, '{}');
  // @ts-expect-error: a parameter that the path has not
  implement(getOrder, async call => ok(call.parameters.attachmentId));
  // @ts-expect-error: a property that the body has not
  implement(updateEmployee, async call => ok(call.body.email));
  // @ts-expect-error: a list has no body
  implement(listOrders, async call => ok(call.body.city));
  // @ts-expect-error: a list where there is none
  implement(getOrder, async call => ok(`${call.list.page}`));
  // @ts-expect-error: JSON in the place of a file
  implement(downloadPayrollExportDocument, json);
  // @ts-expect-error: an update does not create
  implement(updateEmployee, created);
  // @ts-expect-error: what is created has an address
  implement(createEmployee, async () => ({ status: 201, body: '{}' }) as const);
}

export function rights() {
  implement(createEmployee, created);
  implement(createEmployee, json);
  implement(updateEmployee, async call => ok(`${call.parameters.id} ${call.body.city}`));
  implement(listOrders, async call => ok(`${call.list.page}`));
}

const routes: readonly Route[] = Object.values<Operation>(apis.public.operations).map(operation =>
  implement(operation, json),
);

test('a route has the identifier of its operation', () => {
  assert.deepEqual(
    routesOf(apis.public, routes).map(({ operationId, operation }) => [operationId, operation]),
    Object.entries(apis.public.operations),
  );
});

test('a service does not start without the handler of an operation', () => {
  const others = routes.filter(({ operation }) => operation !== getHealth);
  assert.throws(() => routesOf(apis.public, others), /^Error: Without a handler: getHealth\./);
});

test('a service does not start with two handlers of an operation, or one of another API', () => {
  for (const [surplus, id] of [
    [getHealth, 'getHealth'],
    [getPortalEmployee, 'getPortalEmployee'],
  ] as const)
    assert.throws(
      () => routesOf(apis.public, [...routes, implement(surplus, json)]),
      new RegExp(`^Error: Bound twice, or to another API: ${id}\\.`),
    );
});

test('an operation in no API cannot be implemented', () => {
  const unlisted = { ...getHealth, path: '/unlisted' } as const;
  assert.throws(
    () => implement(unlisted, json),
    /^Error: GET \/unlisted is not a constant of packages\/contract\/src: export it/,
  );
});
