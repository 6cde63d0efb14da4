import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';

export type Details = AnswerOf<'GET /employee-imports/{id}'>;
export type Import = Details['import'];
export type Mapping = Details['mapping'];
export type Field = Mapping['columns'][number]['field'];
export type Row = AnswerOf<'GET /employee-imports/{id}/rows'>['items'][number];

export const changes = [['imports'], ['employees']];

export const isOpen = ({ status }: Pick<Import, 'status'>) =>
  ['uploaded', 'planning', 'planned', 'applying'].includes(status);

/** Whether it stopped because its user lost the permission: the rest can be imported. */
export const isStopped = ({ failure, counts }: Pick<Import, 'failure' | 'counts'>) =>
  failure?.reason === 'permission' && counts !== null;

export function useFieldWords(): Record<Field, string> {
  const { t } = useLingui();
  return {
    email: t`Work email`,
    firstName: t`First name`,
    lastName: t`Last name`,
    privateEmail: t`Private email`,
    employeeNumber: t`Employee number`,
    phoneNumber: t`Phone`,
    street: t`Street`,
    postalCode: t`Postcode`,
    city: t`Town`,
    countryCode: t`Country`,
    additionalInfo: t`Further information`,
    blocked: t`Blocked`,
    divisionId: t`Division`,
  };
}

export function useStatusWords(): Record<Import['status'], string> {
  const { t } = useLingui();
  return {
    uploaded: t`Uploaded`,
    planning: t`Being checked`,
    planned: t`Checked, not imported`,
    applying: t`Being imported`,
    applied: t`Imported`,
    discarded: t`Discarded`,
    failed: t`Failed`,
  };
}

/** The name of the file, unless it was erased. */
export function useFileName(): (one: Pick<Import, 'fileName'>) => string {
  const { t } = useLingui();
  return ({ fileName }) => fileName || t`File without a name`;
}

export const dots = {
  uploaded: 'invited',
  planning: 'being_replaced',
  planned: 'invited',
  applying: 'being_replaced',
  applied: 'active',
  discarded: 'inactive',
  failed: 'failing',
} as const;

/** Why a cell cannot be imported, and what to do about it. */
export function useProblemWords(): (problem: Row['problems'][number]) => string {
  const { t } = useLingui();
  return ({ code, field, limit }) => {
    switch (code) {
      case 'missing':
        return t`A value is missing.`;
      case 'invalid':
        if (field === 'blocked') return t`Enter true or false.`;
        if (field === 'countryCode') return t`Enter two capital letters, such as DE.`;
        return field === 'email' || field === 'privateEmail'
          ? t`Enter an email address.`
          : t`This value is not possible here.`;
      case 'too_long':
        return t`At most ${limit} characters are possible.`;
      case 'repeated':
        return t`Line ${limit} has the same value. Keep one of the two.`;
      case 'taken':
        return t`Another person has this value.`;
      case 'not_editable':
        return t`The person has another work email, which an import cannot change.`;
      case 'unknown_division':
        return t`The company has no such division. Enter the whole path, such as Sales / North.`;
      case 'ambiguous_division':
        return t`Several divisions have this path. Enter the ID of the division.`;
      case 'cell_count':
        return t`The row does not have ${limit} values as the first row has.`;
      case 'quote':
        return t`A quotation mark is in the middle of a value. Put the value in quotation marks and double the mark.`;
      case 'nul':
        return t`The row has a character that cannot be stored (NUL).`;
    }
  };
}

export function useSkipWords(): Record<NonNullable<Row['reason']>, string> {
  const { t } = useLingui();
  return {
    changed: t`Left out: the person was changed after the check.`,
    taken: t`Left out: another person has got the number or email meanwhile.`,
    rejected: t`Left out: the change is no longer possible.`,
  };
}

export function useFailureWords(): (failure: NonNullable<Import['failure']>) => string {
  const { t } = useLingui();
  return ({ reason, line, column }) => {
    switch (reason) {
      case 'no_rows':
        return t`The file has no rows below its header.`;
      case 'repeated_column':
        return t`The header has the column “${column}” twice. Rename one of the two.`;
      case 'too_many_columns':
        return t`The file has more than 200 columns. Remove some of them.`;
      case 'too_many_rows':
        return t`The file has more than 100,000 rows. Split it into several files, and import one after the other.`;
      case 'unclosed_quote':
        return t`A quotation mark in line ${line} is never closed, so the rest cannot be read.`;
      case 'permission':
        return t`The import stopped: its user no longer has the permission HR for this company. What was imported stays.`;
      case 'internal':
        return t`The service could not go on. What was imported stays. Upload the file again, or tell the operator.`;
    }
  };
}
