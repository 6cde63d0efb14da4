import type { Operation } from '../operation.ts';
import type { LinkObject } from './document.ts';

type Declared = Readonly<Record<string, Operation>>;

/**
 * Returns the links of a successful response. They lead to the other operations on the returned, created or first listed resource. A resource
 * with an employee links to the employee, too.
 */
export function linksOf(operationId: string, declared: Declared): Record<string, LinkObject> {
  const operation = declared[operationId]!;
  const { success } = operation;
  if (success.body === 'file') return {};
  const resource = resourceIn(operation);
  if (resource === null) return {};
  const others = Object.entries(declared).filter(
    ([other, { path }]) => other !== operationId && path.startsWith(`${collectionOf(operation)}/{id}`),
  );
  const links = others.map(([other, { path }]): [string, LinkObject] => [
    other,
    { operationId: other, parameters: parametersFor(path, resource) },
  ]);
  if ('employeeId' in success.body.properties && 'getEmployee' in declared)
    links.push([
      'getEmployee',
      { operationId: 'getEmployee', parameters: { id: '$response.body#/employeeId' } },
    ]);
  return Object.fromEntries(links);
}

/** Returns `/orders` for `/orders/{id}/decision`. */
function collectionOf({ path }: Operation): string {
  return path.split('/{id}', 1)[0]!;
}

interface Resource {
  /** The runtime expression of its id. */
  readonly id: string;
  /** The JSON pointer to it in the body. */
  readonly pointer: string;
}

function resourceIn(operation: Operation): Resource | null {
  const { path, fields, success } = operation;
  if (fields) return { id: '$response.body#/items/0/id', pointer: '/items/0' };
  if (path.includes('{id}')) return { id: '$request.path.id', pointer: '' };
  if (success.body !== 'file' && 'id' in success.body.properties)
    return { id: '$response.body#/id', pointer: '' };
  return null;
}

/** The parameters of a path: the resource, its first attachment, and path parameters of the request. */
function parametersFor(path: string, { id, pointer }: Resource): Record<string, string> {
  const parameters = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
  return Object.fromEntries(
    parameters.map(name => {
      if (name === 'id') return [name, id];
      if (name === 'attachmentId') return [name, `$response.body#${pointer}/attachments/0/id`];
      return [name, `$request.path.${name}`];
    }),
  );
}
