import { Pill, Stack } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ListField } from '../../api/lists.ts';
import { employeesByIdQuery } from '../../api/queries.ts';
import { CompanyField, DivisionField, EmployeeField, SearchField } from '../form/search-fields.tsx';
import { kindsOf, ReferenceName } from './reference-name.tsx';
import shared from '../shared.module.css';

type Kind = NonNullable<ListField['refersTo']>;

interface Props {
  readonly kind: Kind;
  readonly label: string;
  readonly values: readonly string[];
  readonly change: (values: readonly string[]) => void;
  /** Whether any number is picked. */
  readonly isMany: boolean;
}

/** Picks companies, divisions or persons by name. The filter has their identifiers. */
export function ReferenceInput({ kind, label, values, change, isMany }: Props) {
  const { t } = useLingui();
  const ids = values.filter(Boolean);
  if (!isMany) {
    const [value = null] = ids;
    return <Picker kind={kind} aria-label={label} value={value} onChange={id => change(id ? [id] : [])} />;
  }
  return (
    <Stack gap="xs">
      {ids.length > 0 && (
        <div className={shared.chips}>
          {ids.map(id => (
            <Pill
              key={id}
              withRemoveButton
              removeButtonProps={{ 'aria-label': t`Remove`, 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => change(ids.filter(one => one !== id))}
            >
              <ReferenceName kind={kind} id={id} />
            </Pill>
          ))}
        </div>
      )}
      <Picker
        // Empty again for the next one.
        key={ids.length}
        kind={kind}
        aria-label={label}
        value={null}
        onChange={id => id && !ids.includes(id) && change([...ids, id])}
      />
    </Stack>
  );
}

interface PickerProps {
  readonly kind: Kind;
  readonly 'aria-label': string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

function Picker({ kind, ...field }: PickerProps) {
  if (kind === 'company') return <CompanyField {...field} />;
  if (kind === 'division') return <DivisionField {...field} />;
  return kind === 'actor' ? <ActorPicker {...field} /> : <PersonPicker {...field} />;
}

function ActorPicker(field: Omit<PickerProps, 'kind'>) {
  const { t } = useLingui();
  return (
    <SearchField
      {...field}
      kinds={kindsOf.actor}
      placeholder={t`Name of the user or key`}
      noMatch={t`No matches`}
      clearLabel={t`Remove`}
    />
  );
}

function PersonPicker({ value, onChange, ...field }: Omit<PickerProps, 'kind'>) {
  const { data } = useQuery({ ...employeesByIdQuery([value ?? '']), enabled: value !== null });
  const chosen = value === null ? undefined : data?.items.find(({ id }) => id === value);
  return (
    <EmployeeField {...field} value={chosen ?? null} onChange={employee => onChange(employee?.id ?? null)} />
  );
}
