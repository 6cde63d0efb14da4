import { ActionIcon, Button, Group, NativeSelect, SegmentedControl, Stack } from '@mantine/core';
import type { Operator } from '@kontor/contract/filter';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ListField } from '../../api/lists.ts';
import { Icon } from '../icon.tsx';
import {
  type Condition,
  firstOf,
  type Group as GroupOfParts,
  newCondition,
  newGroup,
  type Part,
} from './draft.ts';
import { ValueInput } from './value-input.tsx';
import { useFilterWords } from './words.tsx';
import styles from './filter.module.css';

/** Deepest group that can be made by clicking; the text goes on to the bound of the language. */
const deepest = 3;

interface Shared {
  readonly fields: readonly ListField[];
  /** Puts something in the place of a part; null takes it away. */
  readonly replace: (id: number, part: Part | null) => void;
}

/** The conditions of a group, and what adds to them. */
export function GroupForm({ group, depth = 1, ...shared }: Shared & { group: GroupOfParts; depth?: number }) {
  const { t } = useLingui();
  const { fields, replace } = shared;
  const set = (more: Partial<GroupOfParts>) => replace(group.id, { ...group, ...more });
  const add = (part: Part) => set({ parts: [...group.parts, part] });
  const first = firstOf(fields);
  return (
    <Stack
      gap="sm"
      role="group"
      aria-label={depth === 1 ? t`Conditions` : t`Group of conditions`}
      className={depth === 1 ? undefined : styles.group}
    >
      {(group.parts.length > 1 || depth > 1) && (
        <Group gap="xs" justify="space-between">
          <SegmentedControl
            size="xs"
            aria-label={t`Conditions that must be met`}
            value={group.joins}
            onChange={joins => set({ joins })}
            data={[
              { value: 'and', label: t`All conditions` },
              { value: 'or', label: t`Any condition` },
            ]}
          />
          {depth > 1 && <RemoveButton label={t`Remove the group`} remove={() => replace(group.id, null)} />}
        </Group>
      )}
      {group.parts.map(part =>
        part.kind === 'group' ? (
          <GroupForm key={part.id} group={part} depth={depth + 1} {...shared} />
        ) : (
          <ConditionForm key={part.id} condition={part} {...shared} />
        ),
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => add(newCondition(first))}
        >
          <Trans>Condition</Trans>
        </Button>
        {depth < deepest && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => add(newGroup(group.joins === 'and' ? 'or' : 'and', [newCondition(first)]))}
          >
            <Trans>Group</Trans>
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function ConditionForm({ condition, fields, replace }: Shared & { condition: Condition }) {
  const { t } = useLingui();
  const words = useFilterWords();
  const field = fields.find(({ name }) => name === condition.field);
  const set = (more: Partial<Condition>) => replace(condition.id, { ...condition, ...more });
  const name = words.field(condition.field);
  const choose = (chosen: ListField) => {
    const { operator, values } = newCondition(chosen);
    const isAlike = chosen.type === field?.type && chosen.refersTo === field?.refersTo;
    const keeps = isAlike && chosen.values.length === 0;
    set({ field: chosen.name, ...(!keeps && { operator, values }) });
  };
  return (
    <div className={styles.row} role="group" aria-label={t`Condition on ${name}`}>
      <NativeSelect
        aria-label={t`Field`}
        value={condition.field}
        data={[
          ...(field ? [] : [{ value: condition.field, label: condition.field }]),
          ...fields.toSorted(byUse).map(({ name }) => ({ value: name, label: words.field(name) })),
        ]}
        onChange={({ currentTarget }) => choose(fields.find(({ name }) => name === currentTarget.value)!)}
      />
      <NativeSelect
        aria-label={t`Comparison`}
        value={condition.operator}
        data={operatorsOf(condition, field).map(operator => ({
          value: operator,
          label: words.operator(operator, field?.type),
        }))}
        onChange={({ currentTarget }) => set({ operator: currentTarget.value as Operator })}
      />
      <ValueInput condition={condition} field={field} change={values => set({ values })} />
      <RemoveButton label={t`Remove the condition on ${name}`} remove={() => replace(condition.id, null)} />
    </div>
  );
}

/** Identifiers are for IT, so they are last. */
const byUse = (one: ListField, other: ListField) => Number(one.name === 'id') - Number(other.name === 'id');

/** Those of the field, but not whether it is empty where it never is; and the one that is there, whether the field takes it or not. */
function operatorsOf({ operator }: Condition, field: ListField | undefined): readonly Operator[] {
  const sensible = (field?.operators ?? []).filter(each => field?.nullable || !each.startsWith('IS '));
  return sensible.includes(operator) ? sensible : [operator, ...sensible];
}

function RemoveButton({ label, remove }: { label: string; remove: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" c="dimmed" size={36} aria-label={label} onClick={remove}>
      <Icon name="close" size={16} />
    </ActionIcon>
  );
}
