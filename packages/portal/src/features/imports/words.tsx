import { useLingui } from '@lingui/react/macro';
import type { AnswerOf } from '../../api/ask.ts';
import { useFieldWords as useNames } from '../../kit/field-words.tsx';

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
  return { ...useNames(), email: t`Work email` };
}

/** The name of the file, unless it was erased. */
export function useFileName(): (one: Pick<Import, 'fileName'>) => string {
  const { t } = useLingui();
  return ({ fileName }) => fileName || t`File without a name`;
}

export function useSkipWords(): Record<NonNullable<Row['reason']>, string> {
  const { t } = useLingui();
  return {
    changed: t`Left out: the person was changed after the check.`,
    taken: t`Left out: another person has the number or email by now.`,
    rejected: t`Left out: the change is no longer possible.`,
  };
}
