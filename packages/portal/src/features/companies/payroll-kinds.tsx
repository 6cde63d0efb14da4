import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import { optionsOf, usePayrollChoices } from '../../kit/detail/setting-words.tsx';
import { TextField } from '../../kit/form/limited-fields.tsx';
import { emptySettings, type Kinds, useNamesOfKinds } from './payroll-values.ts';

/** How each kind of amount is exported. */
export function KindFields({ kinds, change }: { kinds: Kinds; change: (kinds: Kinds) => void }) {
  const { t } = useLingui();
  const names = useNamesOfKinds();
  const { sign: signs } = usePayrollChoices();
  return (Object.keys(names) as (keyof Kinds)[]).map(name => {
    const kind = kinds[name];
    const set = (part: Partial<NonNullable<typeof kind>>) =>
      change({ ...kinds, [name]: { ...(kind ?? emptySettings.kinds[name]), ...part } });
    const text = (label: string, field: 'wageType' | 'processingKey', description?: string) => (
      <TextField
        label={label}
        description={description}
        inputMode="numeric"
        limit={4}
        value={kind?.[field] ?? ''}
        onChange={({ currentTarget }) => set({ [field]: currentTarget.value.trim() || null })}
      />
    );
    return (
      <fieldset key={name} style={{ border: 'none', padding: 0, margin: '0 0 1.5rem' }}>
        <legend style={{ fontWeight: 600, padding: 0 }}>{names[name]}</legend>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} style={{ alignItems: 'end' }}>
          <NativeSelect
            label={t`Amounts of this kind`}
            value={kind === null ? '' : String(kind.export)}
            data={[
              ...(kind === null ? [{ value: '', label: t`Not decided` }] : []),
              { value: 'true', label: t`Is exported` },
              { value: 'false', label: t`Is not exported` },
            ]}
            onChange={({ currentTarget }) => set({ export: currentTarget.value === 'true' })}
          />
          {kind?.export && (
            <>
              {text(t`Wage type`, 'wageType')}
              {text(t`Processing key (LODAS)`, 'processingKey')}
              <NativeSelect
                label={t`Sign`}
                value={kind.sign}
                data={optionsOf(signs)}
                onChange={({ currentTarget }) => set({ sign: currentTarget.value as 'plus' | 'minus' })}
              />
            </>
          )}
        </SimpleGrid>
      </fieldset>
    );
  });
}
