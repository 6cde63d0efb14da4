import type { Operator } from '@kontor/contract/filter';
import { useLingui } from '@lingui/react/macro';
import { createContext, use } from 'react';
import type { ListField } from '../../api/lists.ts';
import { useFieldWords } from '../field-words.tsx';
import type { FilterProblem } from './read.ts';

/** Words for fields, operators and values. What has none is shown as the contract names it. */
export function useFilterWords() {
  const { t } = useLingui();
  const ofList = use(ValueWordsContext);
  const fields: Readonly<Record<string, string>> = useFieldWords();
  const values: Readonly<Record<string, string>> = {
    de: t`German`,
    en: t`English`,
    true: t`Yes`,
    false: t`No`,
  };
  const common: Readonly<Record<Operator, string>> = {
    '=': t`is`,
    '!=': t`is not`,
    '>': t`is more than`,
    '>=': t`is at least`,
    '<': t`is less than`,
    '<=': t`is at most`,
    IN: t`is one of`,
    CONTAINS: t`contains`,
    STARTS_WITH: t`begins with`,
    ENDS_WITH: t`ends with`,
    'IS NULL': t`is empty`,
    'IS NOT NULL': t`is not empty`,
  };
  const ofTime: Readonly<Partial<Record<Operator, string>>> = {
    '>': t`is after`,
    '>=': t`is at or after`,
    '<': t`is before`,
    '<=': t`is at or before`,
  };
  return {
    field: (name: string) => fields[name] ?? name,
    value: (field: string, value: string) => ofList[field]?.[value] ?? values[value] ?? value,
    operator: (operator: Operator, type: ListField['type'] | undefined) =>
      ((type === 'date' || type === 'date-time') && ofTime[operator]) || common[operator],
  };
}

/** A filter error in the language of the page, with the message of the service below it. */
export function useProblemWords(): (problem: FilterProblem) => string {
  const { t } = useLingui();
  return problem => {
    const { position } = problem;
    switch (problem.code) {
      case 'INVALID_FILTER_SYNTAX':
        return position === null
          ? t`The filter is invalid.`
          : t`The filter is invalid at character ${position}.`;
      case 'UNSUPPORTED_FILTER_FIELD':
        return t`The list has no field with this name.`;
      case 'UNSUPPORTED_FILTER_OPERATOR':
        return t`A field cannot be compared in this way.`;
      default:
        return t`A value is invalid for its field.`;
    }
  };
}

/** The words of a list for the values of its fields, by field. */
export type ValueWords = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const ValueWordsContext = createContext<ValueWords>({});
