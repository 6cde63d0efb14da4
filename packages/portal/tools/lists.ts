import { apis, type Operation, operatorsOf } from '@kontor/contract';

/** What the lists of the portal API are filtered and sorted by, as the contract declares it, under method and path. */
export function listsOfContract() {
  return Object.fromEntries(
    Object.values<Operation>(apis.portal.operations).flatMap(({ method, path, fields }) =>
      fields
        ? [
            [
              `${method} ${path}`,
              Array.from(fields.values(), field => ({ ...field, operators: operatorsOf[field.type] })),
            ],
          ]
        : [],
    ),
  );
}
