import { Checkbox, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { ListField } from '../../api/lists.ts';
import { DecimalField } from '../form/decimal-field.tsx';
import type { Condition } from './draft.ts';
import { localOf, zonedOf } from './read.ts';
import { ReferenceInput } from './reference-input.tsx';
import { useFilterWords } from './words.tsx';

interface Props {
  readonly condition: Condition;
  /** Undefined: the list has no such field, which the service will report. */
  readonly field: ListField | undefined;
  readonly change: (values: readonly string[]) => void;
}

/** Takes the value of a condition, by the type of its field. */
export function ValueInput({ condition, field, change }: Props) {
  const { t } = useLingui();
  const words = useFilterWords();
  const { operator, values } = condition;
  const [value = ''] = values;
  const name = words.field(condition.field);
  const label = t`Value for ${name}`;
  if (operator === 'IS NULL' || operator === 'IS NOT NULL') return null;
  if (field?.refersTo)
    return (
      <ReferenceInput
        kind={field.refersTo}
        label={label}
        values={values}
        change={change}
        isMany={operator === 'IN'}
      />
    );
  const choices = field?.type === 'boolean' ? ['true', 'false'] : (field?.values ?? []);
  if (operator === 'IN')
    return choices.length > 0 ? (
      <Checkbox.Group value={[...values]} onChange={change} aria-label={label}>
        <Group gap="sm" mih={36} mah={260} style={{ overflowY: 'auto' }}>
          {choices.map(choice => (
            <Checkbox key={choice} value={choice} label={words.value(condition.field, choice)} />
          ))}
        </Group>
      </Checkbox.Group>
    ) : (
      <Textarea
        aria-label={label}
        placeholder={t`One value per line`}
        autosize
        minRows={2}
        maxRows={8}
        value={values.join('\n')}
        onChange={({ currentTarget }) => change(currentTarget.value.split('\n'))}
      />
    );
  if (choices.length > 0)
    return (
      <NativeSelect
        aria-label={label}
        value={value}
        data={[
          { value: '', label: t`Choose …` },
          ...choices.map(choice => ({ value: choice, label: words.value(condition.field, choice) })),
        ]}
        onChange={({ currentTarget }) => change([currentTarget.value])}
      />
    );
  const local = field?.type === 'date-time' ? localOf(value) : null;
  if (local !== null)
    return (
      <TextInput
        type="datetime-local"
        step={1}
        aria-label={label}
        defaultValue={local}
        onChange={({ currentTarget }) => change([zonedOf(currentTarget.value)])}
      />
    );
  if (field?.type === 'number' || field?.type === 'decimal')
    return <DecimalField aria-label={label} value={value} onChange={value => change([value])} />;
  return (
    <TextInput
      type={field?.type === 'date' ? 'date' : 'text'}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => change([currentTarget.value])}
    />
  );
}
