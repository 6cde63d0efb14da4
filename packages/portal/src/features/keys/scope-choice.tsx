import { Box, Checkbox, Radio, SegmentedControl, Stack } from '@mantine/core';
import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useAnswer } from '../../api/answer.ts';
import type { AnswerOf } from '../../api/ask.ts';
import { liveTenantsQuery } from '../../api/queries.ts';
import { CompanyChoices } from '../../kit/form/company-choices.tsx';
import { DivisionTree } from '../../kit/tree/division-tree.tsx';
import type { Chosen } from './chosen.ts';
import type { Key } from './key-parts.tsx';
import { ScopePreview } from './key-scope.tsx';

interface Props {
  readonly chosen: Chosen;
  readonly choose: (chosen: Chosen) => void;
  /** The permissions of the purpose that is chosen so far. */
  readonly permissions: Key['permissions'];
  readonly hasAccessToAll: boolean;
  readonly error?: ReactNode;
}

export function ScopeChoice({ chosen, choose, permissions, hasAccessToAll, error }: Props) {
  const { t } = useLingui();
  return (
    <Stack gap="md">
      <Radio.Group
        name="scope"
        label={t`Access of the key`}
        description={t`Give a key only the access that it needs`}
        value={chosen.whole ? 'whole' : 'some'}
        onChange={value => choose({ ...chosen, whole: value === 'whole' })}
        error={error}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="some" label={t`Some companies or divisions`} />
          <Radio
            value="whole"
            disabled={!hasAccessToAll}
            label={t`The whole organization`}
            description={
              hasAccessToAll
                ? t`Includes companies that are created later`
                : t`Only users with access to all companies can choose this`
            }
          />
        </Stack>
      </Radio.Group>
      {!chosen.whole && <Companies chosen={chosen} choose={choose} />}
      <ScopePreview chosen={chosen} permissions={permissions} />
    </Stack>
  );
}

function Companies({ chosen, choose }: Pick<Props, 'chosen' | 'choose'>) {
  const { t } = useLingui();
  const answer = useAnswer(liveTenantsQuery);
  const set = (id: string, divisions: 'all' | ReadonlySet<string> | null) => {
    const tenants = new Map(chosen.tenants);
    if (divisions === null) tenants.delete(id);
    else tenants.set(id, divisions);
    choose({ ...chosen, tenants });
  };
  return (
    <Stack gap="xs" role="group" aria-label={t`Companies`}>
      <CompanyChoices answer={answer}>
        {tenant => (
          <Company key={tenant.id} tenant={tenant} divisions={chosen.tenants.get(tenant.id)} set={set} />
        )}
      </CompanyChoices>
    </Stack>
  );
}

interface CompanyProps {
  readonly tenant: AnswerOf<'POST /tenants/search'>['items'][number];
  readonly divisions: 'all' | ReadonlySet<string> | undefined;
  readonly set: (id: string, divisions: 'all' | ReadonlySet<string> | null) => void;
}

function Company({ tenant: { id, name }, divisions, set }: CompanyProps) {
  const { t } = useLingui();
  return (
    <Box p="sm" style={{ border: '1px solid var(--kontor-line)', borderRadius: 'var(--mantine-radius-md)' }}>
      <Checkbox
        label={name}
        checked={divisions !== undefined}
        onChange={({ currentTarget }) => set(id, currentTarget.checked ? 'all' : null)}
      />
      {divisions !== undefined && (
        <Stack gap="sm" mt="sm">
          <SegmentedControl
            size="xs"
            aria-label={t`Divisions of ${name}`}
            value={divisions === 'all' ? 'all' : 'some'}
            onChange={value => set(id, value === 'all' ? 'all' : new Set())}
            data={[
              { value: 'all', label: t`The whole company` },
              { value: 'some', label: t`Some divisions` },
            ]}
            style={{ alignSelf: 'flex-start', width: 340, maxWidth: '100%' }}
            styles={{ label: { whiteSpace: 'normal' } }}
          />
          {divisions !== 'all' && (
            <DivisionTree
              tenant={id}
              name={name}
              mode={{ chosen: divisions, choose: chosen => set(id, chosen) }}
            />
          )}
        </Stack>
      )}
    </Box>
  );
}
