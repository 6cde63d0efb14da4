import { apis, type Operation, operatorsOf } from '@kontor/contract';

/** Filter and sort fields of the portal API's lists by method and path, from the contract. */
export function listsOfContract() {
  return Object.fromEntries(
    Object.values<Operation>(apis.portal.operations).flatMap(({ method, path, fields, success }) =>
      fields && success.body !== 'file'
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
