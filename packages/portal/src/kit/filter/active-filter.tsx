import { Pill } from '@mantine/core';
import { type Filter, printFilter } from '@kontor/contract/filter';
import { Trans, useLingui } from '@lingui/react/macro';
import { Fragment, type ReactNode } from 'react';
import { type ListField, type ListRoute, lists } from '../../api/lists.ts';
import { day, moment } from '../dates.ts';
import { formatDecimal, isDecimal } from '../numbers.ts';
import { ReferenceName } from './reference-name.tsx';
import { useFilterWords } from './words.tsx';
import shared from '../shared.module.css';

interface Props {
  readonly route: ListRoute;
  readonly filter: Filter;
  readonly apply: (text: string | undefined) => void;
}

/** The conditions of the filter in words, each with a button that removes it. */
export function ActiveFilter({ route, filter, apply }: Props) {
  const { t } = useLingui();
  const terms = filter.kind === 'and' ? filter.terms : [filter];
  const without = (removed: Filter) => {
    const [first, ...rest] = terms.filter(term => term !== removed);
    apply(first && printFilter(rest.length === 0 ? first : { kind: 'and', terms: [first, ...rest] }));
  };
  return (
    <div className={shared.chips} role="group" aria-label={t`Active filter`}>
      {terms.map((term, index) => (
        <Pill
          key={`${index} ${printFilter(term)}`}
          size="md"
          // Mantine gives it the width of one letter where words may break, and its button that of a whole picture.
          styles={{
            root: { height: 'auto', flex: '0 1 auto' },
            label: { whiteSpace: 'normal', overflowWrap: 'anywhere' },
            remove: { width: '2em' },
          }}
          withRemoveButton
          onRemove={() => without(term)}
          removeButtonProps={{
            'aria-label': t`Remove condition ${index + 1}`,
            'aria-hidden': false,
            tabIndex: 0,
          }}
        >
          <Condition filter={term} fields={lists[route]} />
        </Pill>
      ))}
    </div>
  );
}

interface ConditionProps {
  readonly filter: Filter;
  readonly fields: readonly ListField[];
}

function Condition({ filter, fields }: ConditionProps): ReactNode {
  const words = useFilterWords();
  if ('terms' in filter)
    return filter.terms.map((term, index) => (
      <Fragment key={index}>
        {index > 0 && <> {filter.kind === 'or' ? <Trans>or</Trans> : <Trans>and</Trans>} </>}
        {'terms' in term ? '(' : ''}
        <Condition filter={term} fields={fields} />
        {'terms' in term ? ')' : ''}
      </Fragment>
    ));
  const field = fields.find(({ name }) => name === filter.field);
  const operator =
    filter.kind === 'in'
      ? 'IN'
      : filter.kind === 'null'
        ? filter.negated
          ? 'IS NOT NULL'
          : 'IS NULL'
        : filter.operator;
  const values = filter.kind === 'in' ? filter.values : filter.kind === 'null' ? [] : [filter.value];
  return (
    <>
      {words.field(filter.field)} {words.operator(operator, field?.type)}{' '}
      {values.map((value, index) => (
        <Fragment key={value}>
          {index > 0 && ', '}
          <strong>
            <Value field={field} value={value} />
          </strong>
        </Fragment>
      ))}
    </>
  );
}

function Value({ field, value }: { field: ListField | undefined; value: string }) {
  const words = useFilterWords();
  if (field?.refersTo) return <ReferenceName kind={field.refersTo} id={value} />;
  // The service reports a value that is none of its type.
  if (field?.type === 'date-time' && !Number.isNaN(Date.parse(value))) return moment(value);
  if (field?.type === 'date' && !Number.isNaN(Date.parse(value))) return day(value);
  if ((field?.type === 'number' || field?.type === 'decimal') && isDecimal(value))
    return formatDecimal(value);
  return field?.type === 'string' ? value : words.value(field?.name ?? '', value);
}
