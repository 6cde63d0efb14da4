import { apis, auditActions, type Field, type Operation, operatorsOf } from '@kontor/contract';
import type { ListField } from '../src/api/lists.ts';

/** Fields that have an identifier, with the kind of thing that is picked by name. */
const references: Readonly<Record<string, NonNullable<ListField['refersTo']>>> = {
  tenant: 'company',
  divisionId: 'division',
  parentId: 'division',
  employeeId: 'employee',
  actorId: 'actor',
};

/** Names are not compared with identifiers, so nothing contains or precedes them. */
const operatorsOfReference = new Set(['=', '!=', 'IN', 'IS NULL', 'IS NOT NULL']);

/** Texts of the audit that have one of few values. Clients of the contract must expect further ones. */
const closed: Readonly<Record<string, readonly string[]>> = {
  action: auditActions,
  targetType: [...new Set(auditActions.map(action => action.split('.')[0]!))],
};

function listField(field: Field): ListField {
  const { [field.name]: refersTo } = references;
  const { [field.name]: values } = closed;
  const operators = operatorsOf[field.type];
  if (values) return { ...field, type: 'enum', values, operators: operatorsOf.enum };
  if (refersTo === undefined) return { ...field, operators };
  return { ...field, operators: operators.filter(each => operatorsOfReference.has(each)), refersTo };
}

/** Filter and sort fields of the portal API's lists by method and path, from the contract. */
export function listsOfContract() {
  return Object.fromEntries(
    Object.values<Operation>(apis.portal.operations).flatMap(({ method, path, fields, success }) =>
      fields && success.body !== 'file'
        ? [[`${method} ${path}`, Array.from(fields.values(), listField)]]
        : [],
    ),
  );
}
