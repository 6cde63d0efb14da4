import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { Trans, useLingui } from '@lingui/react/macro';
import { optionsOf, usePayrollChoices } from '../../kit/detail/setting-words.tsx';
import { usePayerWords } from '../../kit/hr-words.tsx';
import { type Leaves, useNamesOfKinds } from './payroll-values.ts';

/** What each type of leave does to each kind of amount, and who pays instead. */
export function LeaveFields({ leaves, change }: { leaves: Leaves; change: (leaves: Leaves) => void }) {
  const { t } = useLingui();
  const payers = usePayerWords();
  const { effect: effects } = usePayrollChoices();
  const names: Record<keyof Leaves, string> = {
    longTermIllness: t`Long-term illness`,
    maternityLeave: t`Maternity leave`,
    parentalLeave: t`Parental leave`,
    unpaidLeave: t`Unpaid leave`,
  };
  const kinds = useNamesOfKinds();
  return (
    <>
      <Text size="sm" mb="md">
        <Trans>
          The benefit usually continues while the person keeps the bike. If it is given back for the leave,
          record that in the incident. Who pays is a note: nothing is deducted by it. A person pays from net
          pay or by transfer.
        </Trans>
      </Text>
      {(Object.keys(names) as (keyof Leaves)[]).map(name => {
        const set = (part: Partial<Leaves[typeof name]>) =>
          change({ ...leaves, [name]: { ...leaves[name], ...part } });
        return (
          <fieldset key={name} style={{ border: 'none', padding: 0, margin: '0 0 1.5rem' }}>
            <legend style={{ fontWeight: 600, padding: 0 }}>{names[name]}</legend>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} style={{ alignItems: 'end' }}>
              {(Object.keys(kinds) as (keyof typeof kinds)[]).map(kind => (
                <NativeSelect
                  key={kind}
                  label={kinds[kind]}
                  value={leaves[name][kind] ?? ''}
                  data={[{ value: '', label: t`Ask in the report` }, ...optionsOf(effects)]}
                  onChange={({ currentTarget }) =>
                    set({ [kind]: (currentTarget.value || null) as 'suspend' | 'continue' | null })
                  }
                />
              ))}
              <NativeSelect
                label={t`Who pays instead`}
                value={leaves[name].payer ?? ''}
                data={[{ value: '', label: t`Not decided` }, ...optionsOf(payers)]}
                onChange={({ currentTarget }) =>
                  set({ payer: (currentTarget.value || null) as Leaves[typeof name]['payer'] })
                }
              />
            </SimpleGrid>
          </fieldset>
        );
      })}
    </>
  );
}
